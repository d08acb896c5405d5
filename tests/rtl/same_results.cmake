# Runs the 4-socket system on some workloads, once with its policies in C++ and once in RTL, and compares results.json
# and timeline.json byte for byte. Only the names of balancer and controller are taken out first.
#
#   cmake -DPROGRAM=<numavp> -DFOLDER=<scratch> -DWORKLOADS=<names> -P same_results.cmake
get_filename_component(PROGRAM "${PROGRAM}" ABSOLUTE)
get_filename_component(FOLDER "${FOLDER}" ABSOLUTE)
file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}")

# Table 1 with short samples, so that small problems see many decisions.
set(system numa-aware-4 --quiet --seed 7 --set link.sample_cycles=500 --set socket.partition.sample_cycles=500)
set(rtl --set link.balancer=dynamic_rtl --set socket.partition.controller=numa_aware_rtl)

function(simulate workload scale folder)
    list(POP_FRONT system name)
    execute_process(COMMAND "${PROGRAM}" run ${name} ${workload} ${system} --scale ${scale} --out "${folder}" ${ARGN}
                    RESULT_VARIABLE status ERROR_VARIABLE said)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "${workload} in ${folder} ended with ${status}: ${said}")
    endif()
endfunction()

# neutral(<file> <result> <policy names that must be in it>...): its text without the two names.
function(neutral file result)
    file(READ "${file}" text)
    foreach(name IN LISTS ARGN)
        if(NOT text MATCHES "\"(balancer|controller)\": \"${name}\"")
            message(FATAL_ERROR "${file} does not name ${name}")
        endif()
    endforeach()
    string(REGEX REPLACE "\"(balancer|controller)\": \"[a-z_]+\"" "" text "${text}")
    set(${result} "${text}" PARENT_SCOPE)
endfunction()

# decided(<text> <statistic>): fails if it is 0 everywhere, as a comparison would then show nothing.
function(decided text statistic)
    if(NOT text MATCHES "\"${statistic}\": [1-9]")
        message(FATAL_ERROR "no ${statistic} in ${FOLDER}: the runs must take decisions")
    endif()
endfunction()

function(compare workload scale)
    set(cpp "${FOLDER}/${workload}-cpp")
    set(block "${FOLDER}/${workload}-rtl")
    simulate(${workload} ${scale} "${cpp}")
    simulate(${workload} ${scale} "${block}" ${rtl})
    neutral("${cpp}/results.json" expected dynamic numa_aware)
    neutral("${block}/results.json" found dynamic_rtl numa_aware_rtl)
    file(READ "${cpp}/timeline.json" expected_timeline)
    file(READ "${block}/timeline.json" found_timeline)
    if(NOT found STREQUAL expected OR NOT found_timeline STREQUAL expected_timeline)
        message(FATAL_ERROR "${workload} with RTL policies differs from C++: compare ${cpp} and ${block}")
    endif()
    decided("${expected}" lane_turns)
    decided("${expected}" changes)
endfunction()

foreach(workload IN LISTS WORKLOADS)
    compare(${workload} 0.05)
endforeach()
