# Includes keep to the order of folders, no folders make circles, and the cores that must be free of SystemC are.
add_test(NAME layers.includes COMMAND "${Python3_EXECUTABLE}" -B "${CMAKE_CURRENT_SOURCE_DIR}/layers/check_layers.py"
                                      "${PROJECT_SOURCE_DIR}")
set_tests_properties(layers.includes PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS layers)
add_test(NAME layers.refusals COMMAND "${Python3_EXECUTABLE}" -B "${CMAKE_CURRENT_SOURCE_DIR}/layers/refusals.py"
                                      "${PROJECT_SOURCE_DIR}")
set_tests_properties(layers.refusals PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS layers)

# What compiling in groups and precompiled headers hide: an include that is missing.
add_test(NAME layers.standard_includes COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/layers/check_includes.py"
                                               "${PROJECT_SOURCE_DIR}")
set_tests_properties(layers.standard_includes PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS layers)

add_test(NAME layers.names COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/layers/check_names.py"
                                   "${PROJECT_SOURCE_DIR}")
set_tests_properties(layers.names PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS layers)
