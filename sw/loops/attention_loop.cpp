#include "sw/loops/attention_loop.h"

#include <algorithm>

namespace numavp {
namespace {

constexpr unsigned kAttentionLists = 8; ///< loads or stores of a step of the stream

struct AttentionProgram : AttentionLoop {
    class Warp final : public StepStream<Warp, 24, kAttentionLists> {
      public:
        Warp(const AttentionProgram& p, std::uint64_t block, unsigned warp)
            : p_(p), warp_(warp), at_(p.place(block)), tile_(at_.end) {}
        void step(Emitter& e) {
            switch (phase_) {
            case Phase::queries: return load(e, p_.tile_of_q(at_), r_queries, p_.turns_q(), Phase::keys);
            case Phase::keys: return load_keys(e);
            case Phase::wait_keys: return wait_keys(e);
            case Phase::values: return load_values(e);
            case Phase::scores: return p_.is_asynchronous() ? scores_at_once(e) : scores(e);
            case Phase::wait_values: return wait_values(e);
            case Phase::softmax: return softmax(e);
            case Phase::sums: return p_.is_asynchronous() ? sums_at_once(e) : sums(e);
            case Phase::finish: return finish(e);
            case Phase::store: return store(e);
            }
        }

      private:
        enum class Phase : std::uint8_t {
            queries,
            keys,
            wait_keys,
            values,
            scores,
            wait_values,
            softmax,
            sums,
            finish,
            store
        };
        enum : std::uint8_t {
            r_index,
            r_fragments, ///< 2
            r_scores = 4,
            r_results = 8,
            r_most = 12,
            r_weights,
            r_queries = 16,
            r_keys = r_queries + kMostTurns,
            r_values = r_keys + kMostTurns
        };
        static constexpr unsigned kGroups = 4; ///< accumulators are tracked in so many groups

