# Page faults served through AXI4-Lite pins by RTL, registers in RTL read through them; the same RTL with a fault.
if(NUMAVP_HAS_RTL)
    include(mutation/faulty_rtl.cmake)
    numavp_verilated_target(numavp_verilated_lite)
    numavp_verilate(numavp_verilated_lite fault_poller_bench OPTIONS --assert -DNUMAVP_ASSERTIONS
                    SOURCES "${NUMAVP_FAULTY_RTL}/fault_poller.sv" tests/tlm-links/axi_lite/checked/fault_poller_bench.sv)
    file(GLOB sources CONFIGURE_DEPENDS tlm-links/axi_lite/checked/*.cpp)
    add_executable(test_axi_lite_checked ${sources} tlm-links/foreign_initiator.cpp)
    set_source_files_properties(${PROJECT_SOURCE_DIR}/tests/tlm-links/axi_lite/checked/fault_poller_test.cpp
                                PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON) # Verilator's header comes before SystemC's
    numavp_own_target(test_axi_lite_checked)
    numavp_use_verilated(test_axi_lite_checked numavp_verilated_lite)
    target_link_libraries(test_axi_lite_checked PRIVATE numavp_test_support)
    gtest_discover_tests(test_axi_lite_checked TEST_PREFIX axi_lite. DISCOVERY_TIMEOUT 60
                         PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS rtl)
endif()
