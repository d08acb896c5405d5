# The assertions of AXI4: beside broken managers and subordinates, and bound to the RTL memory with a fault.
if(NUMAVP_HAS_RTL)
    include(mutation/faulty_rtl.cmake)
    numavp_verilated_target(numavp_verilated_axi4)
    numavp_verilate(numavp_verilated_axi4 axi4_checker OPTIONS --assert -GPATIENCE=5000 SOURCES rtl/axi4_checker.sv)
    numavp_verilate(numavp_verilated_axi4 axi4_bound_ram OPTIONS --assert
                    SOURCES rtl/axi4_checker.sv "${NUMAVP_FAULTY_RTL}/axi4_ram.sv" tests/rtl/axi4/checked/axi4_bound_ram.sv)
    file(GLOB sources CONFIGURE_DEPENDS rtl/axi4/checked/*.cpp)
    add_executable(test_axi4_checked ${sources} tlm-links/axi4_pin_loop.cpp tlm-links/axi4_pin_faults.cpp)
    numavp_own_target(test_axi4_checked)
    numavp_use_verilated(test_axi4_checked numavp_verilated_axi4)
    target_link_libraries(test_axi4_checked PRIVATE numavp_test_support)
    gtest_discover_tests(test_axi4_checked TEST_PREFIX axi4. DISCOVERY_TIMEOUT 60
                         PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS rtl)
endif()
