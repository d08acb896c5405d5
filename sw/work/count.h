/// Counts the instructions, lines, sectors and memory of workloads by walking them, without a simulation.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sw/work/workload.h"

namespace numavp {

/// Sums over the streams of a kernel or workload.
struct StreamCounts {
    std::uint64_t warp_instructions = 0;   ///< all, `Inst::repeat` counted, EXIT included
    std::uint64_t memory_instructions = 0; ///< loads, stores, atomics and reduces that have an active lane
    std::uint64_t loads = 0;               ///< of these
    std::uint64_t stores = 0;              ///< of these
    std::uint64_t atomics = 0;             ///< of these, with and without result
    std::uint64_t line_accesses = 0;       ///< 128-byte lines, after coalescing
    std::uint64_t sectors = 0;             ///< 32-byte sectors, after coalescing
    std::uint64_t copied_bytes = 0;        ///< between host and device
    std::uint64_t blocks = 0;              ///< thread blocks that have instructions

    StreamCounts& operator+=(const StreamCounts& o);
    bool operator==(const StreamCounts& o) const;
};

/// Set of the sectors (32 bytes) that were touched; a bit for each.
class Footprint {
  public:
    void touch(std::uint64_t line_address, const ByteMask& mask);
    void touch_range(std::uint64_t base, std::uint64_t bytes);
    /// Distinct sectors times 32.
    std::uint64_t bytes() const;
    /// Distinct pages of `page_bytes` (a power of two, 4 KB to 2 MB) times their size.
    std::uint64_t page_footprint(std::uint64_t page_bytes) const;
    /// One past the highest byte touched, by sector; 0 if nothing was.
    std::uint64_t end() const;

  private:
    static constexpr unsigned kRegionShift = 21;
    static constexpr std::size_t kWords = (std::size_t{1} << kRegionShift) / kSectorBytes / 64;
    using Region = std::vector<std::uint64_t>;
    Region& region(std::uint64_t address);

    std::unordered_map<std::uint64_t, Region> regions_; ///< by address / 2 MB
    std::uint64_t last_key_ = ~0ULL;
    Region* last_ = nullptr;
};

/// Counts the streams of one block; adds the memory that it touches to `footprint` if that is not null.
StreamCounts count_block(Kernel& kernel, std::uint64_t block, Footprint* footprint = nullptr);

/// Counts all streams of a kernel; adds the memory that it touches to `footprint` if that is not null.
StreamCounts count_kernel(Kernel& kernel, Footprint* footprint = nullptr);

/// The same for all launches of a workload. A kernel that is launched again is walked once.
StreamCounts count_workload(const Workload& workload, Footprint* footprint = nullptr);

/// Counts the global memory instructions of a kernel by walking all its streams, for kernels without a closed form.
std::uint64_t count_accesses(Kernel& kernel);

} // namespace numavp
