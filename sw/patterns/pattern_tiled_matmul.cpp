#include "sw/patterns/pattern_tiled_matmul.h"

#include "sw/loops/program.h"

namespace numavp {
namespace {

constexpr std::uint64_t kTile = 64;  ///< rows and columns of a block's part of C
constexpr std::uint64_t kDepth = 32; ///< of a step along k
constexpr std::uint32_t kTileThreads = 256;
constexpr std::uint32_t kSharedBytes = 2 * kTile * kDepth * kFloatBytes;
constexpr unsigned kLoads =
    kTile * kDepth * kFloatBytes / kVectorBytes / kTileThreads; ///< of A, and of B, a thread and step

struct Product {
    std::uint64_t a, b, c;
    std::uint64_t n, k;

    class Warp final : public StepStream<Warp, 10, 2 * kLoads> {
      public:
        Warp(const Product& p, std::uint64_t block, unsigned warp) : p_(p), warp_(warp) {
            const std::uint64_t across = p.n / kTile;
            row_ = block / across * kTile;
            column_ = block % across * kTile;
        }

        void step(Emitter& e) {
            if (update_ == 0 && depth_ < p_.k)
                load_tiles(e);
            else if (depth_ < p_.k)
                rank_one_updates(e);
            else
                store_result(e);
        }

      private:
        enum : std::uint8_t { r_index, r_tile = 1, r_a = 8, r_b = 12, r_c = 16 };

        /// Each thread's 16-byte pieces of a tile with rows of `row_bytes`.
        LaneList pieces(Emitter& e, unsigned load, std::uint64_t base, std::uint64_t pitch, std::uint64_t row_bytes) {
            LaneList lanes = e.list();
            for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
                const std::uint64_t byte =
                    (std::uint64_t{load} * kTileThreads + warp_ * kWarpLanes + lane) * kVectorBytes;
                lanes.set(lane, base + byte / row_bytes * pitch + byte % row_bytes);
            }
            return lanes;
        }
        void load_tiles(Emitter& e) {
            const std::uint64_t a_tile = p_.a + (row_ * p_.k + depth_) * kFloatBytes;
            const std::uint64_t b_tile = p_.b + (depth_ * p_.n + column_) * kFloatBytes;
            e.compute(r_index, {r_index});
            for (unsigned i = 0; i < kLoads; ++i) {
                const auto dst = static_cast<std::uint8_t>(r_tile + i);
                e.load(dst, pieces(e, i, a_tile, p_.k * kFloatBytes, kDepth * kFloatBytes), kVectorBytes, {r_index})
                    .read_only = true;
            }
            for (unsigned i = 0; i < kLoads; ++i) {
                const auto dst = static_cast<std::uint8_t>(r_tile + kLoads + i);
                e.load(dst, pieces(e, i, b_tile, p_.n * kFloatBytes, kTile * kFloatBytes), kVectorBytes, {r_index})
                    .read_only = true;
            }
            for (unsigned i = 0; i < 2 * kLoads; ++i) e.shared(kNoReg, {static_cast<std::uint8_t>(r_tile + i)});
            e.barrier();
            update_ = 1;
        }
        /// Two of the 32 updates: fragments of A and B, then 16 independent multiply-adds.
        void rank_one_updates(Emitter& e) {
            for (std::uint8_t i = 0; i < 2; ++i, ++update_) {
                const auto a_part = static_cast<std::uint8_t>(r_a + i);
                const auto b_part = static_cast<std::uint8_t>(r_b + i);
                e.shared(a_part, {});
                e.shared(b_part, {});
                e.compute(r_c, {a_part, b_part, r_c}, 16);
            }
            if (update_ <= kDepth) return;
            e.barrier();
            update_ = 0;
            depth_ += kDepth;
        }
        /// Thread (ty, tx) of 16 x 16 stores four rows of four elements, a row at a time.
        void store_result(Emitter& e) {
            for (unsigned i = 0; i < 4; ++i) {
                LaneList lanes = e.list();
                for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
                    const unsigned thread = warp_ * kWarpLanes + lane;
                    const std::uint64_t row = row_ + thread / 16 * 4 + i;
                    lanes.set(lane,
                              p_.c + (row * p_.n + column_) * kFloatBytes + std::uint64_t{thread % 16} * kVectorBytes);
                }
                e.store(lanes, kVectorBytes, {r_index, r_c});
            }
            e.exit();
        }

        const Product& p_;
        unsigned warp_;
        std::uint64_t row_ = 0, column_ = 0, depth_ = 0;
        unsigned update_ = 0;
    };
};

} // namespace

void TiledMatmulParameters::validate(const Place& place) const {
    if (m % kTile != 0) throw ConfigError(place.at("m"), "multiples of 64 are allowed");
    if (n % kTile != 0) throw ConfigError(place.at("n"), "multiples of 64 are allowed");
    if (k % kDepth != 0) throw ConfigError(place.at("k"), "multiples of 32 are allowed");
}

TiledMatmul::TiledMatmul(const Parameters& parameters, const PatternContext& context) : p_(parameters) {
    p_.m = context.scaled(p_.m, kTile);
}

std::vector<ArrayNeed> TiledMatmul::arrays() const {
    return {{"a", p_.m * p_.k * kFloatBytes}, {"b", p_.k * p_.n * kFloatBytes}, {"c", p_.m * p_.n * kFloatBytes}};
}

std::vector<std::shared_ptr<Kernel>> TiledMatmul::kernels(const ArrayBases& at) const {
    KernelShape shape;
    shape.name = "sgemm_64x64";
    shape.blocks = p_.m / kTile * (p_.n / kTile);
    shape.threads = kTileThreads;
    shape.registers = p_.registers;
    shape.shared_bytes = kSharedBytes;
    shape.accesses = shape.blocks * shape.warps() * (p_.k / kDepth * 2 * kLoads + 4);
    const std::shared_ptr<Kernel> kernel = make_kernel(shape, Product{at.at("a"), at.at("b"), at.at("c"), p_.n, p_.k});
    return {p_.iterations, kernel};
}

} // namespace numavp
