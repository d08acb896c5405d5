# cmake --install, and find_package(numavp) for those who build on it.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/numavp")

foreach(layer IN LISTS NUMAVP_LAYERS)
    install(TARGETS ${layer} EXPORT numavpTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
endforeach()
install(TARGETS numavp_c EXPORT numavpTargets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT numavpTargets NAMESPACE numavp:: DESTINATION "${package_dir}")

add_custom_target(numavp_package) # all that is installed
add_dependencies(numavp_package ${NUMAVP_LAYERS} numavp_c numavp_ranks numavp_firmware)
if(TARGET numavp_sim)
    add_dependencies(numavp_package numavp_sim)
endif()

# <numavp/*.h>, one header a purpose; in numavp/src what these include, by its path in the repository. That is a root of
# its own: were it numavp/, our verilated.h would be found for that of Verilator.
install(DIRECTORY include/numavp DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
foreach(folder IN LISTS NUMAVP_INSTALLED)
    if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}")
        # study_mpi.h is of the program numavp-mpi alone, and needs MPI.
        install(DIRECTORY ${folder} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/numavp/src" FILES_MATCHING PATTERN "*.h"
                PATTERN "study_mpi.h" EXCLUDE)
    endif()
endforeach()
install(FILES rtl/dpi/numavp_pkg.sv DESTINATION "${CMAKE_INSTALL_DATADIR}/numavp")
if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/configs")
    install(DIRECTORY configs DESTINATION "${CMAKE_INSTALL_DATADIR}/numavp")
endif()

if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/platform/report/web")
    install(DIRECTORY platform/report/web/ DESTINATION "${CMAKE_INSTALL_DATADIR}/numavp/report")
    # ECharts is installed with the program if ./numavp install-deps got it.
    install(FILES build/web/node_modules/echarts/dist/echarts.min.js build/web/node_modules/echarts/LICENSE
            DESTINATION "${CMAKE_INSTALL_DATADIR}/numavp/report" OPTIONAL)
endif()

set(NUMAVP_CONFIG_DIR "${CMAKE_INSTALL_DATADIR}/numavp/configs")
set(NUMAVP_DPI_PACKAGE "${CMAKE_INSTALL_DATADIR}/numavp/numavp_pkg.sv")
configure_package_config_file(cmake/numavpConfig.cmake.in "${PROJECT_BINARY_DIR}/numavpConfig.cmake"
                              INSTALL_DESTINATION "${package_dir}" PATH_VARS NUMAVP_DPI_PACKAGE NUMAVP_CONFIG_DIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/numavpConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/numavpConfig.cmake" "${PROJECT_BINARY_DIR}/numavpConfigVersion.cmake"
              cmake/FindSystemC.cmake DESTINATION "${package_dir}")

# For C programs that do not use CMake, relative to where it lies.
file(RELATIVE_PATH NUMAVP_PC_TO_PREFIX "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
configure_file(cmake/numavp.pc.in "${PROJECT_BINARY_DIR}/numavp.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/numavp.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

# What a user reads and starts from.
install(FILES README.md LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY docs/ DESTINATION "${CMAKE_INSTALL_DOCDIR}/docs" FILES_MATCHING PATTERN "*.md" PATTERN "*.csv")
# The pages beside the sources, to which documents link.
foreach(folder IN LISTS NUMAVP_PRODUCT)
    file(GLOB_RECURSE pages RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/README.md")
    foreach(page IN LISTS pages)
        get_filename_component(place "${page}" DIRECTORY)
        install(FILES "${page}" DESTINATION "${CMAKE_INSTALL_DOCDIR}/${place}")
    endforeach()
endforeach()
install(DIRECTORY examples DESTINATION "${CMAKE_INSTALL_DOCDIR}" PATTERN "__pycache__" EXCLUDE)

# Completion, as the program writes it.
if(TARGET numavp_sim)
    set(completion "${PROJECT_BINARY_DIR}/completion")
    file(MAKE_DIRECTORY "${completion}")
    add_custom_command(OUTPUT "${completion}/numavp" "${completion}/_numavp" "${completion}/numavp.fish" "${completion}/numavp.1"
                       DEPENDS numavp_sim
                       COMMAND numavp_sim completion bash >"${completion}/numavp"
                       COMMAND numavp_sim completion zsh >"${completion}/_numavp"
                       COMMAND numavp_sim completion fish >"${completion}/numavp.fish"
                       COMMAND numavp_sim help --man >"${completion}/numavp.1")
    add_custom_target(numavp_completion ALL DEPENDS "${completion}/numavp" "${completion}/_numavp" "${completion}/numavp.fish"
                                                    "${completion}/numavp.1")
    add_dependencies(numavp_package numavp_completion)
    install(FILES "${completion}/numavp" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
    install(FILES "${completion}/_numavp" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
    install(FILES "${completion}/numavp.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
    install(FILES "${completion}/numavp.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
endif()
