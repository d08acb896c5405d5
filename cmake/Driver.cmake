# sw/driver: the register map as headers, the driver as a native library, and as firmware of the RISC-V core.
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)

set(driver_source "${PROJECT_SOURCE_DIR}/sw/driver")
set(driver_generated "${PROJECT_BINARY_DIR}/generated") # #include <sw/driver/registers.h>, <sw/driver/register_map.h>

# numavp_registers(<kind> <file>): the file is made from the register map; a bad map ends the build with a sentence.
function(numavp_registers kind file)
    add_custom_command(OUTPUT "${file}"
        COMMAND "${Python3_EXECUTABLE}" "${driver_source}/make_registers.py" "${driver_source}/registers.json" ${kind}
                "${file}"
        COMMAND "${CMAKE_COMMAND}" -E touch_nocreate "${file}" # newer than the map, also if it says the same
        DEPENDS "${driver_source}/make_registers.py" "${driver_source}/registers.json"
        COMMENT "Register map: ${kind}" VERBATIM)
endfunction()
numavp_registers(header "${driver_generated}/sw/driver/registers.h")
numavp_registers(table "${driver_generated}/sw/driver/register_map.h")
numavp_registers(linker "${driver_generated}/sw/driver/memory.ld")
numavp_registers(markdown "${PROJECT_BINARY_DIR}/docs/REGISTERS.md")
add_custom_target(numavp_registers DEPENDS "${driver_generated}/sw/driver/registers.h"
                  "${driver_generated}/sw/driver/register_map.h")
add_custom_target(registers # prints the documentation of the registers
    COMMAND "${CMAKE_COMMAND}" -E cat "${PROJECT_BINARY_DIR}/docs/REGISTERS.md"
    DEPENDS "${PROJECT_BINARY_DIR}/docs/REGISTERS.md" VERBATIM)

# Native: the platform brings the hardware abstraction, in C++. Its bus errors are exceptions, which pass through C.
file(GLOB driver_sources CONFIGURE_DEPENDS "${driver_source}/*.c")
add_library(numavp_driver STATIC ${driver_sources})
add_library(numavp::driver ALIAS numavp_driver)
set_target_properties(numavp_driver PROPERTIES EXPORT_NAME driver C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)
numavp_own_target(numavp_driver)
target_compile_options(numavp_driver PRIVATE -Wpedantic -fexceptions)
target_include_directories(numavp_driver PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>"
                           "$<BUILD_INTERFACE:${driver_generated}>"
                           "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/numavp/src>")
