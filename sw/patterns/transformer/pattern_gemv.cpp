#include "sw/patterns/transformer/pattern_gemv.h"

#include <algorithm>

#include <fmt/format.h>

namespace numavp {
namespace {

constexpr unsigned kGemvRegisters = 240; ///< for loads
constexpr std::uint64_t kResultBytes = 2;

struct GemvProgram {
    std::uint64_t w = 0, x = 0, y = 0; ///< addresses
    std::uint64_t n = 1, k = 1;
    unsigned vectors = 1, rows = 1, warps = 4;
    unsigned element_bytes = 2;
    unsigned batch = 1; ///< pieces of a row whose loads are in flight together
    bool bypass_l1 = true;

    std::uint64_t row_bytes() const { return k * element_bytes; }
    std::uint64_t pieces() const { return Tile::moves_of(row_bytes()); }
    std::uint64_t blocks() const {
        const std::uint64_t each = std::uint64_t{warps} * rows;
        return (n + each - 1) / each;
    }
    std::uint64_t accesses() const {
        const std::uint64_t active = (n + rows - 1) / rows; // warps
        return pieces() * (n + active * vectors) + active * vectors;
    }

    class Warp final : public StepStream<Warp, 24> {
      public:
        Warp(const GemvProgram& p, std::uint64_t block, unsigned warp)
            : p_(p), first_((block * p.warps + warp) * p.rows),
              rows_(first_ < p.n ? static_cast<unsigned>(std::min<std::uint64_t>(p.rows, p.n - first_)) : 0) {}
        void step(Emitter& e) {
            if (rows_ == 0) return e.exit();
            switch (phase_) {
            case Phase::load: return load(e);
            case Phase::multiply: return multiply(e);
            case Phase::store: return store(e);
            }
        }

      private:
        enum class Phase : std::uint8_t { load, multiply, store };
        enum : std::uint8_t { r_index, r_sum, r_loads };

        unsigned batch() const {
            return static_cast<unsigned>(std::min<std::uint64_t>(p_.batch, p_.pieces() - piece_));
        }
        unsigned each() const { return rows_ + p_.vectors; } ///< loads of a piece
        Lanes lanes(std::uint64_t row_base, std::uint64_t piece) const {
            const std::uint32_t mask = lanes_below(piece * kWarpLanes, p_.row_bytes() / Tile::kPiece);
            return contiguous(row_base + piece * Tile::kWarpBytes, Tile::kPiece, mask);
        }
        std::uint8_t loaded(unsigned place, unsigned i) const {
            return static_cast<std::uint8_t>(r_loads + place * each() + i);
        }
        /// Rows and vectors of each piece of the batch.
        void load(Emitter& e) {
            e.compute(r_index, {r_index}).unit = ExecutionUnit::integer;
            for (unsigned i = 0; i < 16 && at_ < batch() * each(); ++i, ++at_) {
                const unsigned place = at_ / each(), which = at_ % each();
                const bool weight = which < rows_;
                const std::uint64_t base =
                    weight ? p_.w + (first_ + which) * p_.row_bytes() : p_.x + (which - rows_) * p_.row_bytes();
                Inst& inst = e.load(loaded(place, which), lanes(base, piece_ + place), {r_index});
                inst.read_only = true;
                inst.bypass_l1 = weight && p_.bypass_l1;
            }
            if (at_ < batch() * each()) return;
            at_ = 0;
            phase_ = Phase::multiply;
        }
        /// Multiply-adds of rows with vectors, of some pairs of the batch.
        void multiply(Emitter& e) {
            const unsigned pairs = rows_ * p_.vectors;
            const unsigned repeat = static_cast<unsigned>(Tile::kPiece) / p_.element_bytes;
            for (unsigned i = 0; i < 16 && at_ < batch() * pairs; ++i, ++at_) {
                const unsigned place = at_ / pairs, row = at_ % pairs / p_.vectors, vector = at_ % p_.vectors;
                Inst& inst = e.compute(r_sum, {loaded(place, row), loaded(place, rows_ + vector), r_sum}, repeat);
                inst.mask = lanes_below((piece_ + place) * kWarpLanes, p_.row_bytes() / Tile::kPiece);
            }
            if (at_ < batch() * pairs) return;
            at_ = 0;
            piece_ += batch();
            phase_ = piece_ < p_.pieces() ? Phase::load : Phase::store;
        }
        /// Sums over lanes, five shuffles for each result, and the results of each vector.
        void store(Emitter& e) {
            if (at_ == 0) {
                constexpr unsigned kShuffles = 5;
                e.compute(r_sum, {r_sum}, kShuffles * rows_ * p_.vectors).unit = ExecutionUnit::other;
            }
            for (unsigned i = 0; i < 16 && at_ < p_.vectors; ++i, ++at_)
                e.store(contiguous(p_.y + (at_ * p_.n + first_) * kResultBytes, kResultBytes,
                                   static_cast<std::uint32_t>((1ULL << rows_) - 1)),
                        {r_index, r_sum});
            if (at_ == p_.vectors) e.exit();
        }

        const GemvProgram& p_;
        std::uint64_t first_;
        unsigned rows_;
        std::uint64_t piece_ = 0;
        unsigned at_ = 0;
        Phase phase_ = Phase::load;
    };
};

} // namespace

void GemvParameters::validate(const Place& place) const {
    BlockParameters::validate(place);
    if (k * bytes_of(element) % Tile::kPiece != 0)
        throw ConfigError(place.at("k"),
                          fmt::format("{} elements are no whole loads of 16 bytes; multiples of {} are allowed", k,
                                      Tile::kPiece / bytes_of(element)));
}

Gemv::Gemv(const Parameters& parameters, const PatternContext& context) : p_(parameters) {
    p_.n = context.scaled(p_.n);
}

std::vector<ArrayNeed> Gemv::arrays() const {
    const std::uint64_t row = p_.k * bytes_of(p_.element);
    return {{"w", p_.n * row}, {"x", p_.vectors * row}, {"y", p_.vectors * p_.n * kResultBytes}};
}

std::vector<std::shared_ptr<Kernel>> Gemv::kernels(const ArrayBases& at) const {
    GemvProgram program;
    program.w = at.at("w");
    program.x = at.at("x");
    program.y = at.at("y");
    program.n = p_.n;
    program.k = p_.k;
    program.vectors = p_.vectors;
    program.rows = p_.rows;
    program.warps = p_.warps();
    program.element_bytes = bytes_of(p_.element);
    program.batch = std::clamp(p_.in_flight / p_.rows, 1U, kGemvRegisters / (p_.rows + p_.vectors));
    program.bypass_l1 = p_.bypass_l1;
    const auto kernel =
        make_kernel(p_.shape(fmt::format("gemv_{}", p_.vectors), program.blocks(), program.accesses()), program);
    return std::vector<std::shared_ptr<Kernel>>(p_.iterations, kernel);
}

} // namespace numavp
