# Makes fixed runs and compares the SHA-256 of each results.json and timeline.json with those in expected.sha256.
# Nothing is left out: what depends on the machine, the compiler or the version is in run.json.
#
# After a change that is meant to change results, renew the hashes and commit them with it:
#   cmake -DPROGRAM=build/release/bin/numavp -DFOLDER=build/same_bytes -DRENEW=ON -P tests/validation/same_bytes/compare.cmake
get_filename_component(PROGRAM "${PROGRAM}" ABSOLUTE)
get_filename_component(FOLDER "${FOLDER}" ABSOLUTE)
set(here "${CMAKE_CURRENT_LIST_DIR}")
file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}")
set(found "")

function(fixed_run name folder workload)
    execute_process(COMMAND "${PROGRAM}" run "${here}/system.json" "${workload}" --quiet
                            --out "${FOLDER}/${name}" ${ARGN}
                    WORKING_DIRECTORY "${folder}" RESULT_VARIABLE status ERROR_VARIABLE said)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "the run ${name} ended with ${status}: ${said}")
    endif()
    foreach(file results.json timeline.json)
        file(SHA256 "${FOLDER}/${name}/${file}" hash)
        string(APPEND found "${hash}  ${name}/${file}\n")
    endforeach()
    set(found "${found}" PARENT_SCOPE)
endfunction()

fixed_run(patterns "${here}" workload.json --seed 7)
# A trace's name is in the results as it was given: it is run from its own folder.
fixed_run(traces "${here}/../../data/traces" kernelslist.g --set socket.l2.organisation=static)
fixed_run(walks "${here}" workload.json --seed 7 --set translation.mode=full)

if(RENEW)
    file(WRITE "${here}/expected.sha256" "${found}")
    return()
endif()
file(READ "${here}/expected.sha256" expected)
if(NOT found STREQUAL expected)
    message(FATAL_ERROR "other bytes came out than the committed hashes say, in ${FOLDER}\n"
                        "found:\n${found}expected:\n${expected}"
                        "If results were meant to change, ${CMAKE_CURRENT_LIST_FILE} says how to renew them.")
endif()
