target_sources(test_memory PRIVATE platform/random_program.cpp)
