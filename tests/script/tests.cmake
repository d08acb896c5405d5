# That no fault counts as passed where tests run apart (tests/support/tests_apart.h).
find_program(NUMAVP_BASH bash)
mark_as_advanced(NUMAVP_BASH)
add_executable(apart_faults script/apart/faults.cpp)
numavp_own_target(apart_faults)
target_link_libraries(apart_faults PRIVATE numavp_test_support)
if(NUMAVP_BASH)
    add_test(NAME script.apart
             COMMAND "${NUMAVP_BASH}" "${CMAKE_CURRENT_SOURCE_DIR}/script/apart.sh" "$<TARGET_FILE:apart_faults>")
    set_tests_properties(script.apart PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS script)
endif()

# When ./numavp builds and what it installs, with stand-ins for apt-get, CMake, ninja and compilers.
if(NUMAVP_BASH AND NOT NUMAVP_SANITIZE) # they are of the script: one half of the gate shows it
    add_test(NAME script.builds_what_changed
             COMMAND "${NUMAVP_BASH}" "${CMAKE_CURRENT_SOURCE_DIR}/script/builds_what_changed.sh" "${PROJECT_SOURCE_DIR}")
    set_tests_properties(script.builds_what_changed PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS script COST 70)
    foreach(script folders changed install build example versions debian_root)
        add_test(NAME script.${script} COMMAND "${Python3_EXECUTABLE}" -B
                                               "${CMAKE_CURRENT_SOURCE_DIR}/script/${script}_test.py" "${PROJECT_SOURCE_DIR}")
        set_tests_properties(script.${script} PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS script)
    endforeach()
    if(TARGET numavp_sim)
        add_test(NAME script.report_words
                 COMMAND "${NUMAVP_BASH}" "${CMAKE_CURRENT_SOURCE_DIR}/script/report_words.sh" "${PROJECT_SOURCE_DIR}"
                         "$<TARGET_FILE:numavp_sim>")
        set_tests_properties(script.report_words PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS script COST 70)
    endif()
endif()
