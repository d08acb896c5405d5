if(TARGET test_faults)
    target_sources(test_faults PRIVATE platform/machine/random_program.cpp)
endif()
