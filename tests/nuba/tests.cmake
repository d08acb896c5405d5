target_sources(test_nuba PRIVATE platform/random_program.cpp)
