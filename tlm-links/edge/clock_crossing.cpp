#include "tlm-links/edge/clock_crossing.h"

#include "base/waves/wave_set.h"
#include "tlm-links/protocol/access_trail.h"
#include "tlm-links/protocol/held.h"

namespace numavp {

// --- one direction

ClockFifo::ClockFifo(const CrossingConfig& config, Clocks clocks, Rank rank, Upstream& upstream)
    : to_(clocks.to), from_(clocks.from), edges_(config.edges), places_(config.depth), upstream_(upstream),
      reader_(*this, clocks.to, rank), returner_(*this, clocks.from, rank) {}

void ClockFifo::connect(Wire& wire) {
    wire_ = &wire;
    wire.set_feeder(reader_);
}

bool ClockFifo::arrive(Txn& txn) {
    if (places_ == 0)
        take_returned(from_.now() - 1); // the sender sees a place from the edge on that follows its return
    if (places_ == 0) {
        stalled_ = &txn;
        if (returns_.empty()) return false;
        const Cycle edge = returned_at();
        if (edge <= from_.now())
            returner_.wake(); // `wake_at` begins with the next edge
        else
            returner_.wake_at(edge);
        return false;
    }
    put(txn);
    return true;
}

/// The wire to the receiver takes the last of the edges. A record that will find it ready goes there at once.
void ClockFifo::put(Txn& txn) {
    --places_;
    txn.departs = to_.now() + edges_;
    if (queue_.empty() && wire_->ready()) {
        wire_->send(txn, txn.departs + 1);
        leave(txn.departs, 1);
        return;
    }
    queue_.push(txn);
    ++queued_;
    reader_.wake_at(txn.departs);
}

void ClockFifo::leave(Cycle edge, unsigned records) {
    returns_.push({edge, records});
    if (stalled_ != nullptr) returner_.wake_at(returned_at());
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
    queued_ -= read;
    leave(now, read);
}

/// The sender's edge at which the place of the record that left first is free again.
Cycle ClockFifo::returned_at() const { return from_.edge_by(to_.edge_ps(returns_.front().edge)) + edges_; }

void ClockFifo::take_returned(Cycle by) {
    while (!returns_.empty() && returned_at() <= by) places_ += returns_.pop().places;
}

void ClockFifo::take_back() {
    if (stalled_ == nullptr) return;
    take_returned(from_.now());
    if (places_ == 0) {
        if (!returns_.empty()) returner_.wake_at(returned_at());
        return;
    }
    Txn& txn = *stalled_;
    stalled_ = nullptr;
    if (__builtin_expect(txn.followed, 0)) txn.trail->waited(wire_->place(), from_.clockwork().now_ps(), Waited::room);
    put(txn);
    upstream_.admitted(txn);
}

unsigned ClockFifo::held() const {
    unsigned sum = queued_ + (stalled_ != nullptr ? 1 : 0);
    returns_.for_each([&](const Return& r) { sum += r.edge > to_.arbitrated() ? r.places : 0; });
    return sum;
}

/// A followed record goes on: had it been seen before, it waited for the wire.
[[gnu::cold, gnu::noinline]] void ClockFifo::follow(const Txn& txn) const {
    if (txn.departs >= to_.now()) return;
    txn.trail->passed(wire_->place(), to_.edge_ps(txn.departs));
    txn.trail->waited(wire_->place(), to_.clockwork().now_ps(), Waited::room);
}

// --- both directions, with ports

ClockCrossing::ClockCrossing(sc_core::sc_module_name name, const CrossingConfig& config, const Resources& r)
    : sc_module(name), above_clock_(r.above), below_clock_(r.below),
      above_("above", r.above, {config.depth, r.part}, static_cast<ResponderIf&>(*this), 0),
      below_("below", r.below, {config.depth, r.part}, static_cast<RequesterIf&>(*this), 0),
      requests_(config, {r.above, r.below}, r.rank, request_side_),
      responses_(config, {r.below, r.above}, r.rank.after(), response_side_) {
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
