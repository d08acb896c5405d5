#include "communication/records/kernel_arrays.h"

#include <algorithm>
#include <memory>

namespace numavp {

std::size_t range_of(const std::vector<Range>& ranges, std::uint64_t address) {
    const auto holds = [address](const Range& r) { return address >= r.base && address - r.base < r.bytes; };
    return static_cast<std::size_t>(std::find_if(ranges.begin(), ranges.end(), holds) - ranges.begin());
}

namespace {
void touch(const Inst& inst, const std::vector<Range>& ranges, KernelArrays& arrays) {
    const bool memory = inst.op == Op::load || inst.op == Op::store || inst.op == Op::atomic || inst.op == Op::reduce;
    if (!memory || inst.mask == 0) return;
    // An instruction's lanes access one array: the first that is active says which.
    const std::size_t range = range_of(ranges, inst.address(static_cast<unsigned>(__builtin_ctz(inst.mask))));
    if (range == ranges.size()) return;
    if (inst.op != Op::store) arrays.reads[range] = true;
    if (inst.op != Op::load) arrays.writes[range] = true;
}
} // namespace

KernelArrays touched_arrays(Kernel& kernel, const std::vector<Range>& ranges) {
    KernelArrays arrays{std::vector<bool>(ranges.size()), std::vector<bool>(ranges.size())};
    // Blocks of a kernel run one program: 16 of them, edges among them, show its arrays in a moment.
    constexpr std::uint64_t kBlocks = 16;
    const std::uint64_t blocks = kernel.shape().blocks, walked = std::min(blocks, kBlocks);
    for (std::uint64_t b = 0; b < walked; ++b) {
        const std::uint64_t spread = walked == 1 ? 0 : b * (blocks - 1) / (walked - 1);
        const std::uint64_t block = kernel.next_block(spread);
        if (block >= blocks) continue;
        const std::unique_ptr<BlockStreams> streams = kernel.open(block);
        for (unsigned w = 0; w < kernel.shape().warps(); ++w) {
            const Inst* inst = nullptr;
            do {
                inst = streams->warp(w).fetch();
                touch(*inst, ranges, arrays);
            } while (inst->op != Op::exit);
        }
    }
    return arrays;
}

} // namespace numavp
