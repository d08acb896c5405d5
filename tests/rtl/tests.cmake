# The RTL blocks against their C++ twins: in the 4-socket system, with assertions, broken on purpose, and by proof.
if(NUMAVP_HAS_RTL)
    if(TARGET numavp_sim)
        set(workloads spmv-powerlaw)
        if(NOT NUMAVP_SANITIZE)
            list(APPEND workloads stencil-3d bfs-powerlaw)
        endif()
        add_test(NAME rtl.same_results_as_cpp
                 COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:numavp_sim>"
                         "-DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/rtl_results" "-DWORKLOADS=${workloads}" -P
                         "${CMAKE_CURRENT_SOURCE_DIR}/rtl/same_results.cmake")
        set_tests_properties(rtl.same_results_as_cpp PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS rtl COST 90)
    endif()

    # One Verilated model of all blocks with assertions and faults, apart from those of the program.
    include(mutation/faulty_rtl.cmake)
    numavp_verilated_target(numavp_verilated_bench)
    numavp_verilate(numavp_verilated_bench rtl_bench OPTIONS --assert -DNUMAVP_ASSERTIONS
                    SOURCES rtl/saturation.sv "${NUMAVP_FAULTY_RTL}/lane_balancer.sv"
                            "${NUMAVP_FAULTY_RTL}/way_partition.sv" "${NUMAVP_FAULTY_RTL}/replication_alu.sv"
                            "${NUMAVP_FAULTY_RTL}/replication_model.sv" tests/rtl/checked/rtl_bench.sv)
    numavp_verilate(numavp_verilated_bench ending OPTIONS --assert SOURCES tests/rtl/checked/ending.sv)
    file(GLOB sources CONFIGURE_DEPENDS rtl/checked/*.cpp)
    add_executable(test_rtl_checked ${sources})
    numavp_own_target(test_rtl_checked)
    numavp_use_verilated(test_rtl_checked numavp_verilated_bench)
    target_link_libraries(test_rtl_checked PRIVATE numavp_test_support)
    gtest_discover_tests(test_rtl_checked TEST_PREFIX rtl. DISCOVERY_TIMEOUT 60
                         PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS rtl)
endif()

find_program(YOSYS_PROGRAM yosys)
mark_as_advanced(YOSYS_PROGRAM)
if(YOSYS_PROGRAM AND NOT NUMAVP_SANITIZE) # nothing of it is compiled here: one half of the gate shows it
    include(mutation/faulty_rtl.cmake)
    foreach(proof lanes ways control)
        add_test(NAME rtl.proof_of_${proof}
                 COMMAND bash "${CMAKE_CURRENT_SOURCE_DIR}/rtl/prove.sh" "${YOSYS_PROGRAM}" "${PROJECT_SOURCE_DIR}"
                         "${NUMAVP_FAULTY_RTL}" ${proof})
        set_tests_properties(rtl.proof_of_${proof} PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS rtl
                                                                  COST 80)
    endforeach()
elseif(NOT YOSYS_PROGRAM)
    numavp_missing("the RTL blocks' invariants are not proved: that needs yosys")
endif()
