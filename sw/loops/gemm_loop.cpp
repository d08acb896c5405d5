#include "sw/loops/gemm_loop.h"

#include <algorithm>

namespace numavp {
namespace {

constexpr unsigned kGemmLists = 8; ///< loads or stores of a step of the stream

/// A program for the frame of program.h: the product itself.
struct GemmProgram : GemmLoop {
    class Warp : public StepStream<Warp, 12, kGemmLists> {
      public:
        Warp(const GemmProgram& p, std::uint64_t block, unsigned warp) : p_(p), warp_(warp) {
            const std::uint64_t plane = p.rows() * p.columns(), tile = block % plane;
            split_ = block / plane;
            row_ = p.rows_first ? tile % p.rows() : tile / p.columns();
            column_ = p.rows_first ? tile / p.rows() : tile % p.columns();
        }
        void step(Emitter& e) {
            switch (phase_) {
            case Phase::load: return load(e);
            case Phase::wait: return wait(e);
            case Phase::multiply: return shape_of(p_.op).is_asynchronous() ? multiply_all(e) : multiply(e);
            case Phase::finish: return finish(e);
            case Phase::store: return store(e);
            }
        }

      private:
        enum class Phase : std::uint8_t { load, wait, multiply, finish, store };
        enum : std::uint8_t { r_index, r_fragments, r_result = 4, r_loads = 16 }; ///< 2 fragments, 4 results
        static constexpr unsigned kResults = 4; ///< accumulators are tracked in so many groups

