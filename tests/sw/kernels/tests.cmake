# Walks through all instructions of all shipped workloads, where one of them or what makes them has changed.
if(NOT NUMAVP_SANITIZE) # the values are the same: one half of the gate shows them
    add_test(NAME kernels.walks COMMAND "${Python3_EXECUTABLE}" -B "${CMAKE_CURRENT_SOURCE_DIR}/sw/kernels/walks.py"
                                        "$<TARGET_FILE:test_kernels>")
    set_tests_properties(kernels.walks PROPERTIES TIMEOUT 1800 LABELS kernels COST 100 PROCESSORS 2)
endif()
