# The tracer's test preloads the library into a program that has the stand-in for CUDA's runtime.
if(TARGET numavp_tracer AND TARGET test_tracer)
    get_filename_component(folder "${CMAKE_CURRENT_LIST_FILE}" DIRECTORY)
    add_library(tracer_standin SHARED ${folder}/standin/standin_runtime.cpp)
    add_executable(tracer_program ${folder}/standin/traced_program.cpp)
    target_link_libraries(tracer_program PRIVATE tracer_standin)
    numavp_own_target(tracer_standin)
    numavp_own_target(tracer_program)
    target_link_libraries(test_tracer PRIVATE numavp_tracer_core)
    target_compile_definitions(test_tracer PRIVATE "NUMAVP_TRACER=\"$<TARGET_FILE:numavp_tracer>\""
                                                   "NUMAVP_TRACED_PROGRAM=\"$<TARGET_FILE:tracer_program>\"")
    add_dependencies(test_tracer numavp_tracer tracer_program)
endif()
