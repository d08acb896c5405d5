/// Machines that tests characterize.
#pragma once

#include <string>

#include "communication/characterize/host_program.h"

namespace numavp::test {

inline constexpr const char* kRealMachines[] = {"s822lc", "ac922", "dgx-1"};

inline HostMachine real_machine(const std::string& name) { return load_host_machine(name, {}, ""); }

constexpr TransferEnd cpu(unsigned index) { return {false, index}; }
constexpr TransferEnd gpu(unsigned index) { return {true, index}; }
constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

} // namespace numavp::test
