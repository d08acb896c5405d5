# One setting swept through the point at which it becomes the limit: some cases of bench/verdict. They compare values of models
# that the other half of the gate has too.
if(TARGET numavp_sim AND NOT NUMAVP_SANITIZE)
    add_test(NAME verdict.sweep COMMAND "${Python3_EXECUTABLE}" -B "${PROJECT_SOURCE_DIR}/bench/verdict/sweep.py"
                                        "$<TARGET_FILE:numavp_sim>" --quick)
    set_tests_properties(verdict.sweep PROPERTIES TIMEOUT 600 LABELS verdict COST 60)
endif()
