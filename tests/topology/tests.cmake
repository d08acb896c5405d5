# Topologies and their routing broken on purpose: the product's sources again with their mutants.
file(GLOB sources CONFIGURE_DEPENDS topology/mutants/*.cpp "${PROJECT_SOURCE_DIR}/tlm-links/topology/*.cpp")
set(helpers networks contracts contract_specs shape)
list(TRANSFORM helpers PREPEND topology/)
list(TRANSFORM helpers APPEND .cpp)
add_executable(test_topology_mutants ${sources} ${helpers})
numavp_own_target(test_topology_mutants)
target_compile_definitions(test_topology_mutants PRIVATE NUMAVP_MUTANTS)
target_link_libraries(test_topology_mutants PRIVATE numavp_test_support)
gtest_discover_tests(test_topology_mutants TEST_PREFIX topology. DISCOVERY_TIMEOUT 60
                     PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS topology)
