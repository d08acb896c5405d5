#include "sw/work/count.h"

#include <algorithm>
#include <map>

#include "sw/work/coalesce.h"

namespace numavp {
namespace {

void count_memory(const Inst& inst, StreamCounts& counts, Footprint* footprint) {
    LineAccess lines[kMaxLinesPerInst];
    const unsigned n = coalesce(inst, lines);
    if (n == 0) return;
    counts.memory_instructions += inst.repeat;
    if (inst.op == Op::load)
        counts.loads += inst.repeat;
    else if (inst.op == Op::store)
        counts.stores += inst.repeat;
    else
        counts.atomics += inst.repeat;
    for (unsigned i = 0; i < n; ++i) {
        counts.line_accesses += inst.repeat;
        counts.sectors += std::uint64_t{lines[i].mask.sectors()} * inst.repeat;
        if (footprint != nullptr) footprint->touch(lines[i].line_address, lines[i].mask);
    }
}

} // namespace

StreamCounts& StreamCounts::operator+=(const StreamCounts& o) {
    warp_instructions += o.warp_instructions;
    memory_instructions += o.memory_instructions;
    loads += o.loads;
    stores += o.stores;
    atomics += o.atomics;
    line_accesses += o.line_accesses;
    sectors += o.sectors;
    copied_bytes += o.copied_bytes;
    blocks += o.blocks;
    return *this;
}

bool StreamCounts::operator==(const StreamCounts& o) const {
    return warp_instructions == o.warp_instructions && memory_instructions == o.memory_instructions &&
           loads == o.loads && stores == o.stores && atomics == o.atomics && line_accesses == o.line_accesses &&
           sectors == o.sectors && copied_bytes == o.copied_bytes && blocks == o.blocks;
}

Footprint::Region& Footprint::region(std::uint64_t address) {
    const std::uint64_t key = address >> kRegionShift;
    if (key != last_key_) {
        Region& found = regions_[key];
        if (found.empty()) found.resize(kWords);
        last_key_ = key;
        last_ = &found; // nodes of an unordered_map don't move
    }
    return *last_;
}

void Footprint::touch(std::uint64_t line_address, const ByteMask& mask) {
    constexpr std::uint64_t kSector = 0xffffffff;
    const std::uint64_t sectors = ((mask.lo & kSector) != 0 ? 1U : 0U) | ((mask.lo >> 32) != 0 ? 2U : 0U) |
                                  ((mask.hi & kSector) != 0 ? 4U : 0U) | ((mask.hi >> 32) != 0 ? 8U : 0U);
    const std::uint64_t first = line_address % (1ULL << kRegionShift) / kSectorBytes;
    region(line_address)[first / 64] |= sectors << (first % 64);
}

void Footprint::touch_range(std::uint64_t base, std::uint64_t bytes) {
    if (bytes == 0) return;
    for (std::uint64_t sector = base / kSectorBytes; sector <= (base + bytes - 1) / kSectorBytes; ++sector) {
        const std::uint64_t address = sector * kSectorBytes;
        touch(address - address % kLineBytes, ByteMask::range(address % kLineBytes, kSectorBytes));
    }
}

std::uint64_t Footprint::bytes() const {
    std::uint64_t sectors = 0;
    for (const auto& entry : regions_)
        for (const std::uint64_t word : entry.second) sectors += static_cast<unsigned>(__builtin_popcountll(word));
    return sectors * kSectorBytes;
}

std::uint64_t Footprint::page_footprint(std::uint64_t page_bytes) const {
    const std::size_t words = std::max<std::size_t>(1, page_bytes / kSectorBytes / 64);
    std::uint64_t pages = 0;
    for (const auto& entry : regions_) {
        for (std::size_t first = 0; first < kWords; first += words) {
            const auto begin = entry.second.begin() + static_cast<std::ptrdiff_t>(first);
            pages += std::any_of(begin, begin + static_cast<std::ptrdiff_t>(words),
                                 [](std::uint64_t word) { return word != 0; })
                         ? 1U
                         : 0U;
        }
    }
    return pages * page_bytes;
}

std::uint64_t Footprint::end() const {
    std::uint64_t highest = 0;
    for (const auto& entry : regions_) {
        for (std::size_t i = 0; i < kWords; ++i) {
            if (entry.second[i] == 0) continue;
            const auto bit = static_cast<std::uint64_t>(63 - __builtin_clzll(entry.second[i]));
            highest = std::max(highest, (entry.first << kRegionShift) + (i * 64 + bit + 1) * kSectorBytes);
        }
    }
    return highest;
}

StreamCounts count_block(Kernel& kernel, std::uint64_t index, Footprint* footprint) {
    StreamCounts counts;
    const std::unique_ptr<BlockStreams> block = kernel.open(index);
    for (unsigned w = 0; w < kernel.shape().warps(); ++w) {
        WarpStream& warp = block->warp(w);
        for (;;) {
            const Inst& inst = *warp.fetch();
            counts.warp_instructions += inst.repeat;
            if (inst.op == Op::exit) break;
            const bool memory =
                inst.op == Op::load || inst.op == Op::store || inst.op == Op::atomic || inst.op == Op::reduce;
            if (memory) count_memory(inst, counts, footprint);
        }
    }
    return counts;
}

StreamCounts count_kernel(Kernel& kernel, Footprint* footprint) {
    StreamCounts counts;
    for (std::uint64_t b = kernel.next_block(0); b < kernel.shape().blocks; b = kernel.next_block(b + 1)) {
        ++counts.blocks;
        counts += count_block(kernel, b, footprint);
    }
    return counts;
}

StreamCounts count_workload(const Workload& workload, Footprint* footprint) {
    StreamCounts total;
    std::map<const Kernel*, StreamCounts> walked;
    for (const Launch& launch : workload.launches) {
        if (!launch.kernel) {
            total.copied_bytes += launch.bytes;
            continue;
        }
        const auto found = walked.find(launch.kernel.get());
        if (found == walked.end())
            total += walked[launch.kernel.get()] = count_kernel(*launch.kernel, footprint);
        else
            total += found->second;
    }
    return total;
}

std::uint64_t count_accesses(Kernel& kernel) {
    std::uint64_t accesses = 0;
    for (std::uint64_t b = 0; b < kernel.shape().blocks; ++b) {
        const std::unique_ptr<BlockStreams> block = kernel.open(b);
        for (unsigned w = 0; w < kernel.shape().warps(); ++w) {
            WarpStream& warp = block->warp(w);
            for (const Inst* inst = warp.fetch(); inst->op != Op::exit; inst = warp.fetch()) {
                const bool memory =
                    inst->op == Op::load || inst->op == Op::store || inst->op == Op::atomic || inst->op == Op::reduce;
                if (memory) accesses += inst->repeat;
            }
        }
    }
    return accesses;
}

} // namespace numavp
