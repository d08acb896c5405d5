# cmake -DPROGRAM=<numavp> -DSTEPPER=<stepper> -DSYSTEM=<name> -DSETTINGS=<a=b,...> -DSTEPS=<ps,...> -DFOLDER=<scratch>
#       -P same_results.cmake
# results.json is the same, byte for byte, whether the program runs or a caller owns the time, whatever his steps.
string(REPLACE "," ";" settings "${SETTINGS}")
string(REPLACE "," ";" steps "${STEPS}")
set(workload spmv-powerlaw)
set(scale 0.01)
set(words "")
foreach(setting IN LISTS settings)
    list(APPEND words --set ${setting})
endforeach()
file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}")
execute_process(COMMAND "${PROGRAM}" run ${SYSTEM} ${workload} --scale ${scale} --quiet --out "${FOLDER}/run" ${words}
                RESULT_VARIABLE status ERROR_VARIABLE said)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "the program ended with ${status}: ${said}")
endif()
foreach(step IN LISTS steps)
    set(found "${FOLDER}/results-${step}.json")
    execute_process(COMMAND "${STEPPER}" ${SYSTEM} ${workload} "${settings};workload.scale=${scale}" ${step} "${found}"
                    RESULT_VARIABLE status ERROR_VARIABLE said)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "with steps of ${step} ps the stepper ended with ${status}: ${said}")
    endif()
    execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files "${FOLDER}/run/results.json" "${found}"
                    RESULT_VARIABLE differs)
    if(differs)
        message(FATAL_ERROR "steps of ${step} ps change the results: compare ${FOLDER}/run/results.json and ${found}")
    endif()
endforeach()
