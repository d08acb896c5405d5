# A project of another team: installs this build into a fresh prefix, finds it with find_package, builds and runs.
set(prefix "${CMAKE_CURRENT_BINARY_DIR}/consumer-prefix")
set(flags "")
if(NUMAVP_SANITIZE)
    set(flags "-fsanitize=${NUMAVP_SANITIZE}") # the installed libraries ask for it
endif()
file(REMOVE_RECURSE "${prefix}" "${CMAKE_CURRENT_BINARY_DIR}/consumer-build")
add_test(NAME consumer.install COMMAND "${CMAKE_COMMAND}" --install "${PROJECT_BINARY_DIR}" --prefix "${prefix}")
add_test(NAME consumer.build
         COMMAND "${CMAKE_CTEST_COMMAND}" --build-and-test "${CMAKE_CURRENT_SOURCE_DIR}/consumer"
                 "${CMAKE_CURRENT_BINARY_DIR}/consumer-build" --build-generator "${CMAKE_GENERATOR}"
                 --build-options "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}"
                 "-DCMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER}" "-DCMAKE_BUILD_TYPE=Release"
                 "-DCMAKE_CXX_FLAGS=${flags}"
                 --test-command consumer)
set_tests_properties(consumer.install PROPERTIES TIMEOUT 120 LABELS consumer FIXTURES_SETUP installed_numavp)
set_tests_properties(consumer.build PROPERTIES TIMEOUT 300 LABELS consumer FIXTURES_REQUIRED installed_numavp)
