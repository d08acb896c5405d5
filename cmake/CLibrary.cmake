# numavp::c, the C entry points as a shared library: it shows numavp_* alone, so that neither what is in it (SystemC
# models, Verilator's runtime) nor the C++ standard that it was built with meets those of the program that uses it.
set(exports "${PROJECT_SOURCE_DIR}/capi/shared/numavp_c.map")
add_library(numavp_c SHARED capi/shared/sc_main.cpp $<TARGET_OBJECTS:numavp_capi>)
add_library(numavp::c ALIAS numavp_c)
set_target_properties(numavp_c PROPERTIES EXPORT_NAME c VERSION "${PROJECT_VERSION}"
                      SOVERSION "${PROJECT_VERSION_MAJOR}" LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib"
                      LINK_DEPENDS "${exports}")
numavp_own_target(numavp_c)
target_include_directories(numavp_c PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
                           "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
target_link_libraries(numavp_c PRIVATE numavp_platform)
target_link_options(numavp_c PRIVATE "LINKER:--version-script=${exports}")
