#include "sw/work/page_sharing.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <unordered_map>

namespace numavp {
namespace {

/// Warp instructions that each resident warp may issue before the others get their turn.
constexpr std::uint32_t kTurn = 8;

/// The SMs that touch each page, a bit each, and whether it is written: of a launch, or of all so far.
class PageMap {
  public:
    PageMap(unsigned sms, std::uint64_t page_bytes)
        : shift_(static_cast<unsigned>(__builtin_ctzll(page_bytes))), words_((sms + 63) / 64) {}

    std::uint64_t page_of(std::uint64_t address) const { return address >> shift_; }
    void touch(std::uint64_t page, unsigned sm, bool write) {
        Chunk& chunk = chunk_of(page / kChunkPages);
        const std::size_t at = page % kChunkPages;
        chunk.sharers[at * words_ + sm / 64] |= 1ULL << (sm % 64);
        if (write) chunk.written[at / 64] |= 1ULL << (at % 64);
    }
    /// Adds the pages that a launch touched.
    void add(const PageMap& launch);
    void clear();
    /// Of the pages from `first` on, below `end`.
    PageCounts counts(std::uint64_t first, std::uint64_t end) const;

  private:
    static constexpr std::uint64_t kChunkPages = 512;
    static constexpr std::size_t kKnown = 256;
    struct Chunk {
        std::vector<std::uint64_t> sharers;
        std::array<std::uint64_t, kChunkPages / 64> written{}, read_only_in_launch{};
    };
    struct Known {
        std::uint64_t key = ~0ULL;
        Chunk* chunk = nullptr;
    };

    Chunk& chunk_of(std::uint64_t key) {
        Known& known = known_[key % kKnown];
        if (known.key != key) {
            Chunk& found = chunks_[key]; // nodes of a map don't move
            if (found.sharers.empty()) found.sharers.resize(kChunkPages * words_);
            known = {key, &found};
        }
        return *known.chunk;
    }
    unsigned sms_of(const Chunk& chunk, std::uint64_t at) const {
        unsigned sms = 0;
        for (std::size_t w = 0; w < words_; ++w)
            sms += static_cast<unsigned>(__builtin_popcountll(chunk.sharers[at * words_ + w]));
        return sms;
    }
    void count(const Chunk& chunk, std::uint64_t at, PageCounts& counts) const;

