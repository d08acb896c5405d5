/// Bandwidth and latency between each two GPUs of a machine, as tables.
#pragma once

#include <string>
#include <vector>

#include "base/config/config_file.h"
#include "common/system/network_alone.h"
#include "common/words/text.h"
#include "communication/characterize/host_machine.h"

namespace numavp {

/// The way from one GPU to another.
struct GpuPair {
    double gbytes_per_s = 0; ///< that it carries alone
    double latency_ns = 0;   ///< one way
    bool by_cpu = false;     ///< it passes a CPU, or another part that is no transit
};

struct GpuMatrix {
    std::vector<std::string> gpus;           ///< their names
    std::vector<std::vector<GpuPair>> pairs; ///< from each, to each; its own are empty
    std::size_t left_out = 0;                ///< GPUs of a machine with too many to print; then the lists are empty
};

/// Of simulated packets of `packet_bytes`: the channels of the ways and the ports at both ends, and the time of a
/// packet that meets nobody. Of wires alone; empty for other networks and for fewer than two GPUs.
GpuMatrix gpu_matrix(const NetworkSystem& system, unsigned packet_bytes);
/// Of copies by the closed forms: the links of the ways with their packet formats, and the links' latencies. A pair
/// that is no peer has the numbers of its way all the same, though its copies stop in a CPU's memory.
GpuMatrix gpu_matrix(const HostMachine& machine);

/// Two tables, and a sentence if ways pass CPUs or GPUs are left out; empty for an empty matrix.
std::string gpu_matrix_text(const GpuMatrix& matrix, const Style& style);
/// A list of objects with src, dst, gbytes_per_s, latency_ns and by_cpu.
ordered_json gpu_matrix_json(const GpuMatrix& matrix);

} // namespace numavp
