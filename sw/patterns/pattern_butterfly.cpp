#include "sw/patterns/pattern_butterfly.h"

#include <algorithm>

#include "sw/loops/program.h"

namespace numavp {
namespace {

constexpr std::uint64_t kPoint = 8; ///< bytes of a complex number
/// A complex multiply is 4 multiply-adds, the sum and the difference 4 additions.
constexpr unsigned kMultiply = 4;
constexpr unsigned kAdd = 4;
constexpr std::uint32_t kMinLog2Points = 6;  ///< a warp's pairs
constexpr std::uint32_t kMaxLog2Points = 28; ///< the stride of the twiddle factors fits an instruction

struct Stage {
    std::uint64_t data, twiddle;
    std::uint32_t log2_points, stage;
    std::uint32_t threads;

    /// Thread i does pair i of the stage.
    class Warp final : public StepStream<Warp, 10, 2> {
      public:
        Warp(const Stage& s, std::uint64_t block, unsigned warp)
            : s_(s), pair_(block * s.threads + std::uint64_t{warp} * kWarpLanes) {}

        void step(Emitter& e) {
            enum : std::uint8_t { r_index, r_low, r_high, r_twiddle, r_product, r_sum, r_difference };
            if (pair_ >> (s_.log2_points - 1) != 0) { // the block is larger than the transform
                e.exit();
                return;
            }
            e.compute(r_index, {});
            if (s_.stage >= 5) {
                // A warp's pairs follow each other.
                const Lanes low = contiguous(element(pair_), kPoint);
                const Lanes high = contiguous(element(pair_) + (kPoint << s_.stage), kPoint);
                e.load(r_low, low, {r_index});
                e.load(r_high, high, {r_index});
                e.load(r_twiddle, twiddles(), {r_index}).read_only = true;
                arithmetic(e);
                e.store(low, {r_index, r_sum});
                e.store(high, {r_index, r_difference});
            } else {
                const LaneList low = pairs(e, 0);
                const LaneList high = pairs(e, kPoint << s_.stage);
                e.load(r_low, low, kPoint, {r_index});
                e.load(r_high, high, kPoint, {r_index});
                e.load(r_twiddle, twiddles(), {r_index}).read_only = true;
                arithmetic(e);
                e.store(low, kPoint, {r_index, r_sum});
                e.store(high, kPoint, {r_index, r_difference});
            }
            e.exit();
        }

      private:
        static void arithmetic(Emitter& e) {
            enum : std::uint8_t { r_index, r_low, r_high, r_twiddle, r_product, r_sum, r_difference };
            e.compute(r_product, {r_high, r_twiddle}, kMultiply);
            e.compute(r_sum, {r_low, r_product}, kAdd / 2);
            e.compute(r_difference, {r_low, r_product}, kAdd / 2);
        }
        std::uint64_t element(std::uint64_t pair) const {
            const std::uint64_t within = pair & ((1ULL << s_.stage) - 1);
            return s_.data + ((pair >> s_.stage << (s_.stage + 1)) + within) * kPoint;
        }
        LaneList pairs(Emitter& e, std::uint64_t offset) const {
            LaneList lanes = e.list();
            for (unsigned lane = 0; lane < kWarpLanes; ++lane) lanes.set(lane, element(pair_ + lane) + offset);
            return lanes;
        }
        /// Factor (pair mod 2^stage) * 2^(n - 1 - stage) of the table; within a warp that is a stride.
        Lanes twiddles() const {
            const std::uint64_t step = kPoint << (s_.log2_points - 1 - s_.stage);
            const std::uint64_t within = pair_ & ((1ULL << s_.stage) - 1);
            if (s_.stage >= 5) return {s_.twiddle + within * step, static_cast<std::int32_t>(step), kPoint, ~0U};
            return broadcast_group(step);
        }
        /// Early stages use so few factors that lanes share them: the first 2^stage lanes fetch for all.
        Lanes broadcast_group(std::uint64_t step) const {
            const auto mask = static_cast<std::uint32_t>((1ULL << (1U << s_.stage)) - 1);
            return {s_.twiddle, static_cast<std::int32_t>(step), kPoint, mask};
        }

        const Stage& s_;
        std::uint64_t pair_;
    };
};

} // namespace

void ButterflyParameters::validate(const Place& place) const {
    BlockParameters::validate(place);
    if (first_stage >= log2_points)
        throw ConfigError(place.at("first_stage"), "there are only stages 0 to " + std::to_string(log2_points - 1));
}

Butterfly::Butterfly(const Parameters& parameters, const PatternContext& context) : p_(parameters) {
    const std::uint64_t points = context.scaled(1ULL << p_.log2_points);
    p_.log2_points = kMinLog2Points;
    while (p_.log2_points < kMaxLog2Points && (2ULL << p_.log2_points) <= points) ++p_.log2_points;
    p_.first_stage = std::min(p_.first_stage, p_.log2_points - 1);
}

std::vector<ArrayNeed> Butterfly::arrays() const {
    const std::uint64_t points = 1ULL << p_.log2_points;
    return {{"data", points * kPoint}, {"twiddle", points / 2 * kPoint}};
}

std::vector<std::shared_ptr<Kernel>> Butterfly::kernels(const ArrayBases& at) const {
    const std::uint64_t pairs = 1ULL << (p_.log2_points - 1);
    std::vector<std::shared_ptr<Kernel>> stages;
    for (std::uint32_t s = p_.first_stage; s < p_.log2_points; ++s) {
        stages.push_back(make_kernel(
            p_.shape("stage_" + std::to_string(s), (pairs + p_.threads - 1) / p_.threads, 5 * pairs / kWarpLanes),
            Stage{at.at("data"), at.at("twiddle"), p_.log2_points, s, p_.threads}));
    }
    std::vector<std::shared_ptr<Kernel>> launches;
    for (std::uint32_t i = 0; i < p_.passes; ++i) launches.insert(launches.end(), stages.begin(), stages.end());
    return launches;
}

} // namespace numavp
