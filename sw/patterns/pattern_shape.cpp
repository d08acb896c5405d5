#include "sw/patterns/pattern_shape.h"

#include "base/values/rng.h"
#include "sw/loops/program.h"

namespace numavp {
namespace {

constexpr std::uint32_t kShapeThreads = 256;
constexpr std::uint64_t kGatherWords = (std::uint64_t{256} << 20) / kFloatBytes;

/// Common part of the four shapes: thread t is lane t % 32 of warp t / 32 of the grid.
struct Base {
    std::uint64_t a = 0, b = 0, c = 0;
    std::uint64_t threads = 0; ///< of the grid
    std::uint64_t seed = 0;

    Lanes element(std::uint64_t array, std::uint64_t first) const {
        return contiguous(array + first * kFloatBytes, kFloatBytes);
    }
};

std::uint64_t first_thread(std::uint64_t block, unsigned warp) {
    return block * kShapeThreads + std::uint64_t{warp} * kWarpLanes;
}

struct VecAdd : Base {
    class Warp final : public StepStream<Warp, 17> {
      public:
        Warp(const VecAdd& s, std::uint64_t block, unsigned warp) : s_(s), first_(first_thread(block, warp)) {}
        void step(Emitter& e) {
            enum : std::uint8_t { r_index, r_a, r_b, r_to, r_sum };
            for (int i = 0; i < 10; ++i) e.compute(r_index, {r_index}); // IMAD
            e.load(r_a, s_.element(s_.a, first_), {r_index});
            e.load(r_b, s_.element(s_.b, first_), {r_index});
            e.compute(r_to, {r_index}); // IMAD.WIDE
            e.compute(r_sum, {r_a, r_b});
            e.compute(r_sum, {r_sum});
            e.store(s_.element(s_.c, first_), {r_to, r_sum});
            e.exit();
        }

      private:
        const VecAdd& s_;
        std::uint64_t first_;
    };
};

constexpr std::uint8_t kStreamLoads = 16;
constexpr std::uint8_t kStreamStores = 4;

struct Stream : Base {
    class Warp final : public StepStream<Warp, 2 * kStreamLoads + kStreamStores + 1> {
      public:
        Warp(const Stream& s, std::uint64_t block, unsigned warp) : s_(s), first_(first_thread(block, warp)) {}
        void step(Emitter& e) {
            constexpr std::uint8_t kIndex = 0;
            constexpr std::uint8_t kLoaded = 1;
            constexpr std::uint8_t kSum = kLoaded + kStreamLoads;
            for (std::uint8_t u = 0; u < kStreamLoads; ++u)
                e.load(static_cast<std::uint8_t>(kLoaded + u), s_.element(s_.a, u * s_.threads + first_), {kIndex});
            for (std::uint8_t u = 0; u < kStreamLoads; ++u) {
                const auto sum = static_cast<std::uint8_t>(kSum + u % kStreamStores);
                e.compute(sum, {static_cast<std::uint8_t>(kLoaded + u), sum});
            }
            for (std::uint8_t u = 0; u < kStreamStores; ++u)
                e.store(s_.element(s_.c, u * s_.threads + first_), {kIndex, static_cast<std::uint8_t>(kSum + u)});
            e.exit();
        }

      private:
        const Stream& s_;
        std::uint64_t first_;
    };
};

constexpr unsigned kGatherLoads = 4;

struct Gather : Base {
    class Warp final : public StepStream<Warp, 2 * kGatherLoads + 10, kGatherLoads> {
      public:
        Warp(const Gather& s, std::uint64_t block, unsigned warp)
            : s_(s), first_(first_thread(block, warp)), rng_(s.seed, first_) {}
        void step(Emitter& e) {
            enum : std::uint8_t { r_index, r_to, r_sum, r_loaded };
            for (unsigned i = 0; i < kGatherLoads; ++i) {
                e.compute(r_index, {r_index});
                LaneList lanes = e.list();
                for (unsigned lane = 0; lane < kWarpLanes; ++lane)
                    lanes.set(lane, s_.a + rng_.next() % kGatherWords * kFloatBytes);
                e.load(static_cast<std::uint8_t>(r_loaded + i), lanes, kFloatBytes, {r_index});
            }
            for (unsigned i = 0; i < 2 * kGatherLoads; ++i)
                e.compute(r_sum, {static_cast<std::uint8_t>(r_loaded + i % kGatherLoads), r_sum});
            e.store(s_.element(s_.c, first_), {r_to, r_sum});
            e.exit();
        }

