# Each build, with whatever compiler, writes the bytes of results.json that are committed as a hash.
if(TARGET numavp_sim)
    add_test(NAME same_bytes.of_fixed_runs
             COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:numavp_sim>"
                     "-DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/same_bytes" -P
                     "${CMAKE_CURRENT_SOURCE_DIR}/validation/same_bytes/compare.cmake")
    set_tests_properties(same_bytes.of_fixed_runs PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS same_bytes
                                                                  COST 80)
endif()
