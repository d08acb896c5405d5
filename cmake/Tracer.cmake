# Records of CUDA programs: a library that is preloaded into them and needs nothing else of numavp. Its plain core is tested by
# itself.
add_library(numavp_tracer_core STATIC tracer/kernel_parameters.cpp tracer/recorder.cpp)
set_target_properties(numavp_tracer_core PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_include_directories(numavp_tracer_core PUBLIC "${PROJECT_SOURCE_DIR}")
add_library(numavp_tracer SHARED tracer/cuda_calls.cpp)
target_link_libraries(numavp_tracer PRIVATE numavp_tracer_core ${CMAKE_DL_LIBS})
foreach(target numavp_tracer_core numavp_tracer)
    numavp_own_target(${target})
    target_compile_options(${target} PRIVATE -fvisibility=hidden)
endforeach()
install(TARGETS numavp_tracer LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/numavp")
