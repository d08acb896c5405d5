# FST is read with the reader that comes with Verilator, where there is one; its code is in the rtl layer's library.
foreach(test test_waves test_cli)
    if(TARGET ${test} AND NUMAVP_HAS_FST)
        target_compile_definitions(${test} PRIVATE NUMAVP_HAS_FST)
        target_include_directories(${test} SYSTEM PRIVATE "${VERILATOR_ROOT}/include")
    endif()
endforeach()

# A Verilated model that is not of the library, watched as its owner would; and the library's memory again, with TRACE.
if(NUMAVP_HAS_RTL)
    numavp_verilated_target(numavp_verilated_watched)
    numavp_verilate(numavp_verilated_watched watched_counter TRACE
                    SOURCES tests/base/waves/model/watched_counter.sv)
    numavp_verilate(numavp_verilated_watched axi4_ram TRACE SOURCES rtl/axi4_ram.sv)
    add_executable(test_waves_model base/waves/model/model_test.cpp
                   "${PROJECT_SOURCE_DIR}/rtl/verilated/axi4_ram_block.cpp")
    numavp_own_target(test_waves_model)
    numavp_use_verilated(test_waves_model numavp_verilated_watched)
    target_link_libraries(test_waves_model PRIVATE numavp_test_support)
    gtest_discover_tests(test_waves_model TEST_PREFIX waves. DISCOVERY_TIMEOUT 60
                         PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS waves)
endif()
