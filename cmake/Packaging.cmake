# cmake --install, and find_package(numavp) for those who build on it.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/numavp")

foreach(layer IN LISTS NUMAVP_LAYERS)
    install(TARGETS ${layer} EXPORT numavpTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
endforeach()
install(EXPORT numavpTargets NAMESPACE numavp:: DESTINATION "${package_dir}")

foreach(folder models rtl tlm-links sw platform)
    if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}")
        # study_mpi.h is of the program numavp-mpi alone, and needs MPI; rtl/verilated needs generated headers.
        install(DIRECTORY ${folder} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/numavp" FILES_MATCHING PATTERN "*.h"
                PATTERN "study_mpi.h" EXCLUDE PATTERN "verilated" EXCLUDE)
    endif()
endforeach()
if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/configs")
    install(DIRECTORY configs DESTINATION "${CMAKE_INSTALL_DATADIR}/numavp")
endif()

if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/platform/report/web")
    install(DIRECTORY platform/report/web/ DESTINATION "${CMAKE_INSTALL_DATADIR}/numavp/report")
    # ECharts is installed with the program if ./numavp install-deps got it.
    install(FILES build/web/node_modules/echarts/dist/echarts.min.js build/web/node_modules/echarts/LICENSE
            DESTINATION "${CMAKE_INSTALL_DATADIR}/numavp/report" OPTIONAL)
endif()

configure_package_config_file(cmake/numavpConfig.cmake.in "${PROJECT_BINARY_DIR}/numavpConfig.cmake"
                              INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/numavpConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/numavpConfig.cmake" "${PROJECT_BINARY_DIR}/numavpConfigVersion.cmake"
              cmake/FindSystemC.cmake DESTINATION "${package_dir}")
