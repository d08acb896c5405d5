#include "sw/loops/joined_kernel.h"

#include <algorithm>
#include <utility>

#include "base/values/error.h"

namespace numavp {
namespace {

class JoinedKernel final : public Kernel {
  public:
    JoinedKernel(std::vector<std::shared_ptr<Kernel>> parts, char digit)
        : parts_(std::move(parts)), shape_(parts_.front()->shape()), each_(shape_.blocks) {
        shape_.accesses = 0;
        for (const std::shared_ptr<Kernel>& part : parts_) {
            if (part->shape().blocks != each_) throw ModelError("parts of a launch have different numbers of blocks");
            shape_.accesses += part->shape().accesses;
        }
        shape_.blocks = each_ * parts_.size();
        if (!shape_.digits.empty()) shape_.digits.push_back({digit, parts_.size()});
    }
    const KernelShape& shape() const override { return shape_; }
    std::unique_ptr<BlockStreams> open(std::uint64_t index) override {
        return parts_[index / each_]->open(index % each_);
    }

  private:
    std::vector<std::shared_ptr<Kernel>> parts_;
    KernelShape shape_;
    std::uint64_t each_;
};

} // namespace

std::shared_ptr<Kernel> join_kernels(std::vector<std::shared_ptr<Kernel>> parts, char digit) {
    if (parts.size() == 1) return std::move(parts.front());
    return std::make_shared<JoinedKernel>(std::move(parts), digit);
}

std::uint64_t ranks_of(const KernelShape& shape) {
    std::uint64_t ranks = 0;
    for (auto digit = shape.digits.rbegin(); digit != shape.digits.rend(); ++digit) {
        if (digit->name != kRankDigit && digit->name != kGroupDigit) break;
        ranks = std::max<std::uint64_t>(ranks, 1) * digit->count;
    }
    return ranks;
}

} // namespace numavp