        /// Some of the loads of a tile; `next` follows the last.
        void load(Emitter& e, const Tile& tile, unsigned first, unsigned turns, Phase next) {
            e.compute(r_index, {r_index}).unit = ExecutionUnit::integer;
            for (unsigned i = 0; i < kAttentionLists && turn_ < turns; ++i, ++turn_) {
                const std::uint64_t move = turn_ * std::uint64_t{p_.warps} + warp_;
                if (move >= tile.moves()) continue;
                Inst& inst =
                    e.load(static_cast<std::uint8_t>(first + turn_), tile.lanes(e, move), Tile::kPiece, {r_index});
                inst.read_only = true;
                inst.bypass_l1 = p_.bypass_l1;
            }
            if (turn_ < turns) return;
            turn_ = 0;
            phase_ = next;
        }
        /// Of the tile before `tile_`: the first, or the next while the scores of this one are used.
        void load_keys(Emitter& e) {
            load(e, p_.tile_of_k(at_, tile_ - 1), r_keys, p_.turns_k(),
                 tile_ == at_.end ? Phase::wait_keys : Phase::softmax);
        }
        /// Of tile `tile_`, which latent keys have in their rows: in their place the next keys are loaded.
        void load_values(Emitter& e) {
            if (!p_.latent) return load(e, p_.tile_of_v(at_, tile_), r_values, p_.turns_v(), Phase::scores);
            if (tile_ != at_.first) return load(e, p_.tile_of_k(at_, tile_ - 1), r_keys, p_.turns_k(), Phase::scores);
            phase_ = Phase::scores;
            e.compute(r_index, {r_index}).unit = ExecutionUnit::integer;
        }
        static void wait(Emitter& e, unsigned first, unsigned turns) {
            for (unsigned i = 0; i < turns; i += 4) {
                const auto at = [&](unsigned j) {
                    return i + j < turns ? static_cast<std::uint8_t>(first + i + j) : std::uint8_t{kNoReg};
                };
                e.compute(kNoReg, {at(0), at(1), at(2), at(3)}).unit = ExecutionUnit::other;
            }
        }
        void wait_keys(Emitter& e) {
            if (tile_ == at_.end) wait(e, r_queries, p_.turns_q());
            wait(e, r_keys, p_.turns_k());
            if (p_.is_asynchronous() && tile_ != at_.end)
                wait(e, r_results, 1); // values, or keys, are loaded in their place
            e.barrier();
            --tile_;
            phase_ = Phase::values;
        }
        void wait_values(Emitter& e) {
            wait(e, r_values, p_.turns_v());
            if (p_.is_asynchronous()) wait(e, r_scores, 1);
            // Keys are loaded in the place of the scores' operands; scores of an SM's instructions are all warps'.
            if (!p_.latent || shape_of(p_.op).is_of_sm()) e.barrier();
            phase_ = !p_.latent && tile_ != at_.first ? Phase::keys : Phase::softmax;
        }
        /// A slice of a product over `lines`: fragments of K or V for `columns` of results and of `rows` of Q, then the
        /// matrix instructions.
        bool slice(Emitter& e, unsigned lines, unsigned columns, unsigned rows, std::uint8_t result) {
            const MatrixShape shape = shape_of(p_.op);
            const unsigned slices = lines / shape.k;
            const unsigned own = columns * p_.row_groups / p_.warps + rows;
            const std::uint64_t bytes = std::uint64_t{own} * shape.k * bytes_of(p_.element);
            const std::uint8_t operand = result == r_results ? std::uint8_t{r_weights} : kNoReg;
            const auto fragment = [](unsigned s) { return static_cast<std::uint8_t>(r_fragments + s % 2); };
            if (slice_ == 0) e.fragments(fragment(0), bytes);
            if (slice_ + 1 < slices) e.fragments(fragment(slice_ + 1), bytes);
            unsigned left = p_.tile_q * columns / (shape.m * shape.n) / p_.warps;
            for (unsigned group = 0; group < kGroups && left != 0; ++group) {
                const unsigned each = (left + kGroups - group - 1) / (kGroups - group);
                const auto sum = static_cast<std::uint8_t>(result + group);
                e.matrix(p_.op, sum, {fragment(slice_), operand, sum}, each);
                left -= each;
            }
            if (++slice_ < slices) return false;
            slice_ = 0;
            return true;
        }
        void scores(Emitter& e) {
            const unsigned rows = p_.q_in_registers ? 0 : p_.tile_q / p_.row_groups;
            if (slice(e, p_.head_dim, p_.tile_kv, rows, r_scores))
                phase_ = p_.latent ? Phase::softmax : Phase::wait_values;
        }
        void sums(Emitter& e) {
            if (slice(e, p_.tile_kv, p_.values(), 0, r_results))
                phase_ = tile_ != at_.first ? Phase::wait_keys : Phase::store;
        }
        /// All asynchronous instructions of a product over `lines` with `columns` of results; of instructions of an SM
        /// those of the first warp.
        void at_once(Emitter& e, unsigned lines, unsigned columns, std::uint8_t operand, std::uint8_t result) {
            const MatrixShape shape = shape_of(p_.op);
            if (shape.is_of_sm() && warp_ != 0) return;
            const unsigned each =
                p_.tile_q * columns / (shape.m * shape.n) / (shape.is_of_sm() ? 1 : p_.warps) * (lines / shape.k);
            e.matrix(p_.op, result, {operand}, each);
        }
        void scores_at_once(Emitter& e) {
            at_once(e, p_.head_dim, p_.tile_kv, kNoReg, r_scores);
            wait_values(e);
        }
        /// Weights of all warps are there before an instruction of the SM reads them.
        void sums_at_once(Emitter& e) {
            if (shape_of(p_.op).is_of_sm() && p_.warps > 1) e.barrier();
            at_once(e, p_.tile_kv, p_.values(), r_weights, r_results);
            phase_ = tile_ != at_.first ? Phase::wait_keys : Phase::finish;
        }
        /// Waits for the last results, which all warps store.
        void finish(Emitter& e) {
            wait(e, r_results, 1);
            if (shape_of(p_.op).is_of_sm()) e.barrier();
            phase_ = Phase::store;
        }
        /// Maximum, exponentials, their sum, the weights in the elements' format, and the scaling of the results so
        /// far.
        void softmax(Emitter& e) {
            const unsigned each = p_.tile_q * p_.tile_kv / (p_.warps * kWarpLanes);
            e.compute(r_most, {r_scores, r_scores + 1, r_scores + 2, r_scores + 3}, each);
            e.compute(r_weights, {r_scores, r_most}, each);
            e.compute(r_weights, {r_weights}, each).unit = ExecutionUnit::special;
            e.compute(kNoReg, {r_weights}, each);
            e.compute(r_weights, {r_weights}, std::max(1U, each / 2)).unit = ExecutionUnit::integer;
            const unsigned results = p_.tile_q * p_.values() / (p_.warps * kWarpLanes);
            for (unsigned group = 0; group < kGroups; ++group) {
                const auto result = static_cast<std::uint8_t>(r_results + group);
                e.compute(result, {r_most, result}, std::max(1U, results / kGroups));
            }
            phase_ = Phase::sums;
        }
        void store(Emitter& e) {
            const Tile tile = p_.tile_of_o(at_);
            const Emitter::Sources results = {r_results, r_results + 1, r_results + 2, r_results + 3};
            const auto left = [&] { return turn_ * std::uint64_t{p_.warps} + warp_ < tile.moves(); };
            for (unsigned i = 0; i < kAttentionLists && left(); ++i, ++turn_)
                e.store(tile.lanes(e, turn_ * std::uint64_t{p_.warps} + warp_), Tile::kPiece, results);
            if (left()) return;
            if (p_.splits != 0 && warp_ == 0 && store_sums(e, tile.rows, results)) return;
            e.exit();
        }

