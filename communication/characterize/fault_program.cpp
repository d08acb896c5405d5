/// Faults of unified memory: how the driver serves them, in batches of a GPU and one by one of a CPU.
#include <algorithm>
#include <deque>
#include <map>

#include "communication/characterize/host_program.h"
#include "sw/driver/prefetch_tree.h"
#include "sw/driver/unified_memory.h"

namespace numavp {

namespace {
constexpr double kUs = 1000;
constexpr std::uint64_t kLeaf = kPrefetchLeafBytes;

/// Leaves of an allocation that begins with a block, has `bytes`, and lies with one place until another touches it.
class Leaves {
  public:
    Leaves(std::uint64_t bytes, unsigned percent)
        : leaves_((bytes + kLeaf - 1) / kLeaf), blocks_((leaves_ + kPrefetchLeaves - 1) / kPrefetchLeaves),
          chunks_(blocks_.size() * kPlaces) {
        const auto count = static_cast<std::uint32_t>(blocks_.size());
        unified_init(&memory_, kPlaces, percent, blocks_.data(), chunks_.data(), count);
        memory_.place[kThere].host = false; // whoever it is: a CPU touches a GPU's pages as a GPU does
        memory_.place[kThere].room = count;
        for (std::uint32_t block = 0; block < count; ++block) {
            const std::uint64_t behind = leaves_ - std::uint64_t{block} * kPrefetchLeaves;
            unified_allocate(&memory_, block, behind >= kPrefetchLeaves ? ~0U : (1U << behind) - 1, kHere);
        }
    }
    bool resident(std::uint64_t leaf) const {
        return (chunks_[leaf / kPrefetchLeaves * kPlaces + kThere].resident >> (leaf % kPrefetchLeaves) & 1U) != 0;
    }
    /// Moves the pages that the driver chooses for these faults of a block, and returns the number of leaves moved.
    unsigned serve(std::uint64_t block, std::uint32_t faulted) {
        unified_touch(&memory_, static_cast<std::uint32_t>(block), faulted, kThere, true);
        unsigned count = 0;
        for (unsigned w = 0; w < memory_.logged; ++w)
            for (std::uint32_t left = memory_.log[w].leaves; left != 0; left &= left - 1) ++count;
        return count;
    }
    std::uint64_t count() const { return leaves_; }

