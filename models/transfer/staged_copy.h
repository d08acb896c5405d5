/// Copies that go through buffers in chunks: each stage works at one chunk while the next stage works at the one
/// before.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/transfer/fluid_network.h"

namespace numavp {

/// How a chunk passes a stage: nanoseconds that the stage is busy besides, and a flow. Stages take one chunk at a time.
struct CopyStage {
    std::vector<FluidNetwork::Use> uses; ///< empty: the stage takes `busy_ns` alone
    double latency_ns = 0;
    /// Nanoseconds of a stage's own work, before its flow, for a chunk at `offset`.
    std::function<double(std::uint64_t offset, std::uint64_t bytes)> busy_ns;
};

struct StagedCopy {
    std::vector<CopyStage> stages;
    std::uint64_t chunk_bytes = 1U << 20;
    unsigned buffers = 2; ///< between each two stages
    double reuse_ns = 0;  ///< of waiting for a buffer that was used before, on its filling stage
};

/// Copies `bytes` from now on and calls `done`; `copy` is kept until then.
void start_staged(FluidNetwork& network, StagedCopy copy, std::uint64_t bytes, FluidNetwork::Action done);

} // namespace numavp
