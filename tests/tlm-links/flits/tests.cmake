# Credited flits through the RTL relay with its assertions, whole and with a fault.
if(NUMAVP_HAS_RTL)
    include(mutation/faulty_rtl.cmake)
    numavp_verilated_target(numavp_verilated_flits)
    numavp_verilate(numavp_verilated_flits flit_bench OPTIONS --assert -DNUMAVP_ASSERTIONS
                    SOURCES rtl/flit_checker.sv "${NUMAVP_FAULTY_RTL}/flit_relay.sv"
                            tests/tlm-links/flits/checked/flit_bench.sv)
    numavp_verilate(numavp_verilated_flits flit_retry_sender_bench OPTIONS --assert -DNUMAVP_ASSERTIONS
                    SOURCES rtl/flit_checker.sv rtl/flit_crc.sv rtl/flit_retry_sender_checker.sv
                            "${NUMAVP_FAULTY_RTL}/retry_sender.sv" "${NUMAVP_FAULTY_RTL}/flit_retry_sender.sv"
                            tests/tlm-links/flits/checked/flit_retry_sender_bench.sv)
    numavp_verilate(numavp_verilated_flits flit_retry_receiver_bench OPTIONS --assert -DNUMAVP_ASSERTIONS
                    SOURCES rtl/flit_checker.sv rtl/flit_crc.sv rtl/flit_retry_receiver_checker.sv
                            "${NUMAVP_FAULTY_RTL}/flit_retry_receiver.sv"
                            tests/tlm-links/flits/checked/flit_retry_receiver_bench.sv)
    file(GLOB sources CONFIGURE_DEPENDS tlm-links/flits/checked/*.cpp)
    add_executable(test_flits_checked ${sources} tlm-links/flit_loop.cpp tlm-links/foreign_initiator.cpp
                                      tlm-links/foreign_target.cpp)
    numavp_own_target(test_flits_checked)
    numavp_use_verilated(test_flits_checked numavp_verilated_flits)
    target_link_libraries(test_flits_checked PRIVATE numavp_test_support)
    gtest_discover_tests(test_flits_checked TEST_PREFIX flits. DISCOVERY_TIMEOUT 60
                         PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS flits)
endif()

# Real workloads end with cut channels between the routers of a network, too.
if(TARGET numavp_sim AND NUMAVP_HAS_RTL)
    set(name flits.bfs-powerlaw_over_cut_channels)
    add_test(NAME ${name} COMMAND numavp_sim run numa-aware-4-packets bfs-powerlaw --scale 0.01 --quiet
             --set network.links[0].cut=flits_rtl --set checks.protocol=true --out "${CMAKE_CURRENT_BINARY_DIR}/${name}")
    set_tests_properties(${name} PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS flits)
endif()

# Real workloads end, with closed accounts and checkers on every wire, on a system whose links are all cut.
if(TARGET numavp_sim)
    set(cuts flits)
    if(NUMAVP_HAS_RTL)
        list(APPEND cuts flits_rtl)
    endif()
    foreach(cut IN LISTS cuts)
        foreach(workload spmv-powerlaw stencil-3d bfs-powerlaw)
            set(name flits.${workload}_over_${cut})
            add_test(NAME ${name} COMMAND numavp_sim run numa-aware-4 ${workload} --scale 0.01 --quiet --set link.cut=${cut}
                     --set checks.protocol=true --out "${CMAKE_CURRENT_BINARY_DIR}/${name}")
            set_tests_properties(${name} PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS flits)
        endforeach()
    endforeach()
endif()
