// What an SM shows: its socket's SMs and their L1s as totals, and what its warps wait for.
#include <fmt/format.h>

#include "base/stats/series.h"
#include "base/stats/stats.h"
#include "models/sm/sm.h"
#include "models/sm/sm_ratios.h"
#include "tlm-links/protocol/flag_board.h"

namespace numavp {

void Sm::add_statistics(StatGroup& owner) const {
    StatGroup& g = owner.group("sm");
    g.total("warp_instructions", counts_.instructions, "instructions", "Warp instructions issued.");
    g.total("blocks", counts_.blocks, "blocks", "Thread blocks started.");
    g.total("issue_cycles", counts_.busy_cycles, "cycles", "Cycles in which an SM issued something, summed over SMs.");
    g.total("barriers", counts_.barriers, "warps", "Arrivals at barriers.");
    g.total("fences", counts_.fences, "warps", "System-scope fences.");
    if (flags_ != nullptr) g.total("polls", counts_.polls, "loads", "Loads of flags by warps that wait for them.");
    if (config_.tensor.on()) {
        g.total("matrix_operations", counts_.matrix_operations, "operations",
                "Operations of matrix instructions; a multiply-add is two.");
        owner.all_ratios(tensor_ratios());
    }
    const LoadCounts& unit = unit_.counts();
    g.total("memory_instructions", unit.instructions, "instructions",
            "Global loads, stores and atomics with an active lane.");
    g.total("sectors", unit.sectors, "sectors", "Sectors of 32 bytes that memory instructions touch.");
    StatGroup& l1 = owner.group("l1");
    l1.total("load_lines", unit.load_lines, "lines", "Lines looked up by loads.");
    l1.total("hits", unit.hits, "lines", "Lines of loads found in the L1.");
    l1.total("merged", unit.merged, "lines", "Lines of loads that were already on their way.");
    l1.total("misses_local", unit.misses_local, "lines", "Lines requested, with their home in this socket.");
    l1.total("misses_remote", unit.misses_remote, "lines", "Lines requested, with their home in another socket.");
    l1.total("store_lines", unit.store_lines, "lines", "Lines of stores, written through.");
    l1.total("atomic_lines", unit.atomic_lines, "lines", "Lines of atomics, sent home to be changed there.");
    l1.total("stalls", unit.stalls, "events", "Times that a look-up had to wait for a miss entry, a line or the wire.");
    l1.total("invalidations", unit.invalidations, "events", "Times that an L1 was flushed.");
    owner.all_ratios(sm_ratios());
}

void Sm::add_series(SeriesGroup& owner) const {
    owner.total("sm.warp_instructions", counts_.instructions, "instructions", "Warp instructions issued.");
    owner.total("l1.load_lines", unit_.counts().load_lines, "lines", "Lines looked up by loads.");
    owner.total("l1.hits", unit_.counts().hits, "lines", "Lines of loads found in the L1.");
}

std::string Sm::waiting_for() const {
    std::string text = unit_.waiting_for();
    unsigned at_barrier = 0, at_fence = 0;
    for (const Block& b : blocks_) at_barrier += static_cast<unsigned>(__builtin_popcountll(b.arrived));
    for (const Warp& w : warps_) at_fence += w.fencing && w.stream != nullptr;
    const auto add = [&text](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
    if (at_barrier) add(fmt::format("{} warps at a barrier", at_barrier));
    if (at_fence) add(fmt::format("{} warps at a fence", at_fence));
    for (unsigned w = 0; flags_ != nullptr && w < warps_.size(); ++w) {
        const Warp& warp = warps_[w];
        if (warp.stream == nullptr || warp.inst.op != Op::load || warp.inst.awaits == 0) continue;
        add(fmt::format("{} signals of the flag at {:#x} (warp {}, which has seen {})", warp.inst.awaits,
                        warp.inst.base, w, flags_->seen({socket_, index_, w})));
    }
    return text;
}

} // namespace numavp
