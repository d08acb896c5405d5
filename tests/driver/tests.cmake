# Register maps that contradict themselves are refused, each with its sentence.
if(NOT NUMAVP_SANITIZE) # a script: one half of the gate shows it
    add_test(NAME driver.bad_register_maps
             COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/driver/bad_register_maps.py"
                     "${PROJECT_SOURCE_DIR}/sw/driver/make_registers.py" "${PROJECT_SOURCE_DIR}/sw/driver/registers.json")
    set_tests_properties(driver.bad_register_maps PROPERTIES TIMEOUT 60 LABELS driver)
endif()
# The firmware is there for a debugger and for anyone: no address of its own for loading, no path of this machine.
if(NOT NUMAVP_FIRMWARE_MISSING)
    add_test(NAME driver.firmware_image
             COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/driver/check_firmware.py"
                     "${NUMAVP_FIRMWARE_DIR}/driver.elf" "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}")
    set_tests_properties(driver.firmware_image PROPERTIES TIMEOUT 60 LABELS driver)
endif()
