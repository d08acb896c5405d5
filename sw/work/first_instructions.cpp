#include "sw/work/first_instructions.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace numavp {
namespace {

/// A warp that only ends.
class EndedWarp : public WarpStream {
  public:
    EndedWarp() {
        end_.op = Op::exit;
        end_.repeat = 0; // counts as no instruction
    }

  private:
    InstSpan make() override { return {&end_, &end_ + 1}; }
    Inst end_;
};

class EndedBlock : public BlockStreams {
  public:
    explicit EndedBlock(unsigned warps) : warps_(warps) {}
    WarpStream& warp(unsigned w) override { return warps_[w]; }

  private:
    std::vector<EndedWarp> warps_;
};

/// The first block of a range: equal contiguous parts of a launch's blocks.
std::uint64_t first_block(std::uint64_t blocks, std::uint64_t range) {
    return blocks / kCutRanges * range + blocks % kCutRanges * range / kCutRanges;
}

/// Blocks of a launch in the order in which ranges that advance alike take them, up to a limit: of each range the first
/// `rounds`, and of the first `more` ranges one more.
struct HeadOfLaunch {
    std::uint64_t rounds = 0, more = 0;
    std::uint64_t blocks = 0, instructions = 0; ///< of these
    bool holds(std::uint64_t block, std::uint64_t of_blocks) const {
        const double share = static_cast<double>(block) / static_cast<double>(of_blocks);
        auto range = static_cast<std::uint64_t>(share * static_cast<double>(kCutRanges)); // or beside it
        while (first_block(of_blocks, range) > block) --range;
        while (first_block(of_blocks, range + 1) <= block) ++range;
        const std::uint64_t at = block - first_block(of_blocks, range);
        return at < rounds || (at == rounds && range < more);
    }
};

/// Some blocks of a kernel.
class SomeBlocks : public Kernel {
  public:
    SomeBlocks(std::shared_ptr<Kernel> whole, const HeadOfLaunch& head)
        : whole_(std::move(whole)), head_(head), shape_(whole_->shape()) {
        const double share = static_cast<double>(head.blocks) / static_cast<double>(shape_.blocks);
        shape_.accesses = static_cast<std::uint64_t>(static_cast<double>(shape_.accesses) * share);
    }
    const KernelShape& shape() const override { return shape_; }
    std::unique_ptr<BlockStreams> open(std::uint64_t index) override {
        if (head_.holds(index, shape_.blocks)) return whole_->open(index);
        return std::make_unique<EndedBlock>(shape_.warps());
    }
    std::uint64_t next_block(std::uint64_t index) override {
        for (std::uint64_t b = whole_->next_block(index); b < shape_.blocks; b = whole_->next_block(b + 1))
            if (head_.holds(b, shape_.blocks)) return b;
        return shape_.blocks;
    }
    std::string place() const override { return whole_->place(); }

  private:
    std::shared_ptr<Kernel> whole_;
    HeadOfLaunch head_;
    KernelShape shape_;
};

HeadOfLaunch head_of(Kernel& kernel, std::uint64_t limit) {
    const std::uint64_t blocks = kernel.shape().blocks, rounds = (blocks + kCutRanges - 1) / kCutRanges;
    HeadOfLaunch head;
    for (; head.rounds < rounds; ++head.rounds, head.more = 0)
        for (; head.more < kCutRanges; ++head.more) {
            if (head.instructions >= limit) return head;
            const std::uint64_t block = first_block(blocks, head.more) + head.rounds;
            if (block >= first_block(blocks, head.more + 1) || kernel.next_block(block) != block) continue;
            ++head.blocks;
            head.instructions += thread_instructions(kernel, block);
        }
    return head;
}

} // namespace

std::uint64_t thread_instructions(Kernel& kernel, std::uint64_t block) {
    std::uint64_t sum = 0;
    const std::unique_ptr<BlockStreams> streams = kernel.open(block);
    for (unsigned w = 0; w < kernel.shape().warps(); ++w) {
        WarpStream& warp = streams->warp(w);
        for (bool ended = false; !ended;) {
            const Inst& inst = *warp.fetch();
            sum += std::uint64_t{inst.repeat} * static_cast<unsigned>(__builtin_popcount(inst.mask));
            ended = inst.op == Op::exit;
        }
    }
    return sum;
}

Workload first_instructions(Workload workload, std::uint64_t limit) {
    if (limit == 0) return workload;
    std::map<const Kernel*, std::uint64_t> known; // of kernels that were launched whole
    std::uint64_t done = 0;
    for (std::size_t i = 0; i < workload.launches.size(); ++i) {
        Launch& launch = workload.launches[i];
        if (!launch.kernel) continue;
        const auto before = known.find(launch.kernel.get());
        if (before != known.end() && done + before->second < limit) {
            done += before->second;
            continue;
        }
        const HeadOfLaunch head = head_of(*launch.kernel, limit - done);
        if (done + head.instructions < limit) {
            known[launch.kernel.get()] = head.instructions;
            done += head.instructions;
            continue;
        }
        launch.kernel = std::make_shared<SomeBlocks>(launch.kernel, head);
        workload.launches.resize(i + 1);
        return workload;
    }
    return workload;
}

} // namespace numavp
