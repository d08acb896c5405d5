# Headers of others that nearly every source of the upper layers includes, compiled once for each set of options: up to a
# third of the time that a source takes, under both compilers. For builds of everything at once, such as the gate's.
option(NUMAVP_PRECOMPILE "Precompile the headers of SystemC, JSON and GoogleTest" OFF)
set(NUMAVP_PRECOMPILED_HEADERS <algorithm> <filesystem> <fstream> <functional> <map> <memory> <optional>
    <set> <sstream> <string> <unordered_map> <variant> <vector> <fmt/format.h> <nlohmann/json.hpp>)

if(NUMAVP_PRECOMPILE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    add_compile_options("SHELL:$<$<COMPILE_LANGUAGE:CXX>:-Xclang -fno-pch-timestamp>")
endif()

# numavp_precompiled(<name> [PLAIN] OPTIONS <options> LINKS <targets> HEADERS <more headers>): an object library that compiles
# the headers once, with the options of the targets that are to use it; with PLAIN without those of SystemC.
function(numavp_precompiled name)
    cmake_parse_arguments(ARG "PLAIN" "" "OPTIONS;LINKS;HEADERS" ${ARGN})
    if(NOT NUMAVP_PRECOMPILE)
        return()
    endif()
    set(source "${CMAKE_CURRENT_BINARY_DIR}/generated/${name}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "")
    add_library(${name} OBJECT "${source}")
    set_target_properties(${name} PROPERTIES CXX_CLANG_TIDY "")
    target_link_libraries(${name} PRIVATE ${ARG_LINKS})
    target_compile_options(${name} PRIVATE ${ARG_OPTIONS})
    set(systemc <systemc> <tlm>)
    if(ARG_PLAIN)
        set(systemc "")
    endif()
    target_precompile_headers(${name} PRIVATE ${systemc} ${NUMAVP_PRECOMPILED_HEADERS} ${ARG_HEADERS})
endfunction()

# numavp_use_precompiled(<target> <name>): the target's C++ sources see the headers of <name> first. Not those that a
# program without SystemC must be able to take, nor those that include Verilator's headers.
function(numavp_use_precompiled target name)
    if(NOT NUMAVP_PRECOMPILE)
        return()
    endif()
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "/models/riscv/|/rtl/|/foreign_initiator\\.cpp$")
    if(sources)
        set_source_files_properties(${sources} TARGET_DIRECTORY ${target} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    endif()
    target_precompile_headers(${target} REUSE_FROM ${name})
endfunction()
