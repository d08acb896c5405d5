#The random programs of the platform's own tests, on RTL memory.
target_sources(test_rtl_memory PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/platform/machine/random_program.cpp")
