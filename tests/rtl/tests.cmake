# The RTL blocks against their C++ twins: in the 4-socket system, by proof, and broken on purpose.
if(NUMAVP_HAS_RTL AND TARGET numavp_sim)
    add_test(NAME rtl.same_results_as_cpp
             COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:numavp_sim>"
                     "-DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/rtl_results" -P
                     "${CMAKE_CURRENT_SOURCE_DIR}/rtl/same_results.cmake")
    set_tests_properties(rtl.same_results_as_cpp PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS rtl)
endif()