        std::uint8_t load_register(std::uint64_t step, unsigned turn) const {
            return static_cast<std::uint8_t>(r_loads + step % p_.stages * p_.turns() + turn);
        }
        /// Some loads of the tiles of step `loaded_`.
        void load(Emitter& e) {
            const std::uint64_t k_at = (split_ * p_.steps() + loaded_) * p_.tile_k;
            const Tile a = p_.tile_of_a(row_, k_at), b = p_.tile_of_b(column_, k_at);
            e.compute(r_index, {r_index}).unit = ExecutionUnit::integer;
            for (unsigned i = 0; i < kGemmLists && turn_ < p_.turns(); ++i, ++turn_) {
                const bool of_a = turn_ < p_.turns_a();
                const Tile& tile = of_a ? a : b;
                const std::uint64_t move = (of_a ? turn_ : turn_ - p_.turns_a()) * std::uint64_t{p_.warps()} + warp_;
                if (move >= tile.moves()) continue;
                Inst& inst = e.load(load_register(loaded_, turn_), tile.lanes(e, move), Tile::kPiece, {r_index});
                inst.read_only = true;
                inst.bypass_l1 = p_.bypass_l1;
            }
            if (turn_ < p_.turns()) return;
            turn_ = 0;
            ++loaded_;
            const bool ahead = loaded_ < std::min<std::uint64_t>(p_.steps(), p_.stages - 1) && step_ == 0;
            if (ahead) return;
            phase_ = waited_ ? Phase::multiply : Phase::wait;
        }
        /// For the loads of step `step_`, then for the block's other warps.
        void wait(Emitter& e) {
            for (unsigned i = 0; i < p_.turns(); i += 4) {
                const auto at = [&](unsigned j) {
                    return i + j < p_.turns() ? load_register(step_, i + j) : std::uint8_t{kNoReg};
                };
                e.compute(kNoReg, {at(0), at(1), at(2), at(3)}).unit = ExecutionUnit::other;
            }
            e.barrier();
            waited_ = true;
            const bool load_first = loaded_ < p_.steps() && !shape_of(p_.op).is_asynchronous();
            phase_ = load_first ? Phase::load : Phase::multiply;
        }
        /// All slices of step `step_`, asynchronously; then waits for those of the step before, whose tiles the next
        /// loads replace. Each warp waits for the instructions that it issued: a barrier makes all wait for all.
        void multiply_all(Emitter& e) {
            const MatrixShape shape = shape_of(p_.op);
            const auto result = [](std::uint64_t step) { return static_cast<std::uint8_t>(r_result + step % 2); };
            if (!shape.is_of_sm() || warp_ == 0)
                e.matrix(p_.op, result(step_), {}, p_.matrix_each() * p_.tile_k / shape.k);
            e.compute(kNoReg, {result(step_ + 1)}).unit = ExecutionUnit::other;
            if (step_ != 0 && loaded_ < p_.steps() && p_.warps() > 1) e.barrier();
            waited_ = false;
            ++step_;
            phase_ = loaded_ < p_.steps() ? Phase::load : step_ < p_.steps() ? Phase::wait : Phase::finish;
        }
        /// Waits for the last results, which all warps store.
        void finish(Emitter& e) {
            e.compute(kNoReg, {r_result, r_result + 1}).unit = ExecutionUnit::other;
            if (shape_of(p_.op).is_of_sm()) e.barrier();
            phase_ = Phase::store;
        }
        /// A slice of k of step `step_`.
        void multiply(Emitter& e) {
            const MatrixShape shape = shape_of(p_.op);
            const unsigned slices = p_.tile_k / shape.k;
            const std::uint64_t bytes =
                std::uint64_t{p_.tile_m / p_.warps_m + p_.tile_n / p_.warps_n} * shape.k * bytes_of(p_.element);
            const auto fragment = [](unsigned slice) { return static_cast<std::uint8_t>(r_fragments + slice % 2); };
            if (slice_ == 0) e.fragments(fragment(0), bytes);
            if (slice_ + 1 < slices) e.fragments(fragment(slice_ + 1), bytes);
            unsigned left = p_.matrix_each();
            for (unsigned group = 0; group < kResults && left != 0; ++group) {
                const unsigned each = (left + kResults - group - 1) / (kResults - group);
                const auto result = static_cast<std::uint8_t>(r_result + group);
                e.matrix(p_.op, result, {fragment(slice_), result}, each);
                left -= each;
            }
            if (++slice_ < slices) return;
            slice_ = 0;
            waited_ = false;
            phase_ = ++step_ < p_.steps() ? Phase::wait : Phase::store;
        }
        void store(Emitter& e) {
            const Tile tile = p_.tile_of_c(row_, column_, split_);
            for (unsigned i = 0; i < kGemmLists && turn_ * p_.warps() + warp_ < tile.moves(); ++i, ++turn_)
                e.store(tile.lanes(e, turn_ * p_.warps() + warp_), Tile::kPiece,
                        {r_result, r_result + 1, r_result + 2, r_result + 3});
            if (turn_ * p_.warps() + warp_ >= tile.moves()) e.exit();
        }

        const GemmProgram& p_;
        unsigned warp_;
        std::uint64_t row_ = 0, column_ = 0, split_ = 0;
        std::uint64_t loaded_ = 0, step_ = 0; ///< steps whose loads were made, that are done
        unsigned turn_ = 0, slice_ = 0;
        Phase phase_ = Phase::load;
        bool waited_ = false; ///< for step `step_`
    };
};

/// Several products side by side.
struct GroupedGemmProgram {
    std::vector<GemmProgram> groups;
    std::vector<std::uint64_t> ends; ///< one past the last block of each

    std::size_t group_of(std::uint64_t block) const {
        return static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), block) - ends.begin());
    }
    class Warp final : public GemmProgram::Warp {
      public:
        Warp(const GroupedGemmProgram& p, std::uint64_t block, unsigned warp)
            : Warp(p, block, warp, p.group_of(block)) {}

      private:
        Warp(const GroupedGemmProgram& p, std::uint64_t block, unsigned warp, std::size_t group)
            : GemmProgram::Warp(p.groups[group], block - (group == 0 ? 0 : p.ends[group - 1]), warp) {}
    };
};

