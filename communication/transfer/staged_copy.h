/// Copies through buffers in chunks: each stage works on one chunk while the next stage works on the chunk before
/// it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "communication/transfer/fluid_network.h"

namespace numavp {

/// A stage of a copy: for each chunk the stage is busy for a time and then starts a flow. It takes one chunk at a time.
struct CopyStage {
    std::vector<FluidNetwork::Use> uses; ///< empty: the stage takes `busy_ns` alone
    double latency_ns = 0;
    /// Time in ns of a stage's own work, before its flow, for a chunk at `offset`.
    std::function<double(std::uint64_t offset, std::uint64_t bytes)> busy_ns;
};

struct StagedCopy {
    std::vector<CopyStage> stages;
    std::uint64_t chunk_bytes = 1U << 20;
    unsigned buffers = 2; ///< between each two stages
    double reuse_ns = 0;  ///< of waiting for a buffer that was used before, on its filling stage
};

/// Starts a copy of `bytes` now; `done` is called at its end. Keeps `copy` until then.
void start_staged(FluidNetwork& network, StagedCopy copy, std::uint64_t bytes, FluidNetwork::Action done);

} // namespace numavp
