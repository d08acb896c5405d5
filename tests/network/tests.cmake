target_sources(test_network PRIVATE platform/random_program.cpp)
set(NUMAVP_PACKET_SOURCES adaptive_entry.cpp channels_towards.cpp network_channels.cpp network_core.cpp network_fabric.cpp network_interface.cpp
                          network_routes.cpp network_waves.cpp packet_checker.cpp packet_network.cpp packet_port.cpp router_core.cpp terminal_choice.cpp
                          turning_channels.cpp)
# Routers and networks broken on purpose: the product's sources again with their faults.
file(GLOB sources CONFIGURE_DEPENDS network/mutants/*.cpp)
list(TRANSFORM NUMAVP_PACKET_SOURCES PREPEND "${PROJECT_SOURCE_DIR}/tlm-links/packet/")
add_executable(test_network_mutants ${sources} platform/random_program.cpp ${NUMAVP_PACKET_SOURCES})
numavp_own_target(test_network_mutants)
target_compile_definitions(test_network_mutants PRIVATE NUMAVP_MUTANTS)
target_link_libraries(test_network_mutants PRIVATE numavp_test_support)
gtest_discover_tests(test_network_mutants TEST_PREFIX network. DISCOVERY_TIMEOUT 60
                     PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS network)