    unsigned shift_;
    std::size_t words_;
    std::map<std::uint64_t, Chunk> chunks_; ///< by page / kChunkPages
    std::array<Known, kKnown> known_{};
};

void PageMap::add(const PageMap& launch) {
    for (const auto& [key, from] : launch.chunks_) {
        Chunk& to = chunk_of(key);
        for (std::size_t i = 0; i < to.sharers.size(); ++i) to.sharers[i] |= from.sharers[i];
        for (std::size_t i = 0; i < to.written.size(); ++i) to.written[i] |= from.written[i];
        for (std::uint64_t at = 0; at < kChunkPages; ++at) {
            const std::uint64_t bit = 1ULL << (at % 64);
            if ((from.written[at / 64] & bit) == 0 && sms_of(from, at) > 1) to.read_only_in_launch[at / 64] |= bit;
        }
    }
}

void PageMap::clear() {
    chunks_.clear();
    known_.fill({});
}

void PageMap::count(const Chunk& chunk, std::uint64_t at, PageCounts& counts) const {
    const unsigned sms = sms_of(chunk, at);
    if (sms == 0) return;
    const bool written = (chunk.written[at / 64] >> (at % 64) & 1U) != 0;
    counts.read_only_in_launch += chunk.read_only_in_launch[at / 64] >> (at % 64) & 1U;
    ++counts.pages;
    ++counts.by_sms[sms == 1 ? 0 : sms <= 10 ? 1 : sms <= 25 ? 2 : 3];
    counts.written += written ? 1 : 0;
    counts.read_only_shared += sms > 1 && !written ? 1 : 0;
}

PageCounts PageMap::counts(std::uint64_t first, std::uint64_t end) const {
    PageCounts counts;
    for (auto chunk = chunks_.lower_bound(first / kChunkPages); chunk != chunks_.end(); ++chunk) {
        const std::uint64_t base = chunk->first * kChunkPages;
        if (base >= end) break;
        for (std::uint64_t at = 0; at < kChunkPages; ++at)
            if (base + at >= first && base + at < end) count(chunk->second, at, counts);
    }
    return counts;
}

bool is_memory(Op op) { return op == Op::load || op == Op::store || op == Op::atomic || op == Op::reduce; }

void touch_pages(const Inst& inst, unsigned sm, PageMap& pages, std::uint64_t page_bytes) {
    if (inst.mask == 0) return;
    const bool write = inst.op != Op::load;
    std::uint64_t last = ~0ULL;
    const auto touch = [&](std::uint64_t address) {
        const std::uint64_t page = pages.page_of(address);
        if (page == last) return;
        last = page;
        pages.touch(page, sm, write);
    };
    const auto touch_lane = [&](unsigned lane) {
        const std::uint64_t address = inst.address(lane);
        touch(address);
        touch(address + inst.width - 1);
    };
    const std::uint64_t span = static_cast<std::uint64_t>(std::abs(std::int64_t{inst.stride})) * (kWarpLanes - 1);
    if (inst.mode == AddressMode::affine && span < page_bytes) { // no page lies between those of its ends
        touch_lane(static_cast<unsigned>(__builtin_ctz(inst.mask)));
        touch_lane(31U - static_cast<unsigned>(__builtin_clz(inst.mask)));
        return;
    }
    for (std::uint32_t mask = inst.mask; mask != 0; mask &= mask - 1)
        touch_lane(static_cast<unsigned>(__builtin_ctz(mask)));
}

/// A kernel on its SMs, a turn of all resident warps at a time.
class LaunchWalk {
  public:
    LaunchWalk(Kernel& kernel, const SharingOptions& options, PageMap& pages)
        : kernel_(kernel), options_(options), pages_(pages), warps_(kernel.shape().warps()), sms_(options.sms) {
        const std::uint64_t blocks = kernel.shape().blocks;
        for (std::uint64_t s = 0; s < sms_.size(); ++s) {
            Sm& sm = sms_[s];
            const bool contiguous = options.split == SmSplit::contiguous;
            sm.next = contiguous ? first_of(s, blocks) : s;
            sm.end = contiguous ? first_of(s + 1, blocks) : blocks;
        }
        std::uint64_t room = std::max<std::uint64_t>(1, options.warps_per_sm / warps_);
        if (kernel.shape().shared_bytes != 0)
            room = std::min<std::uint64_t>(room, options.shared_bytes_per_sm / kernel.shape().shared_bytes);
        room_ = std::max<std::uint64_t>(1, room);
    }

    /// Until the kernel has ended or `limit` thread instructions are executed; returns those that were.
    std::uint64_t walk(std::uint64_t limit, const std::function<void(std::uint64_t)>& progress) {
        std::uint64_t done = 0;
        for (bool running = true; running && done < limit;) {
            running = false;
            for (unsigned s = 0; s < sms_.size() && done < limit; ++s) {
                fill(sms_[s]);
                running = running || !sms_[s].resident.empty();
                done += turn(sms_[s], s, limit - done);
            }
            progress(done);
        }
        return done;
    }

    bool ended() const {
        return std::all_of(sms_.begin(), sms_.end(),
                           [](const Sm& sm) { return sm.resident.empty() && sm.next >= sm.end; });
    }

  private:
    struct Warp {
        std::uint32_t debt = 0; ///< instructions issued, but not executed yet
        std::uint32_t lanes = 0;
        bool ended = false;
    };
    struct Resident {
        std::unique_ptr<BlockStreams> streams;
        std::vector<Warp> warps;
        unsigned left = 0;
    };
    struct Sm {
        std::uint64_t next = 0, end = 0; ///< blocks
        std::vector<Resident> resident;
    };

