#include "tests/support/places.h"

namespace numavp::test {

std::string source_dir() { return NUMAVP_SOURCE_DIR; }
std::string program_file() { return NUMAVP_PROGRAM; }
std::string firmware_file() { return NUMAVP_FIRMWARE; }
std::string gdb_firmware_file() { return NUMAVP_GDB_FIRMWARE; }
std::string mpirun_file() { return NUMAVP_MPIRUN; }

} // namespace numavp::test