add_dependencies(numavp_driver numavp_registers)
set(NUMAVP_LAYERS ${NUMAVP_LAYERS} numavp_driver CACHE INTERNAL "layers in order of definition")
install(FILES "${driver_generated}/sw/driver/registers.h" "${driver_generated}/sw/driver/register_map.h"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/numavp/src/sw/driver")

# RISC-V: the same sources, a hardware abstraction and a start file of their own. It takes a compiler and a C library, picolibc,
# whose file of settings lies in the compiler's folder: when that folder changes, CMake looks again.
find_program(NUMAVP_RISCV_GCC riscv64-unknown-elf-gcc)
mark_as_advanced(NUMAVP_RISCV_GCC)
set(NUMAVP_FIRMWARE_MISSING "")
if(NOT NUMAVP_RISCV_GCC)
    set(NUMAVP_FIRMWARE_MISSING "the compiler riscv64-unknown-elf-gcc (Debian package gcc-riscv64-unknown-elf)")
else()
    execute_process(COMMAND "${NUMAVP_RISCV_GCC}" -print-file-name=picolibc.specs OUTPUT_VARIABLE picolibc
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
    execute_process(COMMAND "${NUMAVP_RISCV_GCC}" -print-libgcc-file-name OUTPUT_VARIABLE libgcc OUTPUT_STRIP_TRAILING_WHITESPACE)
    get_filename_component(compiler_folder "${libgcc}" DIRECTORY)
    if(IS_DIRECTORY "${compiler_folder}")
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${compiler_folder}")
    endif()
    if(NOT IS_ABSOLUTE "${picolibc}") # as it was asked: not found
        set(NUMAVP_FIRMWARE_MISSING "picolibc (Debian package picolibc-riscv64-unknown-elf)")
    endif()
endif()

set(NUMAVP_FIRMWARE_DIR "${PROJECT_BINARY_DIR}/firmware")
if(NUMAVP_FIRMWARE_MISSING)
    numavp_missing("the driver's firmware is not built: ${NUMAVP_FIRMWARE_MISSING} is missing; driver.execution riscv needs it")
    add_custom_target(numavp_firmware COMMAND "${CMAKE_COMMAND}" -E echo
                      "The driver's firmware is not built: ${NUMAVP_FIRMWARE_MISSING} is missing" VERBATIM)
    return()
endif()

file(GLOB driver_headers CONFIGURE_DEPENDS "${driver_source}/*.h")
set(firmware_sources ${driver_sources} "${driver_source}/riscv/hal_riscv.c" "${driver_source}/riscv/start.S")
set(firmware_flags
    # Without -misa-spec=2.2 either csr instructions are refused or the library for floating point is linked.
    -march=rv64imac -misa-spec=2.2 -mabi=lp64 -mcmodel=medany -std=c11 -O2 -g -ffreestanding -ffunction-sections
    -fdata-sections ${NUMAVP_WARNINGS} -Wpedantic
    # Paths as from the root of the repository, where a debugger is started; gcc doesn't hand them on to the assembler.
    "-ffile-prefix-map=${PROJECT_SOURCE_DIR}=." "-ffile-prefix-map=${driver_generated}=generated"
    "-Wa,--debug-prefix-map=${PROJECT_SOURCE_DIR}=."
    --specs=picolibc.specs -nostartfiles -Wl,--gc-sections,--fatal-warnings)
# numavp_firmware_image(<image> [<source>]): the driver as firmware/<image>; with a source that defines numavp_policy, the policy
# `own` is in it.
function(numavp_firmware_image image)
    set(own "")
    if(ARGN)
        set(own -DNUMAVP_OWN_POLICY ${ARGN})
    endif()
    add_custom_command(OUTPUT "${NUMAVP_FIRMWARE_DIR}/${image}"
        COMMAND "${CMAKE_COMMAND}" -E make_directory "${NUMAVP_FIRMWARE_DIR}"
        COMMAND "${NUMAVP_RISCV_GCC}" ${firmware_flags} "-I${PROJECT_SOURCE_DIR}" "-I${driver_generated}" ${firmware_sources}
                ${own} "${driver_generated}/sw/driver/memory.ld" -T "${driver_source}/riscv/driver.ld"
                -o "${NUMAVP_FIRMWARE_DIR}/${image}"
        DEPENDS ${firmware_sources} ${driver_headers} ${ARGN} "${driver_source}/riscv/driver.ld"
                "${driver_generated}/sw/driver/memory.ld" "${driver_generated}/sw/driver/registers.h"
        WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" COMMENT "Building firmware: firmware/${image}" VERBATIM)
endfunction()
numavp_firmware_image(driver.elf)
set(firmware_images "${NUMAVP_FIRMWARE_DIR}/driver.elf")
set(NUMAVP_OWN_POLICY "" CACHE FILEPATH "C source with a placement policy of your own for firmware/own_policy.elf")
if(NUMAVP_OWN_POLICY)
    get_filename_component(own_policy "${NUMAVP_OWN_POLICY}" ABSOLUTE BASE_DIR "${PROJECT_SOURCE_DIR}")
    if(NOT EXISTS "${own_policy}")
        message(FATAL_ERROR "NUMAVP_OWN_POLICY: there is no ${own_policy}; a C source that defines numavp_policy is expected")
    endif()
    numavp_firmware_image(own_policy.elf "${own_policy}")
    list(APPEND firmware_images "${NUMAVP_FIRMWARE_DIR}/own_policy.elf")
endif()
add_custom_target(numavp_firmware ALL DEPENDS ${firmware_images})
install(FILES "${NUMAVP_FIRMWARE_DIR}/driver.elf" DESTINATION "${CMAKE_INSTALL_DATADIR}/numavp/firmware")
