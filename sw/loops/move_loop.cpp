#include "sw/loops/move_loop.h"

#include <algorithm>

#include "sw/loops/joined_kernel.h"

namespace numavp {
namespace {

struct MoveProgram : MoveLoop {
    class Warp final : public StepStream<Warp, 16> {
      public:
        Warp(const MoveProgram& p, std::uint64_t block, unsigned warp)
            : moves_(p.ranks[block / p.blocks_each]), p_(p), block_(block % p.blocks_each),
              rank_(block / p.blocks_each), warp_(warp) {
            begin();
        }
        void step(Emitter& e) {
            if (meetings_ == 0 && meets()) return meet(e);
            if (move_ == moves_.size()) {
                if (meetings_ == 1) {
                    e.fence(); // what it has stored has been performed everywhere
                    return meet(e);
                }
                return e.exit();
            }
            if (storing_) return store(e);
            load(e);
        }

      private:
        enum : std::uint8_t { r_index, r_sum, r_flag, r_loads };
        static constexpr unsigned kLoads = 8; ///< of a step of the stream
        static_assert(r_loads + kMostInFlight < kNoReg);

        const Move& move() const { return moves_[move_]; }
        bool meets() const { return !p_.meeting.own.empty(); }
        /// The block's warps, then those of its number in all ranks.
        void meet(Emitter& e) {
            const std::uint64_t flag = (2 * block_ + meetings_++) * kLineBytes;
            e.barrier();
            if (warp_ == 0) {
                e.reduce(one_word(p_.meeting.all + flag), {r_index}).signals = true;
                Inst& wait = e.load(r_flag, one_word(p_.meeting.own[rank_] + flag), {r_index});
                wait.bypass_l1 = true;
                wait.awaits = static_cast<std::uint16_t>(p_.ranks.size());
                e.compute(r_index, {r_index, r_flag}).unit = ExecutionUnit::integer;
            }
            e.barrier();
        }
        static Lanes one_word(std::uint64_t address) { return {address, 0, 4, 1}; }
        /// Goes to the first move of which this warp has a piece, or behind the last.
        void begin() {
            for (; move_ < moves_.size(); ++move_) {
                const std::uint64_t each = (move().pieces() + p_.blocks_each - 1) / p_.blocks_each;
                piece_ = block_ * each + warp_;
                end_ = std::min(move().pieces(), (block_ + 1) * each);
                if (piece_ < end_) break;
            }
            if (move_ == moves_.size()) return;
            const std::uint64_t own = (end_ - piece_ + p_.warps - 1) / p_.warps;
            const std::uint64_t most = std::max<std::uint64_t>(1, p_.in_flight / move().sources.size());
            batch_ = static_cast<unsigned>(std::min(own, most));
        }
        Lanes lanes(std::uint64_t base, unsigned place) const {
            const std::uint64_t piece = piece_ + std::uint64_t{place} * p_.warps;
            const std::uint32_t mask = lanes_below(piece * kWarpLanes, move().bytes / Tile::kPiece);
            return contiguous(base + piece * Tile::kWarpBytes, Tile::kPiece, mask);
        }
        std::uint8_t loaded(unsigned place, std::size_t source) const {
            return static_cast<std::uint8_t>(r_loads + place * move().sources.size() + source);
        }
        /// Some loads of the batch: all sources of a piece, then the next piece.
        void load(Emitter& e) {
            e.compute(r_index, {r_index}).unit = ExecutionUnit::integer;
            const auto sources = static_cast<unsigned>(move().sources.size());
            for (unsigned i = 0; i < kLoads && at_ < batch_ * sources; ++i, ++at_) {
                const unsigned place = at_ / sources, source = at_ % sources;
                e.load(loaded(place, source), lanes(move().sources[source], place), {r_index}).bypass_l1 = p_.past_l1;
            }
            if (at_ < batch_ * sources) return;
            at_ = 0;
            added_ = 1;
            storing_ = true;
        }
        /// Additions of the batch's next piece, then its stores.
        void store(Emitter& e) {
            const auto sources = static_cast<unsigned>(move().sources.size());
            for (unsigned i = 0; i < kLoads && added_ < sources; ++i, ++added_)
                e.compute(r_sum, {added_ == 1 ? loaded(at_, 0) : std::uint8_t{r_sum}, loaded(at_, added_)}, p_.adds);
            if (added_ < sources) return;
            const auto targets = static_cast<unsigned>(move().targets.size());
            const std::uint8_t sum = sources == 1 ? loaded(at_, 0) : std::uint8_t{r_sum};
            for (unsigned i = 0; i < kLoads && stored_ < targets; ++i, ++stored_)
                e.store(lanes(move().targets[stored_], at_), {r_index, sum});
            if (stored_ < targets) return;
            stored_ = 0;
            added_ = 1;
            if (++at_ < batch_) return;
            next_batch();
        }
        void next_batch() {
            at_ = 0;
            storing_ = false;
            piece_ += std::uint64_t{batch_} * p_.warps;
            if (piece_ < end_) {
                const std::uint64_t own = (end_ - piece_ + p_.warps - 1) / p_.warps;
                batch_ = static_cast<unsigned>(std::min<std::uint64_t>(own, batch_));
                return;
            }
            ++move_;
            begin();
        }

        const std::vector<Move>& moves_;
        const MoveProgram& p_;
        std::uint64_t block_, rank_;
        unsigned warp_;
        unsigned meetings_ = 0; ///< so far
        std::size_t move_ = 0;
        std::uint64_t piece_ = 0, end_ = 0; ///< of the block's part: the first of the batch, and the end
        unsigned batch_ = 1;                ///< pieces that are loaded together
        unsigned at_ = 0;                   ///< load of the batch, or piece that is stored
        unsigned added_ = 1, stored_ = 0;   ///< sources and targets of that piece which are done
        bool storing_ = false;
    };
};

} // namespace

std::uint64_t MoveLoop::accesses() const {
    std::uint64_t sum = 0;
    for (const std::vector<Move>& moves : ranks)
        for (const Move& move : moves) sum += move.pieces() * (move.sources.size() + move.targets.size());
    if (!meeting.own.empty()) sum += blocks() * 4; // two meetings, each a signal and a wait
    return sum;
}

std::shared_ptr<Kernel> make_move_loop(KernelShape shape, MoveLoop loop) {
    shape.blocks = loop.blocks();
    shape.digits = {{'c', loop.blocks_each}, {kRankDigit, loop.ranks.size()}};
    shape.threads = loop.warps * kWarpLanes;
    shape.accesses = loop.accesses();
    shape.flags = !loop.meeting.own.empty();
    return make_kernel(std::move(shape), MoveProgram{std::move(loop)});
}

} // namespace numavp
