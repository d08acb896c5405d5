# The memory controller once more, with faults compiled in; those of the library stay as they are.
set(broken controller replay cube cube_crossbar request_table)
list(TRANSFORM broken REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/models/memory/\\1.cpp")
add_executable(test_memory_mutants memory/mutants/mutants_test.cpp memory/checked_replay.cpp ${broken})
numavp_own_target(test_memory_mutants)
target_compile_definitions(test_memory_mutants PRIVATE NUMAVP_MUTANTS)
target_link_libraries(test_memory_mutants PRIVATE numavp_test_support)
gtest_discover_tests(test_memory_mutants TEST_PREFIX memory. DISCOVERY_TIMEOUT 60
                     PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS memory)
target_sources(test_memory PRIVATE platform/random_program.cpp)
