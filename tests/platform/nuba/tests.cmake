target_sources(test_nuba PRIVATE platform/machine/random_program.cpp)
