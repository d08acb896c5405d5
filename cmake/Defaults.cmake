# What holds for every build unless the user says otherwise.
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON) # every layer can become part of a shared library

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, RelWithDebInfo or Debug" FORCE)
endif()

# The compiler cache keys a compilation by paths relative to the checkout, so that a second checkout finds the objects of
# the first, and by the content of precompiled headers; not by the locale: messages are English everywhere, as
# ./numavp reads them.
find_program(CCACHE_PROGRAM ccache)
mark_as_advanced(CCACHE_PROGRAM)
set(NUMAVP_PLAIN_LAUNCHER "${CCACHE_PROGRAM}") # of other projects, which lie elsewhere
if(CCACHE_PROGRAM)
    set(launcher "${PROJECT_SOURCE_DIR}/cmake/script/cached.sh" "${PROJECT_SOURCE_DIR}" "${CCACHE_PROGRAM}")
    foreach(language C CXX)
        if(NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
            set(CMAKE_${language}_COMPILER_LAUNCHER "${launcher}")
        endif()
    endforeach()
endif()
# Paths in objects (debug information, __FILE__) as from the root of the checkout, too.
add_compile_options("-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=")

# LLVM's linker, where it is there, takes a fifth of the time, which counts with some fifty test programs.
find_program(NUMAVP_LLD ld.lld)
mark_as_advanced(NUMAVP_LLD)
if(NUMAVP_LLD)
    add_link_options(-fuse-ld=lld LINKER:--allow-shlib-undefined) # as other linkers do by default
endif()

# Warnings of our own targets; -Werror is for the gate, not for a user with a newer compiler.
option(NUMAVP_WERROR "Treat warnings as errors" OFF)
set(NUMAVP_WARNINGS -Wall -Wextra -Wconversion -Wshadow)
if(NUMAVP_WERROR)
    list(APPEND NUMAVP_WARNINGS -Werror)
endif()

# numavp_own_target(<target>): the warnings, include root and groups of code that is ours.
function(numavp_own_target target)
    numavp_group_sources(${target})
    target_compile_options(${target} PRIVATE ${NUMAVP_WARNINGS})
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")
endfunction()

# Compiler options of what takes little of a simulation's time: a build for checks alone gains more than its tests lose.
set(NUMAVP_COLD_OPTIONS "" CACHE STRING "more compiler options of common/, communication/, platform/ and capi/")
