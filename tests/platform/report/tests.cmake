# Reports in headless Chromium. ./numavp test installs what they need; without it they are skipped.
if(TARGET numavp_sim AND NOT NUMAVP_SANITIZE) # the pages are the same: one half of the gate looks at them
    foreach(checks run study network compare characterize predict live accessibility)
        add_test(NAME report.browser_${checks}
                 COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/platform/report/browser.sh"
                         "${CMAKE_CURRENT_SOURCE_DIR}/platform/report/${checks}_checks.mjs" "$<TARGET_FILE:numavp_sim>"
                         "${PROJECT_SOURCE_DIR}")
        set_tests_properties(report.browser_${checks} PROPERTIES TIMEOUT 900 LABELS report SKIP_RETURN_CODE 77
                                                                   COST 100 RESOURCE_LOCK browser)
    endforeach()
endif()
