# Routers and networks broken on purpose: the product's sources again with their faults.
file(GLOB sources CONFIGURE_DEPENDS network/mutants/*.cpp)
add_executable(test_network_mutants ${sources} "${PROJECT_SOURCE_DIR}/tlm-links/packet/router_core.cpp"
                                    "${PROJECT_SOURCE_DIR}/tlm-links/packet/network_core.cpp")
numavp_own_target(test_network_mutants)
target_compile_definitions(test_network_mutants PRIVATE NUMAVP_MUTANTS)
target_link_libraries(test_network_mutants PRIVATE numavp_test_support)
gtest_discover_tests(test_network_mutants TEST_PREFIX network. DISCOVERY_TIMEOUT 60
                     PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS network)
