# Each tests/fuzz/<name>_fuzz.cpp is a libFuzzer target with seeds in tests/fuzz/corpus/<name>/. ctest runs a fixed
# number of mutations of the seeds with our own driver; under the preset "fuzz" the programs are libFuzzer's.
set(fuzz_inputs 500)
if(NUMAVP_SANITIZE) # which see most
    set(fuzz_inputs 2000)
endif()
set(NUMAVP_FUZZ_INPUTS ${fuzz_inputs} CACHE STRING "Mutated inputs that ctest gives to each fuzz target")

file(GLOB fuzz_sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/fuzz/*_fuzz.cpp")
foreach(source IN LISTS fuzz_sources)
    get_filename_component(target "${source}" NAME_WE)
    string(REGEX REPLACE "_fuzz$" "" name "${target}")
    set(corpus "${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/${name}")
    if(NUMAVP_LIBFUZZER)
        add_executable(${target} "${source}" fuzz/driver/libfuzzer.cpp)
        target_link_options(${target} PRIVATE -fsanitize=fuzzer)
    else()
        add_executable(${target} "${source}" fuzz/driver/standalone.cpp)
        if(NUMAVP_SANITIZE OR NOT CMAKE_BUILD_TYPE STREQUAL "Release") # the gate's other half does not build them
            set(inputs ${NUMAVP_FUZZ_INPUTS})
            if(name MATCHES "^(study|system|workload)$") # a millisecond each in the optimised build: whole machines and kernels
                math(EXPR inputs "${inputs} / 20")
            endif()
            add_test(NAME fuzz.${name} COMMAND ${target} "${corpus}" ${inputs})
            set_tests_properties(fuzz.${name} PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS fuzz)
        endif()
    endif()
    numavp_own_target(${target})
    target_link_libraries(${target} PRIVATE numavp_platform)
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
endforeach()
set_source_files_properties(fuzz/measured_fuzz.cpp PROPERTIES COMPILE_DEFINITIONS
                            NUMAVP_SOURCE_DIR="${PROJECT_SOURCE_DIR}") # which reads a shipped machine
