# numavp_unity_groups(<target> <source>...): what a build with CMAKE_UNITY_BUILD compiles together. A group is of one folder
# and at most 8 sources, so that an edit is built soon and a source that comes or goes regroups its folder alone; or, with
# NUMAVP_UNITY_GROUP, of so many sources of any folders, which pays for headers less often, in the compiler and in the
# linter. By itself stays what a program without SystemC must be able to leave out (the clockwork, the watch of delta cycles;
# the RISC-V core's folder), and what includes Verilator's headers.
set(NUMAVP_UNITY_GROUP "" CACHE STRING "sources of any folders that a build with CMAKE_UNITY_BUILD compiles together")

function(numavp_unity_groups target)
    set(size 8)
    if(NUMAVP_UNITY_GROUP)
        set(size ${NUMAVP_UNITY_GROUP})
    endif()
    foreach(source IN LISTS ARGN)
        if(source MATCHES "/models/base/(clockwork|delta_watch)\\.cpp$|/rtl/")
            continue()
        endif()
        get_filename_component(folder "${source}" DIRECTORY)
        file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}" "${folder}")
        string(REGEX REPLACE "[^a-z0-9]+" "_" folder "${folder}")
        if(NUMAVP_UNITY_GROUP AND NOT folder STREQUAL "models_cpu")
            set(folder any)
        endif()
        list(APPEND of_${folder} "${source}")
        list(LENGTH of_${folder} count)
        math(EXPR number "(${count} - 1) / ${size}")
        set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${folder}_${number})
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()

# numavp_layer(<name> SOURCES <folder patterns> DEPENDS <targets>)
#
# One static library numavp_<name> (numavp::<name>) of the .cpp files directly in the folders that match; a layer
# whose folders hold headers only, or nothing yet, is an interface library under the same name.
set(NUMAVP_LAYERS "" CACHE INTERNAL "layers in order of definition")

function(numavp_layer name)
    cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
    set(target numavp_${name})
    list(TRANSFORM ARG_SOURCES PREPEND "${PROJECT_SOURCE_DIR}/")
    list(TRANSFORM ARG_SOURCES APPEND "/*.cpp")
    file(GLOB sources CONFIGURE_DEPENDS ${ARG_SOURCES})
    list(FILTER sources EXCLUDE REGEX "/platform/(main|main_mpi|study/study_mpi)\\.cpp$") # of the programs
    if(NOT name STREQUAL "base")
        list(FILTER sources EXCLUDE REGEX "/models/base/")
    endif()

    if(sources)
        add_library(${target} STATIC ${sources})
        numavp_own_target(${target})
        numavp_unity_groups(${target} ${sources})
        set(scope PUBLIC)
    else()
        add_library(${target} INTERFACE)
        set(scope INTERFACE)
    endif()
    add_library(numavp::${name} ALIAS ${target})
    # Hidden: within a shared library calls stay as direct as in a program.
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} CXX_VISIBILITY_PRESET hidden
                          VISIBILITY_INLINES_HIDDEN ON)
    target_compile_features(${target} ${scope} cxx_std_17)
    # <numavp/system.h> and the like, and the repository paths that they include.
    target_include_directories(${target} ${scope} "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
                               "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>"
                               "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>"
                               "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/numavp/src>")
    target_link_libraries(${target} ${scope} ${ARG_DEPENDS})

    set(NUMAVP_LAYERS ${NUMAVP_LAYERS} ${target} CACHE INTERNAL "layers in order of definition")
endfunction()

# numavp_define_places(<target>): its sources may use NUMAVP_VERSION, NUMAVP_CONFIG_DIR (the configs/ of this checkout),
# and NUMAVP_INSTALLED_CONFIG_DIR, NUMAVP_INSTALLED_REPORT_DIR and NUMAVP_INSTALLED_FIRMWARE (where `cmake --install`
# puts configurations, the templates of reports and the driver's image, relative to the folder of the program).
function(numavp_define_places target)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "INTERFACE_LIBRARY")
        return()
    endif()
    target_compile_definitions(${target} PRIVATE NUMAVP_VERSION="${PROJECT_VERSION}"
                               NUMAVP_CONFIG_DIR="${PROJECT_SOURCE_DIR}/configs"
                               NUMAVP_INSTALLED_CONFIG_DIR="../${CMAKE_INSTALL_DATADIR}/numavp/configs"
                               NUMAVP_INSTALLED_REPORT_DIR="../${CMAKE_INSTALL_DATADIR}/numavp/report"
                               NUMAVP_INSTALLED_FIRMWARE="../${CMAKE_INSTALL_DATADIR}/numavp/firmware/driver.elf")
endfunction()
