# What of AXI4 needs programs of its own: the RTL blocks with their assertions, and the bridges with their mutants.
if(NUMAVP_HAS_RTL)
    numavp_verilated_target(numavp_verilated_axi4_loop)
    numavp_verilate(numavp_verilated_axi4_loop axi4_loop OPTIONS --assert -DNUMAVP_ASSERTIONS
                    SOURCES rtl/axi4_ram.sv rtl/axi4_open_bursts.sv rtl/axi4_master.sv tests/axi/checked/axi4_loop.sv)
    file(GLOB sources CONFIGURE_DEPENDS axi/checked/*.cpp)
    add_executable(test_axi_checked ${sources})
    numavp_own_target(test_axi_checked)
    numavp_use_verilated(test_axi_checked numavp_verilated_axi4_loop)
    target_link_libraries(test_axi_checked PRIVATE numavp_test_support)
    gtest_discover_tests(test_axi_checked TEST_PREFIX axi. DISCOVERY_TIMEOUT 60
                         PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS axi)
endif()

# The bridges once more, with faults compiled in; those of the library stay as they are.
file(GLOB sources CONFIGURE_DEPENDS axi/mutants/*.cpp)
set(broken axi4_manager tlm_to_axi4 axi4_subordinate axi4_to_tlm)
list(TRANSFORM broken REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/tlm-links/axi/\\1.cpp")
set(around foreign_initiator foreign_target random_manager pin_join axi4_loop)
list(TRANSFORM around REPLACE "(.+)" "links/\\1.cpp")
add_executable(test_axi_mutants ${sources} ${around} ${broken})
numavp_own_target(test_axi_mutants)
target_compile_definitions(test_axi_mutants PRIVATE NUMAVP_MUTANTS)
target_link_libraries(test_axi_mutants PRIVATE numavp_test_support)
gtest_discover_tests(test_axi_mutants TEST_PREFIX axi. DISCOVERY_TIMEOUT 60
                     PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS axi)
