/// Counts by how many SMs each page is touched, by walking a workload without simulating it.
///
/// Each launch is distributed to the SMs by a fixed split of its blocks; launches follow each other. An SM keeps as
/// many blocks resident as its warps and its shared memory allow, and all resident warps advance equally: a warp that
/// issued much arithmetic waits until the others have caught up. There is no time, and so no caches, latencies or
/// barriers. The walk ends with the launch list or after a number of thread instructions (lanes that execute).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/values/name_table.h"
#include "sw/work/workload.h"

namespace numavp {

enum class SmSplit : std::uint8_t { contiguous, round_robin };
inline constexpr NameTable<SmSplit> kSmSplits{
    "split of blocks over SMs",
    {{SmSplit::contiguous, "contiguous", "equal contiguous ranges, one an SM: distributed block scheduling"},
     {SmSplit::round_robin, "round_robin", "block b to SM b modulo SMs"}}};

/// Defaults are the GPU of the NUBA paper (Table 1) and its 10^9 instructions (section 6).
struct SharingOptions {
    std::uint32_t sms = 64; ///< 1 to kMostSharingSms
    SmSplit split = SmSplit::contiguous;
    std::uint64_t page_bytes = 4096; ///< a power of two from 4 KB to 2 MB
    std::uint64_t thread_instructions = 1'000'000'000;
    std::uint32_t warps_per_sm = 64;
    std::uint32_t shared_bytes_per_sm = 96 * 1024;
};
inline constexpr std::uint32_t kMostSharingSms = 4096;

/// Groups of Figure 3 of the NUBA paper: pages touched by 1, 2 to 10, 11 to 25, and more SMs.
inline constexpr std::size_t kSharingGroups = 4;

struct PageCounts {
    std::uint64_t pages = 0; ///< touched by a load, store, atomic or reduce
    std::array<std::uint64_t, kSharingGroups> by_sms{};
    std::uint64_t written = 0;          ///< of `pages`, those that an instruction writes
    std::uint64_t read_only_shared = 0; ///< touched by 2 SMs or more, written by none
    /// Pages that in some launch 2 SMs or more touch and none writes; other launches may write them.
    std::uint64_t read_only_in_launch = 0;
    std::uint64_t shared() const { return pages - by_sms[0]; }
};

struct ArraySharing {
    std::string name;
    std::uint64_t bytes = 0; ///< declared
    PageCounts counts;
};

struct PageSharing {
    PageCounts all;
    std::vector<ArraySharing> arrays; ///< in the order of the workload's ranges; none for traces
    std::uint64_t thread_instructions = 0;
    std::uint64_t launches = 0; ///< kernels begun
    std::uint64_t launches_in_all = 0;
    bool whole = false; ///< the walk reached the end of the workload
};

/// Walks until the end or the limit. `progress` is called at times with the number of thread instructions so far.
PageSharing count_page_sharing(const Workload& workload, const SharingOptions& options,
                               const std::function<void(std::uint64_t)>& progress = {});

} // namespace numavp
