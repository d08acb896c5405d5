# The hash of the sources that results depend on: stored results are used again as long as it is the same. A change of
# the command line, the studies or the reports keeps it.
#
# As a script: cmake -DROOT=<repository> -DHEADER=<file> [-DMORE=<file>|<file>] [-DOWN=ON] -P ModelHash.cmake writes the
# header if it changes. OWN: the further files are a user's, whom the header names.
if(CMAKE_SCRIPT_MODE_FILE)
    include("${ROOT}/cmake/Folders.cmake")
    set(files "")
    foreach(part IN LISTS NUMAVP_RESULTS)
        if(IS_DIRECTORY "${ROOT}/${part}")
            file(GLOB_RECURSE found RELATIVE "${ROOT}" "${ROOT}/${part}/*.h" "${ROOT}/${part}/*.cpp" "${ROOT}/${part}/*.sv"
                 "${ROOT}/${part}/*.c" "${ROOT}/${part}/*.json" "${ROOT}/${part}/*.S" "${ROOT}/${part}/*.ld"
                 "${ROOT}/${part}/*.py")
        else()
            file(GLOB found RELATIVE "${ROOT}" "${ROOT}/${part}.h" "${ROOT}/${part}.cpp")
        endif()
        if(NOT found)
            message(FATAL_ERROR "cmake/Folders.cmake: results depend on ${part}, where there is no source")
        endif()
        list(APPEND files ${found})
    endforeach()
    list(REMOVE_DUPLICATES files)
    list(SORT files)
    set(text "")
    foreach(file IN LISTS files)
        file(SHA1 "${ROOT}/${file}" hash)
        string(APPEND text "${file} ${hash}\n")
    endforeach()
    string(REPLACE "|" ";" more "${MORE}") # RTL of the user's
    set(own "")
    foreach(file IN LISTS more)
        get_filename_component(path "${file}" ABSOLUTE BASE_DIR "${ROOT}")
        file(SHA1 "${path}" hash)
        string(APPEND text "${hash}\n")
        if(OWN)
            string(REGEX REPLACE "([\\\"])" "\\\\\\1" quoted "${path}")
            string(APPEND own "\"${hash} ${quoted}\\n\" ")
        endif()
    endforeach()
    string(SHA1 hash "${text}")
    string(SUBSTRING "${hash}" 0 12 hash)
    set(content "#pragma once\n#define NUMAVP_MODEL_HASH \"${hash}\"\n#define NUMAVP_OWN_LANE_BALANCER ${own}\"\"\n")
    set(before "")
    if(EXISTS "${HEADER}")
        file(READ "${HEADER}" before)
    endif()
    if(NOT before STREQUAL content)
        file(WRITE "${HEADER}" "${content}")
    endif()
    return()
endif()

# numavp_hash_models(<target>): its sources may include "numavp_model_hash.h".
function(numavp_hash_models target)
    set(folder "${PROJECT_BINARY_DIR}/generated")
    string(REPLACE ";" "|" more "${NUMAVP_LANE_BALANCER_SOURCES}")
    set(own OFF)
    if(NOT NUMAVP_LANE_BALANCER_SOURCES STREQUAL "${own_lane_balancer}")
        set(own ON)
    endif()
    # Always asked, since a file that came or went is a change too; it takes some milliseconds.
    add_custom_target(${target}_model_hash BYPRODUCTS "${folder}/numavp_model_hash.h"
        COMMAND "${CMAKE_COMMAND}" "-DROOT=${PROJECT_SOURCE_DIR}" "-DHEADER=${folder}/numavp_model_hash.h"
                "-DMORE=${more}" -DOWN=${own} -P
                "${PROJECT_SOURCE_DIR}/cmake/ModelHash.cmake"
        VERBATIM)
    add_dependencies(${target} ${target}_model_hash)
    target_include_directories(${target} PRIVATE "${folder}")
endfunction()
