#include "sw/patterns/pattern_reduction.h"

#include "sw/loops/program.h"

namespace numavp {
namespace {

constexpr std::uint64_t kTouchStride = 4096; ///< the smallest page

/// First touch of the range by one block: a word of each 4 KB, which is cudaMemset as far as placement sees it.
struct Touch {
    std::uint64_t range, bytes;
    std::uint32_t warps;

    class Warp final : public StepStream<Warp, 2> {
      public:
        Warp(const Touch& t, std::uint64_t /*block*/, unsigned warp) : t_(t), page_(std::uint64_t{warp} * kWarpLanes) {}
        void step(Emitter& e) {
            const std::uint64_t pages = (t_.bytes + kTouchStride - 1) / kTouchStride;
            const std::uint32_t mask = lanes_below(page_, pages);
            if (mask == 0) {
                e.exit();
                return;
            }
            e.compute(0, {});
            e.store({t_.range + page_ * kTouchStride, static_cast<std::int32_t>(kTouchStride), 4, mask}, {0});
            page_ += std::uint64_t{t_.warps} * kWarpLanes;
        }

      private:
        const Touch& t_;
        std::uint64_t page_;
    };
};

struct SharedReads {
    std::uint64_t input, range;
    std::uint64_t read_bytes, result_bytes;
    Combine combine;
    std::uint32_t warps;

    class Warp final : public StepStream<Warp, 8> {
      public:
        Warp(const SharedReads& g, std::uint64_t block, unsigned warp)
            : g_(g), block_(block), read_(warp * kWarpVectorBytes), written_(std::uint64_t{warp} * kLineBytes) {}

        void step(Emitter& e) {
            enum : std::uint8_t { r_index, r_data, r_value };
            if (read_ < g_.read_bytes) {
                const std::uint64_t from = g_.input + block_ * g_.read_bytes + read_;
                e.compute(r_index, {r_index});
                e.load(r_data, contiguous(from, kVectorBytes), {r_index}).read_only = true;
                e.compute(r_value, {r_data}, 4); // one bin or partial sum for each of the four words
                e.shared(kNoReg, {r_value}, 4);
                read_ += g_.warps * kWarpVectorBytes;
                return;
            }
            if (!met_) {
                met_ = true;
                e.barrier(); // the block's table is complete
                return;
            }
            if (written_ >= g_.result_bytes) {
                e.exit();
                return;
            }
            e.shared(r_value, {r_index});
            if (g_.combine == Combine::store) {
                const std::uint64_t to = g_.range + block_ * g_.result_bytes + written_;
                e.store(contiguous(to, 4), {r_index, r_value});
            } else {
                // Blocks begin at different lines, so that they don't all queue for the same one.
                const std::uint64_t lines = g_.result_bytes / kLineBytes;
                const std::uint64_t line = (written_ / kLineBytes + block_) % lines;
                e.reduce(contiguous(g_.range + line * kLineBytes, 4), {r_index, r_value});
            }
            written_ += std::uint64_t{g_.warps} * kLineBytes;
        }

      private:
        const SharedReads& g_;
        std::uint64_t block_, read_, written_;
        bool met_ = false;
    };
};

} // namespace

void ReductionParameters::validate(const Place& place) const {
    BlockParameters::validate(place);
    if (read_bytes % kWarpVectorBytes != 0) throw ConfigError(place.at("read_bytes"), "multiples of 512 are allowed");
    if (result_bytes % kLineBytes != 0) throw ConfigError(place.at("result_bytes"), "multiples of 128 are allowed");
}

Reduction::Reduction(const Parameters& parameters, const PatternContext& context) : p_(parameters) {
    p_.blocks = context.scaled(p_.blocks);
}

std::uint64_t Reduction::range_bytes() const {
    return p_.combine == Combine::store ? p_.blocks * p_.result_bytes : p_.result_bytes;
}

std::vector<ArrayNeed> Reduction::arrays() const {
    return {{"input", p_.blocks * p_.read_bytes}, {"result", range_bytes()}};
}

std::vector<std::shared_ptr<Kernel>> Reduction::kernels(const ArrayBases& at) const {
    std::vector<std::shared_ptr<Kernel>> launches;
    if (p_.home == ResultHome::first_block) {
        const std::uint64_t pages = (range_bytes() + kTouchStride - 1) / kTouchStride;
        launches.push_back(make_kernel(p_.shape("clear_result", 1, (pages + kWarpLanes - 1) / kWarpLanes),
                                       Touch{at.at("result"), range_bytes(), p_.warps()}));
    }
    const std::uint64_t accesses = p_.blocks * (p_.read_bytes / kWarpVectorBytes + p_.result_bytes / kLineBytes);
    const std::shared_ptr<Kernel> reduce = make_kernel(
        p_.shape("reduce", p_.blocks, accesses, static_cast<std::uint32_t>(p_.result_bytes)),
        SharedReads{at.at("input"), at.at("result"), p_.read_bytes, p_.result_bytes, p_.combine, p_.warps()});
    launches.insert(launches.end(), p_.iterations, reduce);
    return launches;
}

} // namespace numavp
