#include "tlm-links/clock_crossing.h"

#include "models/base/wave_set.h"
#include "tlm-links/access_trail.h"
#include "tlm-links/held.h"

namespace numavp {

// --- one direction

ClockFifo::ClockFifo(const CrossingConfig& config, Clocks clocks, Rank rank, Upstream& upstream)
    : from_(clocks.from), to_(clocks.to), upstream_(upstream), reader_(*this, clocks.to, rank),
      returner_(*this, clocks.from, rank), edges_(config.edges), places_(config.depth) {}

void ClockFifo::connect(Wire& wire) {
    wire_ = &wire;
    wire.set_feeder(reader_);
}

bool ClockFifo::arrive(Txn& txn) {
    ++held_;
    // The sender sees a place from the edge on that follows its return.
    while (!returns_.empty() && returns_.front().edge < from_.now()) places_ += returns_.pop().places;
    if (places_ == 0) {
        stalled_ = &txn;
        if (returns_.empty()) return false;
        if (returns_.front().edge == from_.now())
            returner_.wake(); // `wake_at` begins with the next edge
        else
            returner_.wake_at(returns_.front().edge);
        return false;
    }
    put(txn);
    return true;
}

/// The wire to the receiver takes the last of the edges.
void ClockFifo::put(Txn& txn) {
    --places_;
    txn.departs = to_.now() + edges_;
    queue_.push(txn);
    reader_.wake_at(txn.departs);
}

void ClockFifo::read() {
    const Cycle now = to_.now();
    unsigned read = 0;
    while (!queue_.empty() && queue_.front().departs <= now && wire_->ready()) { // the wire wakes its feeder
        Txn& txn = queue_.pop();
        if (__builtin_expect(txn.followed, 0)) follow(txn);
        wire_->send(txn, now + 1);
        ++read;
    }
    if (!queue_.empty() && queue_.front().departs > now) reader_.wake_at(queue_.front().departs);
    if (read == 0) return;
    held_ -= read;
    returns_.push({from_.now() + edges_, read});
    if (stalled_ != nullptr) returner_.wake_at(returns_.front().edge);
}

void ClockFifo::take_back() {
    const Cycle now = from_.now();
    while (!returns_.empty() && returns_.front().edge <= now) places_ += returns_.pop().places;
    if (stalled_ == nullptr) return;
    if (places_ == 0) {
        if (!returns_.empty()) returner_.wake_at(returns_.front().edge);
        return;
    }
    Txn& txn = *stalled_;
    stalled_ = nullptr;
    if (__builtin_expect(txn.followed, 0)) txn.trail->waited(wire_->place(), from_.clockwork().now_ps(), Waited::room);
    put(txn);
    upstream_.admitted(txn);
}

/// A followed record goes on: had it been seen before, it waited for the wire.
[[gnu::cold, gnu::noinline]] void ClockFifo::follow(const Txn& txn) const {
    if (txn.departs >= to_.now()) return;
    txn.trail->passed(wire_->place(), to_.edge_ps(txn.departs));
    txn.trail->waited(wire_->place(), to_.clockwork().now_ps(), Waited::room);
}

// --- both directions, with ports

namespace {
Rank next_rank(Rank rank) {
    ++rank.index;
    return rank;
}
} // namespace

ClockCrossing::ClockCrossing(sc_core::sc_module_name name, const CrossingConfig& config, const Resources& r)
    : sc_module(name), above_clock_(r.above), below_clock_(r.below),
      above_("above", r.above, {config.depth, r.part}, static_cast<ResponderIf&>(*this), 0),
      below_("below", r.below, {config.depth, r.part}, static_cast<RequesterIf&>(*this), 0),
      requests_(config, {r.above, r.below}, r.rank, request_side_),
      responses_(config, {r.below, r.above}, next_rank(r.rank), response_side_) {
    request_side_.owner = response_side_.owner = this;
    requests_.connect(below_);
    responses_.connect(above_);
}

void ClockCrossing::RequestSide::admitted(Txn& txn) { owner->above_.end_request(txn, owner->above_clock_.now() + 1); }

void ClockCrossing::ResponseSide::admitted(Txn& txn) { owner->below_.end_response(txn, owner->below_clock_.now() + 1); }

void ClockCrossing::add_waves(WaveSet& waves, const std::string& owner) {
    const std::string scope = owner + "." + basename();
    WaveGroup& queues = waves.group(kQueueWaves);
    queues.add(scope, "held_requests", kQueueWaveBits, [this] { return requests_.held(); });
    queues.add(scope, "held_responses", kQueueWaveBits, [this] { return responses_.held(); });
}

std::string ClockCrossing::holding() const {
    const Txn* const request = requests_.sample_held();
    return held_packets(requests_.held() + responses_.held(), request ? request : responses_.sample_held());
}

} // namespace numavp
