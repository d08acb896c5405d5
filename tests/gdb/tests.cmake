# Firmware with symbols for the GDB session: an ELF file for GDB and the bytes of its memory for the machine.
find_program(NUMAVP_RISCV_GCC riscv64-unknown-elf-gcc)
find_program(NUMAVP_RISCV_OBJCOPY riscv64-unknown-elf-objcopy)
mark_as_advanced(NUMAVP_RISCV_GCC NUMAVP_RISCV_OBJCOPY)
if(TARGET test_gdb AND NUMAVP_RISCV_GCC AND NUMAVP_RISCV_OBJCOPY)
    set(source "${CMAKE_CURRENT_SOURCE_DIR}/gdb/firmware/place.c")
    set(elf "${CMAKE_CURRENT_BINARY_DIR}/gdb_place.elf")
    add_custom_command(
        OUTPUT "${elf}" "${elf}.bin"
        COMMAND "${NUMAVP_RISCV_GCC}" -march=rv64imac -misa-spec=2.2 -mabi=lp64 -mcmodel=medany -std=gnu11 -Og -g -Wall
                -Wextra -Werror -ffreestanding -nostdlib -Wa,--gdwarf-cie-version=3 -Wl,-N,--no-warn-rwx-segments
                -Wl,--section-start=.init=0x80000000 -Wl,--defsym=stack_top=0x80010000 -o "${elf}" "${source}"
        COMMAND "${NUMAVP_RISCV_OBJCOPY}" -O binary "${elf}" "${elf}.bin"
        DEPENDS "${source}"
        COMMENT "Firmware of the GDB session"
        VERBATIM)
    add_custom_target(gdb_firmware DEPENDS "${elf}")
    add_dependencies(test_gdb gdb_firmware)
    target_compile_definitions(test_gdb PRIVATE NUMAVP_GDB_FIRMWARE="${elf}")
elseif(TARGET test_gdb)
    target_compile_definitions(test_gdb PRIVATE NUMAVP_GDB_FIRMWARE="")
endif()