    /// floor(sm * blocks / sms) without overflow.
    std::uint64_t first_of(std::uint64_t sm, std::uint64_t blocks) const {
        const std::uint64_t n = sms_.size();
        return blocks / n * sm + blocks % n * sm / n;
    }
    void fill(Sm& sm) {
        while (sm.resident.size() < room_ && sm.next < sm.end) {
            const std::uint64_t stride = options_.split == SmSplit::contiguous ? 1 : sms_.size();
            const std::uint64_t present = kernel_.next_block(sm.next);
            if (present != sm.next) { // a trace does not have all blocks
                sm.next += (present - sm.next + stride - 1) / stride * stride;
                continue;
            }
            sm.resident.push_back({kernel_.open(sm.next), std::vector<Warp>(warps_), warps_});
            sm.next += stride;
        }
    }
    std::uint64_t turn(Sm& sm, unsigned number, std::uint64_t limit) {
        std::uint64_t done = 0;
        for (Resident& block : sm.resident)
            for (unsigned w = 0; w < warps_ && done < limit; ++w)
                if (!block.warps[w].ended) done += turn_of_warp(block, w, number);
        const auto ended = [](const Resident& block) { return block.left == 0; };
        sm.resident.erase(std::remove_if(sm.resident.begin(), sm.resident.end(), ended), sm.resident.end());
        return done;
    }
    std::uint64_t turn_of_warp(Resident& block, unsigned w, unsigned number) {
        Warp& warp = block.warps[w];
        std::uint64_t done = 0;
        for (std::uint32_t room = kTurn; room != 0;) {
            if (warp.debt == 0) {
                const Inst& inst = *block.streams->warp(w).fetch();
                if (is_memory(inst.op)) touch_pages(inst, number, pages_, options_.page_bytes);
                warp.debt = inst.repeat;
                warp.lanes = static_cast<std::uint32_t>(__builtin_popcount(inst.mask));
                warp.ended = inst.op == Op::exit;
                if (warp.ended) {
                    --block.left;
                    return done + std::uint64_t{warp.debt} * warp.lanes;
                }
            }
            const std::uint32_t part = std::min(warp.debt, room);
            warp.debt -= part;
            room -= part;
            done += std::uint64_t{part} * warp.lanes;
        }
        return done;
    }

    Kernel& kernel_;
    const SharingOptions& options_;
    PageMap& pages_;
    unsigned warps_;
    std::uint64_t room_ = 1;
    std::vector<Sm> sms_;
};

} // namespace

PageSharing count_page_sharing(const Workload& workload, const SharingOptions& options,
                               const std::function<void(std::uint64_t)>& progress) {
    PageMap pages(options.sms, options.page_bytes);
    PageMap of_launch(options.sms, options.page_bytes);
    PageSharing sharing;
    std::unordered_map<const Kernel*, std::uint64_t> walked; ///< whole, with their thread instructions
    sharing.whole = true;
    for (const Launch& launch : workload.launches) {
        if (!launch.kernel) continue;
        ++sharing.launches_in_all;
        const std::uint64_t left = options.thread_instructions - sharing.thread_instructions;
        if (left == 0) {
            sharing.whole = false;
            continue;
        }
        ++sharing.launches;
        const auto before = walked.find(launch.kernel.get());
        if (before != walked.end()) { // the same blocks on the same SMs touch the same pages
            sharing.whole = sharing.whole && before->second <= left;
            sharing.thread_instructions += std::min(left, before->second);
            continue;
        }
        of_launch.clear();
        LaunchWalk walk(*launch.kernel, options, of_launch);
        const std::uint64_t done = walk.walk(left, [&](std::uint64_t in_launch) {
            if (progress) progress(sharing.thread_instructions + in_launch);
        });
        pages.add(of_launch);
        if (walk.ended())
            walked[launch.kernel.get()] = done;
        else
            sharing.whole = false;
        sharing.thread_instructions += std::min(left, done);
    }
    sharing.all = pages.counts(0, ~0ULL);
    for (const Range& range : workload.ranges)
        sharing.arrays.push_back(
            {range.name, range.bytes,
             pages.counts(pages.page_of(range.base), pages.page_of(range.base + range.bytes - 1) + 1)});
    return sharing;
}

} // namespace numavp
