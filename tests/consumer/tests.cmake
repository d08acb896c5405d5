# A project of another team: installs this build into a fresh prefix, finds it with find_package, builds and runs.
# The gate does so in its optimised half; what a project of another team builds reaches no other code of ours.
if(NUMAVP_SANITIZE AND NOT NUMAVP_SUITES STREQUAL "all")
    return()
endif()
set(prefix "${CMAKE_CURRENT_BINARY_DIR}/consumer-prefix")
set(flags "${CMAKE_CXX_FLAGS}")
if(NUMAVP_SANITIZE)
    string(APPEND flags " -fsanitize=${NUMAVP_SANITIZE} -fno-sanitize-recover=all") # the installed libraries ask for it
endif()
if(NUMAVP_COVERAGE)
    string(APPEND flags " --coverage")
endif()
if(NUMAVP_LIBFUZZER)
    string(APPEND flags " -fsanitize=fuzzer-no-link")
endif()
file(REMOVE_RECURSE "${prefix}")

# consumer_test(<name> <timeout> [SETUP <fixture>] [NEEDS <fixture>] COMMAND ...)
function(consumer_test name timeout)
    cmake_parse_arguments(ARG "" "SETUP;NEEDS" "COMMAND" ${ARGN})
    add_test(NAME consumer.${name} COMMAND ${ARG_COMMAND} WORKING_DIRECTORY "/")
    set_tests_properties(consumer.${name} PROPERTIES TIMEOUT ${timeout} LABELS consumer
                         FIXTURES_SETUP "${ARG_SETUP}" FIXTURES_REQUIRED "${ARG_NEEDS}")
    if(NUMAVP_SANITIZE) # the search for leaks reads the stack of a thread that has ended (tests/support/main.cpp)
        set_tests_properties(consumer.${name} PROPERTIES ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0")
    endif()
endfunction()
set(expect "${CMAKE_CURRENT_SOURCE_DIR}/consumer/expect.cmake")

consumer_test(install 120 SETUP installed_numavp
              COMMAND "${CMAKE_COMMAND}" --install "${PROJECT_BINARY_DIR}" --prefix "${prefix}")
# consumer_project(<name> <source folder> SETUP <fixture> [TARGET <target>]): a test that configures and builds the project,
# or a target of it alone, in a fresh folder, ${consumer_builds}/<name>.
set(consumer_builds "${CMAKE_CURRENT_BINARY_DIR}/consumer-builds")
file(REMOVE_RECURSE "${consumer_builds}")
function(consumer_project name source)
    cmake_parse_arguments(ARG "" "SETUP;TARGET" "" ${ARGN})
    set(target "")
    if(ARG_TARGET)
        set(target --build-target "${ARG_TARGET}")
    endif()
    consumer_test(${name} 600 SETUP ${ARG_SETUP} NEEDS installed_numavp
                  COMMAND "${CMAKE_CTEST_COMMAND}" --build-and-test "${source}" "${consumer_builds}/${name}"
                          --build-generator "${CMAKE_GENERATOR}" ${target}
                          --build-options "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}"
                          "-DCMAKE_CXX_COMPILER_LAUNCHER=${NUMAVP_PLAIN_LAUNCHER}" "-DCMAKE_BUILD_TYPE=Release"
                          "-DCMAKE_CXX_FLAGS=${flags}" "-DCMAKE_CXX_FLAGS_RELEASE=-O0")
endfunction()
if(NOT NUMAVP_SANITIZE) # its program is built and run in one half of the gate; in the other the examples are such projects
    consumer_project(build "${CMAKE_CURRENT_SOURCE_DIR}/consumer" SETUP built_consumer)
    set(build "${consumer_builds}/build")
    consumer_test(run 60 NEEDS built_consumer COMMAND "${build}/consumer")
    # The same must fail, in its own words, when a memory changes a byte.
    consumer_test(notices_a_wrong_byte 60 NEEDS built_consumer
                  COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=${build}/consumer" -DARGUMENTS=spoil -DSTATUS=1
                          "-DOUTPUT=[1-9][0-9]* bytes came back wrong" -P "${expect}")
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang") # which parses in half of g++'s time; all headers take two minutes: not in the gate
    consumer_project(headers_compile_alone "${CMAKE_CURRENT_SOURCE_DIR}/consumer" TARGET headers)
endif()
# The installed program finds the configurations installed beside it, wherever it is called.
consumer_test(program_finds_its_configs 60 NEEDS installed_numavp
              COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=${prefix}/bin/numavp" "-DARGUMENTS=explain numa-aware-4"
                      "-DOUTPUT=numa-aware-4" -P "${expect}")

# The Python package, from Python of any folder, and its examples; the sanitizers' half of the gate can't load the library.
find_program(NUMAVP_DEBIAN_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH) # for which Debian has NumPy and pandas
find_program(NUMAVP_DEBIAN_PYTHON python3)
mark_as_advanced(NUMAVP_DEBIAN_PYTHON)
if(NUMAVP_DEBIAN_PYTHON AND NOT NUMAVP_SANITIZE)
    consumer_test(python 300 NEEDS installed_numavp
                  COMMAND "${NUMAVP_DEBIAN_PYTHON}" -B "${PROJECT_SOURCE_DIR}/tests/python/numavp_test.py"
                          "${prefix}/${NUMAVP_PYTHON_DIR}" "${prefix}/${CMAKE_INSTALL_DOCDIR}/examples/python")
    set_tests_properties(consumer.python PROPERTIES SKIP_RETURN_CODE 77)
    consumer_test(python_tables 60 NEEDS installed_numavp
                  COMMAND "${NUMAVP_DEBIAN_PYTHON}" -B "${PROJECT_SOURCE_DIR}/tests/python/table_test.py"
                          "${prefix}/${NUMAVP_PYTHON_DIR}")
    consumer_test(python_pip 120 NEEDS installed_numavp
                  COMMAND "${NUMAVP_DEBIAN_PYTHON}" -B "${PROJECT_SOURCE_DIR}/tests/python/pip_test.py"
                          "${PROJECT_SOURCE_DIR}" "${prefix}/bin/numavp")
    set_tests_properties(consumer.python_pip PROPERTIES SKIP_RETURN_CODE 77)
endif()
# A C program without CMake; the documents and completions are there.
if(NOT NUMAVP_SANITIZE)
    consumer_test(installed_files 60 NEEDS installed_numavp
                  COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/consumer/installed_files.sh" "${prefix}" "${CMAKE_C_COMPILER}"
                          "${prefix}/${CMAKE_INSTALL_LIBDIR}" "${prefix}/${CMAKE_INSTALL_DOCDIR}")
endif()
