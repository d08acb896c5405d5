/// The running program: its version and compiler, its file, its computer, its memory.
#pragma once

#include <cstdint>
#include <string>

namespace numavp {

/// Name of this machine.
std::string host_name();
std::string program_version();
std::string compiler_name();
/// Largest memory use of the process so far, in bytes.
std::uint64_t peak_memory_bytes();
/// Path of the running program, or of the shared library that contains this code.
std::string program_path();

} // namespace numavp
