# Register maps that contradict themselves are refused, each with its sentence.
if(NOT NUMAVP_SANITIZE) # a script: one half of the gate shows it
    add_test(NAME driver.bad_register_maps
             COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/sw/driver/bad_register_maps.py"
                     "${PROJECT_SOURCE_DIR}/sw/driver/make_registers.py" "${PROJECT_SOURCE_DIR}/sw/driver/registers.json")
    set_tests_properties(driver.bad_register_maps PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS driver)
endif()
# The firmware is there for a debugger and for anyone: no address of its own for loading, no path of this machine.
if(NOT NUMAVP_FIRMWARE_MISSING)
    add_test(NAME driver.firmware_image
             COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/sw/driver/check_firmware.py"
                     "${NUMAVP_FIRMWARE_DIR}/driver.elf" "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}")
    set_tests_properties(driver.firmware_image PROPERTIES TIMEOUT ${NUMAVP_TEST_TIMEOUT} LABELS driver)
endif()
# What decides about unified memory, for RV64, to be called function by function.
if(TARGET test_driver AND NOT NUMAVP_FIRMWARE_MISSING)
    set(functions_elf "${NUMAVP_FIRMWARE_DIR}/functions.elf")
    set(functions_source "${PROJECT_SOURCE_DIR}/sw/driver")
    set(functions_c "${functions_source}/prefetch_tree.c" "${functions_source}/thrashing.c"
        "${functions_source}/unified_memory.c")
    add_custom_command(OUTPUT "${functions_elf}"
        COMMAND "${CMAKE_COMMAND}" -E make_directory "${NUMAVP_FIRMWARE_DIR}"
        COMMAND "${NUMAVP_RISCV_GCC}" -march=rv64imac -misa-spec=2.2 -mabi=lp64 -mcmodel=medany -std=c11 -O2 -ffreestanding
                -nostdlib -Wall -Wextra -Wconversion -Wshadow "-I${PROJECT_SOURCE_DIR}" -Wl,-Ttext=0x80000000
                -Wl,-n -Wl,-e,prefetch_leaves -Wl,--build-id=none ${functions_c} -o "${functions_elf}"
        DEPENDS ${functions_c} "${functions_source}/prefetch_tree.h" "${functions_source}/thrashing.h"
                "${functions_source}/unified_memory.h" "${functions_source}/unified_place.h"
        COMMENT "Firmware functions.elf" VERBATIM)
    add_custom_target(functions_firmware DEPENDS "${functions_elf}")
    add_dependencies(test_driver functions_firmware)
    target_compile_definitions(test_driver PRIVATE NUMAVP_FUNCTIONS_ELF="${functions_elf}")
endif()
