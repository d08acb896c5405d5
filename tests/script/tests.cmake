# When ./numavp builds, with a CMake and a ninja that only say that they were called.
find_program(NUMAVP_BASH bash)
mark_as_advanced(NUMAVP_BASH)
if(NUMAVP_BASH AND NOT NUMAVP_SANITIZE) # they are of the script: one half of the gate shows it
    add_test(NAME script.builds_what_changed
             COMMAND "${NUMAVP_BASH}" "${CMAKE_CURRENT_SOURCE_DIR}/script/builds_what_changed.sh" "${PROJECT_SOURCE_DIR}")
    set_tests_properties(script.builds_what_changed PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS script COST 70)
    if(TARGET numavp_sim)
        add_test(NAME script.report_words
                 COMMAND "${NUMAVP_BASH}" "${CMAKE_CURRENT_SOURCE_DIR}/script/report_words.sh" "${PROJECT_SOURCE_DIR}"
                         "$<TARGET_FILE:numavp_sim>")
        set_tests_properties(script.report_words PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS script COST 70)
    endif()
endif()
