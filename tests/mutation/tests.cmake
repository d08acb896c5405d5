# The tool that makes mutants (./numavp mutate) is tested; the mutants themselves are run by hand and by night.
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
add_test(NAME mutation.rewriting
         COMMAND "${Python3_EXECUTABLE}" -B "${CMAKE_CURRENT_SOURCE_DIR}/mutation/mutants_test.py" "${CMAKE_CXX_COMPILER}"
         WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/mutation")
set_tests_properties(mutation.rewriting PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS mutation)
add_test(NAME mutation.rows_fit_the_sources
         COMMAND "${Python3_EXECUTABLE}" -B "${CMAKE_CURRENT_SOURCE_DIR}/mutation/rows.py" check)
set_tests_properties(mutation.rows_fit_the_sources PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS mutation)
