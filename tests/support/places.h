/// Paths of this checkout and of what its build made. They are known to places.cpp alone, so that the compiler cache
/// can share the objects of all other test sources between checkouts.
#pragma once

#include <string>

namespace numavp::test {

/// Root of the checkout, without a final slash.
std::string source_dir();
/// The program `numavp` of this build.
std::string program_file();
/// The driver's firmware of this build; it exists if the RISC-V compiler and its C library do.
std::string firmware_file();
/// A sentence that says what it takes, where this build has no firmware; else empty.
std::string firmware_missing();
/// ELF file of the firmware of the GDB session; beside it lie its bytes, `.bin`. Empty if it cannot be built here.
std::string gdb_firmware_file();
/// The launcher of MPI programs; empty if this build has no MPI.
std::string mpirun_file();

} // namespace numavp::test
