target_sources(test_nuba PRIVATE platform/random_program.cpp)
# Slices and their directory broken on purpose: the product's sources again with their faults.
file(GLOB slice CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/models/cache/l2_slice*.cpp")
add_executable(test_nuba_mutants nuba/mutants/coherence_mutants_test.cpp platform/random_program.cpp ${slice}
               "${PROJECT_SOURCE_DIR}/models/cache/copy_directory.cpp")
numavp_own_target(test_nuba_mutants)
target_compile_definitions(test_nuba_mutants PRIVATE NUMAVP_MUTANTS)
target_link_libraries(test_nuba_mutants PRIVATE numavp_test_support)
gtest_discover_tests(test_nuba_mutants TEST_PREFIX nuba. DISCOVERY_TIMEOUT 60
                     PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS nuba)
