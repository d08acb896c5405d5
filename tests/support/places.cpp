#include "tests/support/places.h"

#include <filesystem>

namespace numavp::test {

std::string source_dir() { return NUMAVP_SOURCE_DIR; }
std::string program_file() { return NUMAVP_PROGRAM; }
std::string firmware_file() { return NUMAVP_FIRMWARE; }
std::string firmware_missing() {
    if (std::filesystem::exists(firmware_file())) return {};
    return "the driver's firmware is not built: it needs gcc-riscv64-unknown-elf and picolibc-riscv64-unknown-elf";
}
std::string gdb_firmware_file() { return NUMAVP_GDB_FIRMWARE; }
std::string mpirun_file() { return NUMAVP_MPIRUN; }

} // namespace numavp::test
