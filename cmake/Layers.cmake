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

    if(sources)
        add_library(${target} STATIC ${sources})
        numavp_own_target(${target})
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

# numavp_define_places(<target>): its sources may use NUMAVP_VERSION, NUMAVP_INSTALLED_CONFIG_DIR, NUMAVP_INSTALLED_REPORT_DIR and NUMAVP_INSTALLED_FIRMWARE (where `cmake --install`
# puts configurations, the templates of reports and the driver's image, relative to the folder of the program).
function(numavp_define_places target)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "INTERFACE_LIBRARY")
        return()
    endif()
    target_compile_definitions(${target} PRIVATE NUMAVP_VERSION="${PROJECT_VERSION}"
                               NUMAVP_INSTALLED_CONFIG_DIR="../${CMAKE_INSTALL_DATADIR}/numavp/configs"
                               NUMAVP_INSTALLED_REPORT_DIR="../${CMAKE_INSTALL_DATADIR}/numavp/report"
                               NUMAVP_INSTALLED_FIRMWARE="../${CMAKE_INSTALL_DATADIR}/numavp/firmware/driver.elf")
endfunction()
