target_sources(test_memory PRIVATE platform/machine/random_program.cpp)
