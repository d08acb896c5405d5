if(TARGET test_today)
    target_sources(test_today PRIVATE platform/machine/random_program.cpp)
endif()
