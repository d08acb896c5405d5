#include "sw/patterns/pattern_stream_triad.h"

#include "sw/loops/program.h"

namespace numavp {
namespace {

struct Triad {
    std::uint64_t a, b, c; ///< array bases
    std::uint64_t elements;
    std::uint32_t bytes;
    std::uint32_t per_thread;
    std::uint32_t threads;

    class Warp final : public StepStream<Warp, 6> {
      public:
        Warp(const Triad& t, std::uint64_t block, unsigned warp)
            : t_(t), first_(block * t.threads * t.per_thread + std::uint64_t{warp} * kWarpLanes) {}

        void step(Emitter& e) {
            enum : std::uint8_t { r_index, r_b, r_c, r_a };
            if (i_ == 0) e.compute(r_index, {});
            const std::uint64_t element = first_ + std::uint64_t{i_} * t_.threads;
            if (const std::uint32_t mask = lanes_below(element, t_.elements)) {
                const std::uint64_t offset = element * t_.bytes;
                e.load(r_b, contiguous(t_.b + offset, t_.bytes, mask), {r_index}).read_only = true;
                e.load(r_c, contiguous(t_.c + offset, t_.bytes, mask), {r_index}).read_only = true;
                e.compute(r_a, {r_b, r_c});
                e.store(contiguous(t_.a + offset, t_.bytes, mask), {r_index, r_a});
            }
            if (++i_ == t_.per_thread) e.exit();
            if (e.count() == 0) e.exit(); // all that follows lies behind the end too
        }

      private:
        const Triad& t_;
        std::uint64_t first_;
        std::uint32_t i_ = 0;
    };
};

} // namespace

void StreamTriadParameters::validate(const Place& place) const {
    BlockParameters::validate(place);
    if (element_bytes != 4 && element_bytes != 8 && element_bytes != 16)
        throw ConfigError(place.at("element_bytes"), "elements have 4, 8 or 16 bytes");
}

StreamTriad::StreamTriad(const Parameters& parameters, const PatternContext& context) : p_(parameters) {
    p_.elements = context.scaled(p_.elements);
}

std::vector<ArrayNeed> StreamTriad::arrays() const {
    const std::uint64_t bytes = p_.elements * p_.element_bytes;
    return {{"a", bytes}, {"b", bytes}, {"c", bytes}};
}

std::vector<std::shared_ptr<Kernel>> StreamTriad::kernels(const ArrayBases& at) const {
    const std::uint64_t chunk = std::uint64_t{p_.threads} * p_.elements_per_thread;
    const std::uint64_t groups = (p_.elements + kWarpLanes - 1) / kWarpLanes;
    const auto kernel = make_kernel(
        p_.shape("triad", (p_.elements + chunk - 1) / chunk, 3 * groups),
        Triad{at.at("a"), at.at("b"), at.at("c"), p_.elements, p_.element_bytes, p_.elements_per_thread, p_.threads});
    return {p_.iterations, kernel};
}

} // namespace numavp
