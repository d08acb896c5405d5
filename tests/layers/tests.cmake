# Includes keep to the layers, folders of models have no circles, and the cores that must be free of SystemC are.
add_test(NAME layers.includes COMMAND "${CMAKE_COMMAND}" "-DROOT=${PROJECT_SOURCE_DIR}" -P
                                      "${CMAKE_CURRENT_SOURCE_DIR}/layers/check_layers.cmake")
set_tests_properties(layers.includes PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS layers)

# What compiling in groups and precompiled headers hide: an include that is missing.
add_test(NAME layers.standard_includes COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/layers/check_includes.py"
                                               "${PROJECT_SOURCE_DIR}")
set_tests_properties(layers.standard_includes PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS layers)

add_test(NAME layers.names COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/layers/check_names.py"
                                   "${PROJECT_SOURCE_DIR}")
set_tests_properties(layers.names PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS layers)