  private:
    enum : std::uint32_t { kHere, kThere, kPlaces };
    std::uint64_t leaves_;
    std::vector<UnifiedBlock> blocks_;
    std::vector<UnifiedChunk> chunks_;
    UnifiedMemory memory_{};
};

} // namespace

double HostProgram::fault_ns(TransferEnd from, TransferEnd to) const {
    const CalibrationFaults& f = c_.faults;
    if (!to.gpu || !from.gpu) {
        const unsigned gpu = to.gpu ? to.index : from.index;
        const auto own = std::find_if(f.gpus.begin(), f.gpus.end(),
                                      [gpu](const CalibrationFaultsOf& one) { return one.gpu == gpu; });
        const bool has_own = own != f.gpus.end();
        return (to.gpu ? (has_own ? own->to_gpu_us : f.to_gpu_us) : has_own ? own->to_host_us : f.to_host_us) * kUs;
    }
    const bool near =
        machine_.home(from.index) == machine_.home(to.index) || machine_.joined_without_cpu(from.index, to.index);
    return (near ? f.between_gpus_us : f.between_remote_gpus_us) * kUs;
}

double HostProgram::chase_ns(TransferEnd from, TransferEnd to, unsigned strides) const {
    // Each stride's page lies apart from the others, and so does the first one.
    const unsigned apart = static_cast<unsigned>(c_.chase_kib * 1024 / kLeaf);
    Leaves leaves((std::uint64_t{strides} + 1) * c_.chase_kib * 1024, c_.faults.percent);
    double time = to.gpu ? c_.faults.kernel_us * kUs : 0;
    for (std::uint64_t page = 0; page <= strides; ++page) {
        const std::uint64_t leaf = page * apart;
        if (leaves.resident(leaf)) continue;
        leaves.serve(leaf / kPrefetchLeaves, 1U << (leaf % kPrefetchLeaves));
        time += fault_ns(from, to);
    }
    return time;
}

double HostProgram::touching_ns(TransferEnd from, TransferEnd to) const {
    const CalibrationFaults& f = c_.faults;
    return (!to.gpu ? f.host_call_us : from.gpu ? f.between_write_kernel_us : f.write_kernel_us) * kUs;
}

double HostProgram::host_demand_ns(TransferEnd from, TransferEnd to, std::uint64_t bytes) const {
    // The driver serves a block's faults one after the other, and those of blocks of different threads side by side:
    // the thread with the most blocks ends last, unless the link is the limit.
    const std::uint64_t blocks = std::max<std::uint64_t>(1, (bytes + kPrefetchBlockBytes - 1) / kPrefetchBlockBytes);
    const std::uint64_t threads = std::min<std::uint64_t>(blocks, c_.faults.host_threads);
    const std::uint64_t longest = std::min(bytes, (blocks + threads - 1) / threads * kPrefetchBlockBytes);
    const double served = served_to_host_ns(from, to, longest);
    const double link = threads == 1 ? 0 : static_cast<double>(bytes) / moved_gbytes_per_s(from, to);
    return touching_ns(from, to) + std::max(served, link);
}

double HostProgram::served_to_host_ns(TransferEnd from, TransferEnd to, std::uint64_t bytes) const {
    const CalibrationFaults& f = c_.faults;
    const double leaf_ns = static_cast<double>(kLeaf) / moved_gbytes_per_s(from, to);
    const double rest = std::max(0.0, fault_ns(from, to) - f.leaf_us * kUs - leaf_ns); // of a fault, however large
    Leaves leaves(bytes, f.percent);
    double time = 0;
    for (std::uint64_t leaf = 0; leaf < leaves.count(); ++leaf) { // a page of each, at least
        if (leaves.resident(leaf)) continue;
        const unsigned moved = leaves.serve(leaf / kPrefetchLeaves, 1U << (leaf % kPrefetchLeaves));
        time += rest + moved * (f.leaf_us * kUs + leaf_ns);
    }
    return time;
}

double HostProgram::gpu_demand_ns(TransferEnd from, TransferEnd to, std::uint64_t bytes) const {
    const CalibrationFaults& f = c_.faults;
    const double leaf_ns = static_cast<double>(kLeaf) / moved_gbytes_per_s(from, to);
    const double block_us = from.gpu ? f.between_block_us : f.block_us;
    const double batch_ns = std::max(0.0, fault_ns(from, to) - (block_us + f.gpu_leaf_us) * kUs - leaf_ns);
    const std::uint64_t late = f.late_mib == 0 ? ~std::uint64_t{0} : (std::uint64_t{f.late_mib} << 20) / kLeaf;
    const std::uint64_t page = std::uint64_t{c_.page_kib} * 1024, pages = std::max<std::uint64_t>(1, bytes / page);
    Leaves leaves(std::max<std::uint64_t>(bytes, 1), f.percent);
    double time = touching_ns(from, to);
    // Warps wait for pages in order; a warp whose page is there goes on to that which lies `warps` pages behind, so
    // that the next `warps` pages without a warp are those that wait.
    std::uint64_t next = 0;
    std::deque<std::uint64_t> waiting;
    while (true) {
        while (waiting.size() < f.warps && next < pages) {
            if (!leaves.resident(next * page / kLeaf)) waiting.push_back(next);
            ++next;
        }
        if (waiting.empty()) return time;
        std::map<std::uint64_t, std::uint32_t> faults; // leaves by block
        const std::size_t entries = std::min<std::size_t>(f.batch, waiting.size());
        for (std::size_t i = 0; i < entries; ++i) {
            const std::uint64_t leaf = waiting[i] * page / kLeaf;
            faults[leaf / kPrefetchLeaves] |= 1U << (leaf % kPrefetchLeaves);
        }
        double served = batch_ns;
        unsigned behind = 0; // leaves that come late
        for (const auto& [block, mask] : faults) {
            const unsigned moved = leaves.serve(block, mask);
            served += block_us * kUs + moved * (f.gpu_leaf_us * kUs + leaf_ns);
            if (block * kPrefetchLeaves >= late) behind += moved;
        }
        time += std::max(served, behind * static_cast<double>(kLeaf) / f.late_gbytes_per_s);
        // Replay: warps that find their page go on.
        waiting.erase(std::remove_if(waiting.begin(), waiting.end(),
                                     [&](std::uint64_t w) { return leaves.resident(w * page / kLeaf); }),
                      waiting.end());
    }
}

double HostProgram::demand_ns(TransferEnd from, TransferEnd to, std::uint64_t bytes) const {
    return to.gpu ? gpu_demand_ns(from, to, bytes) : host_demand_ns(from, to, bytes);
}

} // namespace numavp
