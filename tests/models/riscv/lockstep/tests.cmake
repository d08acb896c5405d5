# Lock-step of the RV64 core with libunicorn: a program of its own, for its licence. Fewer instructions where a sanitizer
# slows them down; they differ in the seed by what is run, never by chance.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
    pkg_check_modules(UNICORN QUIET IMPORTED_TARGET unicorn)
endif()
if(NOT TARGET PkgConfig::UNICORN)
    numavp_missing("libunicorn not found (Debian: libunicorn-dev): the lock-step test of the RV64 core is not built")
    return()
endif()

set(lockstep_instructions 1048576)
if(NUMAVP_SANITIZE OR NOT CMAKE_BUILD_TYPE STREQUAL "Release")
    set(lockstep_instructions 131072)
endif()
add_executable(rv64_lockstep models/riscv/lockstep/lockstep.cpp models/riscv/lockstep/random_code.cpp)
numavp_own_target(rv64_lockstep)
target_link_libraries(rv64_lockstep PRIVATE numavp_models PkgConfig::UNICORN)
target_link_options(rv64_lockstep PRIVATE LINKER:--as-needed) # SystemC, which it does not use, wants a main program
add_test(NAME lockstep.rv64 COMMAND rv64_lockstep ${lockstep_instructions})
set_tests_properties(lockstep.rv64 PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS lockstep)