struct SplitSumProgram : SplitSum {
    class Warp final : public StepStream<Warp, 10> {
      public:
        Warp(const SplitSumProgram& p, std::uint64_t block, unsigned warp)
            : p_(p), first_((block * kThreads + std::uint64_t{warp} * kWarpLanes) * kEach) {}
        void step(Emitter& e) {
            enum : std::uint8_t { r_index, r_sum, r_plane };
            const std::uint32_t mask = lanes_below(first_ / kEach, p_.elements / kEach);
            if (mask == 0) return e.exit();
            if (plane_ == 0) e.compute(r_index, {}).unit = ExecutionUnit::integer;
            for (unsigned i = 0; i < 3 && plane_ < p_.splits; ++i, ++plane_) {
                const std::uint64_t at = p_.planes + (plane_ * p_.elements + first_) * sizeof(float);
                e.load(r_plane, contiguous(at, kEach * sizeof(float), mask), {r_index});
                e.compute(r_sum, {r_plane, r_sum}, kEach);
            }
            if (plane_ < p_.splits) return;
            e.store(contiguous(p_.c + first_ * 2, kEach * 2, mask), {r_index, r_sum});
            e.exit();
        }

      private:
        const SplitSumProgram& p_;
        std::uint64_t first_;
        unsigned plane_ = 0;
    };
};

} // namespace

unsigned GemmLoop::matrix_each() const {
    const MatrixShape shape = shape_of(op);
    return tile_m * tile_n / (shape.m * shape.n) / (shape.is_of_sm() ? 1 : warps());
}

Tile GemmLoop::tile_of_a(std::uint64_t row, std::uint64_t k_at) const {
    const std::uint64_t bytes = bytes_of(element);
    const std::uint64_t pitch = a_pitch != 0 ? a_pitch : k;
    return {a + (row * tile_m * pitch + k_at) * bytes, pitch * bytes, tile_k * bytes,
            std::min<std::uint64_t>(tile_m, m - row * tile_m)};
}

Tile GemmLoop::tile_of_b(std::uint64_t column, std::uint64_t k_at) const {
    const std::uint64_t bytes = bytes_of(element);
    return {b + (column * tile_n * k + k_at) * bytes, k * bytes, tile_k * bytes, tile_n};
}

Tile GemmLoop::tile_of_c(std::uint64_t row, std::uint64_t column, std::uint64_t split) const {
    const std::uint64_t bytes = result_bytes();
    const std::uint64_t pitch = c_pitch != 0 ? c_pitch : n;
    return {c + ((split * m + row * tile_m) * pitch + column * tile_n) * bytes, pitch * bytes, tile_n * bytes,
            std::min<std::uint64_t>(tile_m, m - row * tile_m)};
}

std::uint64_t GemmLoop::accesses() const {
    std::uint64_t sum = 0;
    for (std::uint64_t row = 0; row < rows(); ++row) {
        const std::uint64_t loads = tile_of_a(row, 0).moves() + tile_of_b(0, 0).moves();
        sum += columns() * splits * (steps() * loads + tile_of_c(row, 0, 0).moves());
    }
    return sum;
}

std::shared_ptr<Kernel> make_gemm(KernelShape shape, const GemmLoop& loop) {
    return make_kernel(std::move(shape), GemmProgram{loop});
}

std::shared_ptr<Kernel> make_grouped_gemm(KernelShape shape, std::vector<GemmLoop> groups) {
    GroupedGemmProgram program;
    shape.threads = groups.front().warps() * kWarpLanes;
    shape.shared_bytes = static_cast<std::uint32_t>(groups.front().shared_bytes());
    shape.blocks = shape.accesses = 0;
    for (const GemmLoop& loop : groups) {
        program.groups.push_back({loop});
        program.ends.push_back(shape.blocks += loop.blocks());
        shape.accesses += loop.accesses();
    }
    return make_kernel(std::move(shape), std::move(program));
}

std::uint64_t SplitSum::accesses() const {
    return (elements / kEach + kWarpLanes - 1) / kWarpLanes * (splits + std::uint64_t{1});
}

std::shared_ptr<Kernel> make_split_sum(KernelShape shape, const SplitSum& sum) {
    return make_kernel(std::move(shape), SplitSumProgram{sum});
}

} // namespace numavp
