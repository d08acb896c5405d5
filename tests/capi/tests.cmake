# The C entry points: from C++ in test_capi (beside this file), from C on the shared library.
target_link_libraries(test_capi PRIVATE numavp_capi)

add_executable(capi_stepper capi/stepper.c)
set_target_properties(capi_stepper PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
                      LINKER_LANGUAGE CXX) # for the sanitizers in the library
target_compile_options(capi_stepper PRIVATE ${NUMAVP_WARNINGS} -Wpedantic)
target_link_libraries(capi_stepper PRIVATE numavp_c)

# capi_same_results(<name> <system> <settings> <steps>)
function(capi_same_results name system settings steps)
    add_test(NAME capi.same_results_${name}
             COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:numavp_sim>" "-DSTEPPER=$<TARGET_FILE:capi_stepper>"
                     -DSYSTEM=${system} "-DSETTINGS=${settings}" "-DSTEPS=${steps}"
                     "-DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/capi_results_${name}"
                     -P "${CMAKE_CURRENT_SOURCE_DIR}/capi/same_results.cmake")
    set_tests_properties(capi.same_results_${name} PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS capi)
endfunction()
# A cycle, no divisor of one, a window and a bit, and all at once.
set(steps 1000,7777,8192001,100000000000)
capi_same_results(plain numa-aware-4 sockets=2 ${steps})
capi_same_results(driver numa-aware-4 sockets=2,translation.mode=full,driver.execution=native 7777,100000000000)
if(NOT NUMAVP_FIRMWARE_MISSING)
    capi_same_results(firmware numa-aware-4 sockets=2,translation.mode=full,driver.execution=riscv 7777,100000000000)
endif()

# Nothing but the entry points can be seen of what is in the library.
find_program(NM_PROGRAM nm)
mark_as_advanced(NM_PROGRAM)
if(NM_PROGRAM)
    add_test(NAME capi.shows_nothing_else
             COMMAND "${CMAKE_COMMAND}" "-DNM=${NM_PROGRAM}" "-DLIBRARY=$<TARGET_FILE:numavp_c>"
                     -P "${CMAKE_CURRENT_SOURCE_DIR}/capi/exports.cmake")
    set_tests_properties(capi.shows_nothing_else PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS capi)
endif()
