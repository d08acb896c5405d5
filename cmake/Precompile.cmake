# Headers of others that nearly every source of the upper layers includes, compiled once for each set of options: up to a
# third of the time that a source takes, under both compilers. For builds of everything at once, such as the gate's.
option(NUMAVP_PRECOMPILE "Precompile the headers of SystemC, JSON and GoogleTest" OFF)
set(NUMAVP_PRECOMPILED_HEADERS <systemc> <tlm> <algorithm> <filesystem> <fstream> <functional> <map> <memory> <optional>
    <set> <sstream> <string> <unordered_map> <variant> <vector> <fmt/format.h> <nlohmann/json.hpp>)

# ccache must be told that it may key a compilation by the content of such a header.
set(NUMAVP_PLAIN_LAUNCHER "${CMAKE_CXX_COMPILER_LAUNCHER}") # of sources without such headers
if(NUMAVP_PRECOMPILE AND CCACHE_PROGRAM AND "${CMAKE_CXX_COMPILER_LAUNCHER}" STREQUAL "${CCACHE_PROGRAM}")
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros;${CCACHE_PROGRAM}")
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
        add_compile_options("SHELL:$<$<COMPILE_LANGUAGE:CXX>:-Xclang -fno-pch-timestamp>")
    endif()
endif()

# numavp_precompiled(<name> OPTIONS <options> LINKS <targets> HEADERS <more headers>): an object library that compiles the
# headers once, with the options of the targets that are to use it.
function(numavp_precompiled name)
    cmake_parse_arguments(ARG "" "" "OPTIONS;LINKS;HEADERS" ${ARGN})
    if(NOT NUMAVP_PRECOMPILE)
        return()
    endif()
    set(source "${CMAKE_CURRENT_BINARY_DIR}/generated/${name}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "")
    add_library(${name} OBJECT "${source}")
    set_target_properties(${name} PROPERTIES CXX_CLANG_TIDY "")
    target_link_libraries(${name} PRIVATE ${ARG_LINKS})
    target_compile_options(${name} PRIVATE ${ARG_OPTIONS})
    target_precompile_headers(${name} PRIVATE ${NUMAVP_PRECOMPILED_HEADERS} ${ARG_HEADERS})
endfunction()

# numavp_use_precompiled(<target> <name>): the target's C++ sources see the headers of <name> first. Not those that a
# program without SystemC must be able to take, nor those that include Verilator's headers.
function(numavp_use_precompiled target name)
    if(NOT NUMAVP_PRECOMPILE)
        return()
    endif()
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "/models/cpu/|/rtl/|/foreign_initiator\\.cpp$")
    set(groups "")
    foreach(source IN LISTS sources)
        set_source_files_properties("${source}" PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
        get_source_file_property(group "${source}" UNITY_GROUP)
        if(group)
            list(APPEND groups "${group}")
        endif()
    endforeach()
    list(REMOVE_DUPLICATES groups)
    foreach(group IN LISTS groups) # a unity build's own source has the property of its own, not of what it includes
        set(unity "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/Unity/unity_${group}_cxx.cxx")
        set_source_files_properties("${unity}" PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    endforeach()
    target_precompile_headers(${target} REUSE_FROM ${name})
endfunction()
