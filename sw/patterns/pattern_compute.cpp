#include "sw/patterns/pattern_compute.h"

#include "sw/loops/program.h"

namespace numavp {
namespace {

struct Chains {
    std::uint64_t input, output;
    std::uint32_t rounds, independent, threads;

    class Warp final : public StepStream<Warp, 4> {
      public:
        Warp(const Chains& c, std::uint64_t block, unsigned warp)
            : c_(c), element_(block * c.threads + std::uint64_t{warp} * kWarpLanes) {}

        void step(Emitter& e) {
            enum : std::uint8_t { r_index, r_value, r_state };
            if (round_ == 0) {
                e.compute(r_index, {});
                e.load(r_value, contiguous(c_.input + element_ * kFloatBytes, kFloatBytes), {r_index}).read_only = true;
                e.compute(r_state, {r_value}, c_.independent);
            } else if (round_ < c_.rounds) {
                e.compute(r_state, {r_state}, c_.independent);
            } else {
                e.store(contiguous(c_.output + element_ * kFloatBytes, kFloatBytes), {r_index, r_state});
                e.exit();
            }
            ++round_;
        }

      private:
        const Chains& c_;
        std::uint64_t element_;
        std::uint32_t round_ = 0;
    };
};

} // namespace

Compute::Compute(const Parameters& parameters, const PatternContext& context) : p_(parameters) {
    p_.blocks = context.scaled(p_.blocks);
}

std::vector<ArrayNeed> Compute::arrays() const {
    const std::uint64_t bytes = p_.blocks * p_.threads * kFloatBytes;
    return {{"input", bytes}, {"output", bytes}};
}

std::vector<std::shared_ptr<Kernel>> Compute::kernels(const ArrayBases& at) const {
    const std::shared_ptr<Kernel> kernel =
        make_kernel(p_.shape("compute", p_.blocks, 2 * p_.blocks * p_.warps()),
                    Chains{at.at("input"), at.at("output"), p_.rounds, p_.independent, p_.threads});
    return {p_.iterations, kernel};
}

} // namespace numavp