      private:
        const Gather& s_;
        std::uint64_t first_;
        Rng rng_;
    };
};

constexpr unsigned kComputeInsts = 200;
constexpr unsigned kChains = 8;

struct Arithmetic : Base {
    class Warp final : public StepStream<Warp, kChains + 2> {
      public:
        Warp(const Arithmetic& s, std::uint64_t block, unsigned warp) : s_(s), first_(first_thread(block, warp)) {}
        void step(Emitter& e) {
            enum : std::uint8_t { r_index, r_value, r_chain };
            if (done_ == 0) e.load(r_value, s_.element(s_.a, first_), {r_index});
            if (done_ == kComputeInsts) {
                e.store(s_.element(s_.c, first_), {r_index, r_chain});
                e.exit();
                return;
            }
            for (unsigned i = 0; i < kChains; ++i, ++done_) {
                const auto chain = static_cast<std::uint8_t>(r_chain + i);
                e.compute(chain, {r_value, chain});
            }
        }

      private:
        const Arithmetic& s_;
        std::uint64_t first_;
        unsigned done_ = 0;
    };
};

/// Global memory instructions of a warp.
unsigned accesses_of(ShapeKind kind) {
    switch (kind) {
    case ShapeKind::vecadd: return 3;
    case ShapeKind::stream: return kStreamLoads + kStreamStores;
    case ShapeKind::gather: return kGatherLoads + 1;
    case ShapeKind::compute: return 2;
    }
    return 0;
}

} // namespace

Shape::Shape(const Parameters& parameters, const PatternContext& context) : p_(parameters), seed_(context.seed) {
    p_.blocks = context.scaled(p_.blocks);
}

std::vector<ArrayNeed> Shape::arrays() const {
    const std::uint64_t bytes = p_.blocks * kShapeThreads * kFloatBytes;
    switch (p_.kind) {
    case ShapeKind::vecadd: return {{"a", bytes}, {"b", bytes}, {"c", bytes}};
    case ShapeKind::stream: return {{"a", kStreamLoads * bytes}, {"c", kStreamStores * bytes}};
    case ShapeKind::gather: return {{"a", kGatherWords * kFloatBytes}, {"c", bytes}};
    case ShapeKind::compute: return {{"a", bytes}, {"c", bytes}};
    }
    return {};
}

std::vector<std::shared_ptr<Kernel>> Shape::kernels(const ArrayBases& at) const {
    KernelShape shape;
    shape.name = std::string(kShapeKindNames.name(p_.kind));
    shape.blocks = p_.blocks;
    shape.threads = kShapeThreads;
    shape.registers = p_.registers;
    shape.accesses = p_.blocks * shape.warps() * accesses_of(p_.kind);
    Base base;
    base.a = at.at("a");
    base.b = p_.kind == ShapeKind::vecadd ? at.at("b") : 0;
    base.c = at.at("c");
    base.threads = p_.blocks * kShapeThreads;
    base.seed = seed_;
    switch (p_.kind) {
    case ShapeKind::vecadd: return {make_kernel(shape, VecAdd{base})};
    case ShapeKind::stream: return {make_kernel(shape, Stream{base})};
    case ShapeKind::gather: return {make_kernel(shape, Gather{base})};
    case ShapeKind::compute: return {make_kernel(shape, Arithmetic{base})};
    }
    return {};
}

} // namespace numavp
