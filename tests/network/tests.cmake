target_sources(test_network PRIVATE platform/random_program.cpp)
