# What of AXI4 needs a program of its own: the RTL blocks with their assertions.
if(NUMAVP_HAS_RTL)
    numavp_verilated_target(numavp_verilated_axi4_loop)
    numavp_verilate(numavp_verilated_axi4_loop axi4_loop OPTIONS --assert -DNUMAVP_ASSERTIONS
                    SOURCES rtl/axi4_ram.sv rtl/axi4_open_bursts.sv rtl/axi4_master.sv tests/tlm-links/axi/checked/axi4_loop.sv)
    file(GLOB sources CONFIGURE_DEPENDS tlm-links/axi/checked/*.cpp)
    add_executable(test_axi_checked ${sources})
    numavp_own_target(test_axi_checked)
    numavp_use_verilated(test_axi_checked numavp_verilated_axi4_loop)
    target_link_libraries(test_axi_checked PRIVATE numavp_test_support)
    gtest_discover_tests(test_axi_checked TEST_PREFIX axi. DISCOVERY_TIMEOUT 60
                         PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS axi)
endif()
