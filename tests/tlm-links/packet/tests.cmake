target_sources(test_network PRIVATE platform/machine/random_program.cpp)