        /// The sums of some of a block's rows, those of all splits of a head side by side; whether others are left.
        bool store_sums(Emitter& e, std::uint64_t rows, const Emitter::Sources& results) {
            LaneList list{lanes_.data()};
            const std::uint64_t head = at_.head + at_.query_block * p_.tile_q;
            for (unsigned lane = 0; lane < kWarpLanes && summed_ < rows; ++lane, ++summed_)
                list.set(lane, p_.sums + ((at_.batch * p_.heads() + head + summed_) * p_.splits + at_.split) * 4);
            e.store(list, 4, results);
            return summed_ < rows;
        }

        const AttentionProgram& p_;
        unsigned warp_;
        Place at_;
        std::uint64_t tile_;       ///< one past the tile of keys that is next
        std::uint64_t summed_ = 0; ///< rows whose sums are stored
        unsigned turn_ = 0, slice_ = 0;
        Phase phase_ = Phase::queries;
        std::array<std::uint64_t, kWarpLanes> lanes_{};
    };
};

struct CombineProgram : AttentionCombine {
    class Warp final : public StepStream<Warp, 12> {
      public:
        Warp(const CombineProgram& p, std::uint64_t block, unsigned warp)
            : p_(p), row_(block * (kThreads / kWarpLanes) + warp) {}
        void step(Emitter& e) {
            enum : std::uint8_t { r_index, r_weight, r_part, r_sum };
            if (row_ >= p_.rows) return e.exit();
            if (load_ < p_.sum_loads()) { // one a step
                if (load_ == 0) e.compute(r_index, {}).unit = ExecutionUnit::integer;
                const std::uint64_t first = std::uint64_t{load_} * kWarpLanes;
                e.load(r_part, contiguous(p_.sums + (row_ * p_.splits + first) * 4, 4, lanes_below(first, p_.splits)),
                       {r_index});
                e.compute(r_weight, {r_part}).unit = ExecutionUnit::special;
                ++load_;
                return;
            }
            if (split_ < p_.splits) {
                return add_part(e, r_part, r_index, r_weight, r_sum);
            }
            const std::uint64_t bytes = p_.head_dim * std::uint64_t{2};
            const std::uint64_t at = std::uint64_t{stored_} * Tile::kWarpBytes;
            e.store(contiguous(p_.o + row_ * bytes + at, Tile::kPiece,
                               lanes_below(at / Tile::kPiece, bytes / Tile::kPiece)),
                    {r_index, r_sum});
            if (++stored_ == Tile::moves_of(bytes)) e.exit();
        }

