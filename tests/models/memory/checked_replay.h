/// Replays with a command checker on every channel, and devices for tests.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/memory/dram/command_checker.h"
#include "models/memory/replay/replay.h"
#include "models/memory/replay/streams.h"

namespace numavp::test {

struct CheckedReplay {
    ReplayResult result;
    std::vector<std::string> breaches;
    double percent_of_peak = 0.0;
    std::uint64_t commands = 0;
    double mean_cycles() const { return result.read_latency.mean(); }
};

/// `checked`: whose timing the commands are held to, if it is not the device's own.
CheckedReplay checked_replay(const MemoryDeviceConfig& device, const MemoryStream& stream, const ReplayWindows& windows,
                             const MemoryDeviceConfig* checked = nullptr);

/// A device of configs/parts/memory.
MemoryDeviceConfig device_named(const std::string& name);

/// HBM of two columns a row whose every constraint binds somewhere.
MemoryDeviceConfig tight_device();

/// Reads and writes of few rows, so that hits, conflicts and turn-arounds come in all orders.
MemoryStream mixed_stream(const MemoryDeviceConfig& device, std::uint64_t seed, unsigned count);

} // namespace numavp::test
