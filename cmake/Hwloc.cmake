# numavp_use_hwloc(<target>): `numavp import --here` asks hwloc, version 2 or later, if it is there.
include(CheckSymbolExists)

find_path(HWLOC_INCLUDE_DIR hwloc.h)
find_library(HWLOC_LIBRARY hwloc)
mark_as_advanced(HWLOC_INCLUDE_DIR HWLOC_LIBRARY)
if(HWLOC_INCLUDE_DIR AND HWLOC_LIBRARY)
    set(CMAKE_REQUIRED_INCLUDES "${HWLOC_INCLUDE_DIR}")
    set(CMAKE_REQUIRED_LIBRARIES "${HWLOC_LIBRARY}")
    check_symbol_exists(hwloc_topology_set_io_types_filter hwloc.h NUMAVP_HWLOC_IS_2)
    unset(CMAKE_REQUIRED_INCLUDES)
    unset(CMAKE_REQUIRED_LIBRARIES)
endif()
if(NOT NUMAVP_HWLOC_IS_2)
    numavp_missing("numavp import --here is left out: it needs hwloc 2 or later (Debian: libhwloc-dev)")
endif()

function(numavp_use_hwloc target)
    if(NUMAVP_HWLOC_IS_2)
        # The only source that knows it, so that nothing else is compiled anew where it comes or goes.
        set_source_files_properties("${PROJECT_SOURCE_DIR}/communication/import/this_machine.cpp" PROPERTIES
                                    COMPILE_DEFINITIONS NUMAVP_HAS_HWLOC SKIP_UNITY_BUILD_INCLUSION ON)
        target_include_directories(${target} SYSTEM PRIVATE "${HWLOC_INCLUDE_DIR}")
        target_link_libraries(${target} PRIVATE "${HWLOC_LIBRARY}")
    endif()
endfunction()