      private:
        /// A warp's load of a part's row, and its elements times the part's weight.
        void add_part(Emitter& e, std::uint8_t part, std::uint8_t index, std::uint8_t weight, std::uint8_t sum) {
            const std::uint64_t bytes = p_.head_dim * sizeof(float);
            const std::uint64_t at = std::uint64_t{turn_} * Tile::kWarpBytes;
            e.load(part,
                   contiguous(p_.parts + (split_ * p_.rows + row_) * bytes + at, Tile::kPiece,
                              lanes_below(at / Tile::kPiece, bytes / Tile::kPiece)),
                   {index});
            const std::uint64_t elements = std::min<std::uint64_t>(Tile::kWarpBytes, bytes - at) / sizeof(float);
            e.compute(sum, {part, weight, sum}, turns_of(elements, kWarpLanes));
            if (++turn_ < p_.row_loads()) return;
            turn_ = 0;
            ++split_;
        }
        const CombineProgram& p_;
        std::uint64_t row_;
        unsigned load_ = 0, split_ = 0, turn_ = 0, stored_ = 0;
    };
};

} // namespace

AttentionLoop::Place AttentionLoop::place(std::uint64_t block) const {
    Place at{};
    at.query_block = block % query_blocks();
    block /= query_blocks();
    if (splits != 0) { // then splits, KV heads, batch
        at.split = block % splits;
        block /= splits;
        at.kv_head = block % kv_heads;
        at.head = at.kv_head * group;
        at.batch = block / kv_heads;
        at.first = at.split * kv_tiles() / splits;
        at.end = (at.split + 1) * kv_tiles() / splits;
        return at;
    }
    // FlashAttention-2's grid: query blocks, batch, heads.
    at.batch = block % batch;
    at.head = block / batch;
    at.kv_head = at.head / group;
    at.end = tiles_of(at.query_block);
    return at;
}

std::uint64_t AttentionLoop::tiles_of(std::uint64_t i) const {
    if (!causal) return kv_tiles();
    // The last row of the block sees the tokens up to its own, where the last query is the context's last token.
    const std::uint64_t seen = context - queries + std::min<std::uint64_t>(queries, (i + 1) * tile_q);
    return (seen + tile_kv - 1) / tile_kv;
}

Tile AttentionLoop::tile_of_q(const Place& at) const {
    const std::uint64_t first = at.query_block * tile_q, valid = std::min<std::uint64_t>(tile_q, rows() - first);
    if (splits != 0)
        return {q + at.batch * q_token_bytes() + (at.head + first) * row_bytes(), row_bytes(), row_bytes(), valid};
    if (heads_first)
        return {q + ((at.batch * heads() + at.head) * queries + first) * row_bytes(), row_bytes(), row_bytes(), valid};
    return {q + (at.batch * queries + first) * q_token_bytes() + at.head * row_bytes(), q_token_bytes(), row_bytes(),
            valid};
}

Tile AttentionLoop::tile_of_tokens(std::uint64_t array, const Place& at, std::uint64_t tile, std::uint64_t of_token,
                                   std::uint64_t of_head, std::uint64_t of_row) const {
    const std::uint64_t first = tile * tile_kv, valid = std::min<std::uint64_t>(tile_kv, context - first);
    if (heads_first)
        return {array + ((at.batch * kv_heads + at.kv_head) * context + first) * of_row, of_row, of_row, valid};
    return {array + (at.batch * context + first) * of_token + at.kv_head * of_head, of_token, of_row, valid};
}

Tile AttentionLoop::tile_of_k(const Place& at, std::uint64_t tile) const {
    return tile_of_tokens(k, at, tile, k_token_bytes(), row_bytes(), row_bytes());
}

Tile AttentionLoop::tile_of_v(const Place& at, std::uint64_t tile) const {
    return tile_of_tokens(v, at, tile, v_token_bytes(), v_head_bytes(), value_bytes());
}

Tile AttentionLoop::tile_of_o(const Place& at) const {
    if (splits != 0) {
        const std::uint64_t bytes = values() * sizeof(float), first = at.query_block * tile_q;
        return {o + ((at.split * batch + at.batch) * heads() + at.head + first) * bytes, bytes, bytes,
                std::min<std::uint64_t>(tile_q, rows() - first)};
    }
    AttentionLoop apart = *this;
    apart.q_pitch = 0;
    apart.head_dim = values();
    Tile tile = apart.tile_of_q(at); // the places of queries that lie apart, with 2 bytes an element
    const std::uint64_t factor = 2 / bytes_of(element);
    tile.base = o + (tile.base - q) * factor;
    tile.pitch *= factor;
    tile.row_bytes *= factor;
    return tile;
}

std::uint64_t AttentionLoop::accesses() const {
    std::uint64_t sum = 0;
    const auto add = [&](std::uint64_t block, std::uint64_t times) {
        const Place at = place(block);
        std::uint64_t each = tile_of_q(at).moves() + tile_of_o(at).moves() + (splits != 0 ? sum_stores(at) : 0);
        for (std::uint64_t t = at.first; t < at.end; ++t)
            each += tile_of_k(at, t).moves() + (latent ? 0 : tile_of_v(at, t).moves());
        sum += each * times;
    };
    const std::uint64_t kinds = query_blocks() * (splits != 0 ? splits : 1); // the other blocks are alike
    for (std::uint64_t i = 0; i < kinds; ++i) add(i, blocks() / kinds);
    return sum;
}

std::shared_ptr<Kernel> make_attention(KernelShape shape, const AttentionLoop& loop) {
    return make_kernel(std::move(shape), AttentionProgram{loop});
}

std::uint64_t AttentionCombine::accesses() const {
    const std::uint64_t stores = Tile::moves_of(head_dim * std::uint64_t{2});
    return rows * (sum_loads() + std::uint64_t{splits} * row_loads() + stores);
}

std::shared_ptr<Kernel> make_attention_combine(KernelShape shape, const AttentionCombine& combine) {
    return make_kernel(std::move(shape), CombineProgram{combine});
}

} // namespace numavp
