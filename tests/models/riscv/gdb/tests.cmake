# Firmware with symbols for the GDB session: an ELF file for GDB and the bytes of its memory for the machine.
if(TARGET test_gdb AND gdb_firmware)
    set(source "${CMAKE_CURRENT_SOURCE_DIR}/models/riscv/gdb/firmware/place.c")
    set(elf "${gdb_firmware}")
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
endif()
