# What holds for every build unless the user says otherwise.
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON) # every layer can become part of a shared library

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, RelWithDebInfo or Debug" FORCE)
endif()

find_program(CCACHE_PROGRAM ccache)
mark_as_advanced(CCACHE_PROGRAM)
if(CCACHE_PROGRAM AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()
if(CCACHE_PROGRAM AND NOT DEFINED CMAKE_C_COMPILER_LAUNCHER)
    set(CMAKE_C_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()

# LLVM's linker takes a fifth of the time, which counts with programs of 150 MB under sanitizers.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    find_program(NUMAVP_LLD ld.lld)
    mark_as_advanced(NUMAVP_LLD)
    if(NUMAVP_LLD)
        add_link_options(-fuse-ld=lld LINKER:--allow-shlib-undefined) # as other linkers do by default
    endif()
endif()

# Warnings of our own targets; -Werror is for the gate, not for a user with a newer compiler.
option(NUMAVP_WERROR "Treat warnings as errors" OFF)
set(NUMAVP_WARNINGS -Wall -Wextra -Wconversion -Wshadow)
if(NUMAVP_WERROR)
    list(APPEND NUMAVP_WARNINGS -Werror)
endif()

# numavp_own_target(<target>): the warnings and include root of code that is ours.
function(numavp_own_target target)
    target_compile_options(${target} PRIVATE ${NUMAVP_WARNINGS})
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")
endfunction()

# Compiler options of what takes little of a simulation's time: a build for checks alone gains more than its tests lose.
set(NUMAVP_COLD_OPTIONS "" CACHE STRING "more compiler options of platform/ and capi/")
