# The tests of the command line run the program itself.
if(TARGET test_cli AND TARGET numavp_sim)
    add_dependencies(test_cli numavp_sim)
    target_compile_definitions(test_cli PRIVATE NUMAVP_PROGRAM="$<TARGET_FILE:numavp_sim>"
                               NUMAVP_FIRMWARE="${NUMAVP_FIRMWARE_DIR}/driver.elf")
endif()
