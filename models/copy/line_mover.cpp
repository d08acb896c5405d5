#include "models/copy/line_mover.h"

#include <algorithm>

#include "tlm-links/protocol/resolved_address.h"

namespace numavp {

namespace {
constexpr unsigned kMoverWireDepth = 64;

/// Bytes of the range's line `index`, from the target's point of view.
ByteMask mask_of(const MoveRange& range, std::uint64_t first_line, std::uint64_t index) {
    const std::uint64_t line = first_line + index * kLineBytes;
    const std::uint64_t begin = std::max(range.to, line), end = std::min(range.to + range.bytes, line + kLineBytes);
    return ByteMask::range(static_cast<unsigned>(begin - line), static_cast<unsigned>(end - begin));
}
} // namespace

LineMover::LineMover(const std::string& name, unsigned lines_in_flight, const Resources& r)
    : Arbiter(r.domain, r.rank), pool_(r.pool), map_(r.map), home_(r.home), client_(r.client),
      port_(name.c_str(), r.domain, WireSpec{kMoverWireDepth, Part::sm}, static_cast<RequesterIf&>(*this), 0),
      engines_(r.engines), slots_(std::size_t{lines_in_flight} * r.engines) {
    port_.set_feeder(*this);
    for (unsigned e = 0; e < r.engines; ++e)
        for (unsigned s = lines_in_flight; s-- > 0;) engines_[e].free_slots.push_back(e * lines_in_flight + s);
}

bool LineMover::busy() const {
    return std::any_of(engines_.begin(), engines_.end(), [](const Engine& e) { return !e.ranges.empty(); });
}

void LineMover::move(const MoveRange& range) {
    const std::uint64_t first = range.to - range.to % kLineBytes;
    const std::uint64_t last = (range.to + range.bytes - 1) / kLineBytes * kLineBytes;
    engines_[range.engine].ranges.push_back({range, first, (last - first) / kLineBytes + 1});
    wake();
}

void LineMover::arbitrate() {
    const bool wrote = write_next();
    const bool asked = ask_next();
    if (wrote || asked) wake(); // else a response or a place on a wire does
}

Txn& LineMover::request(Kind kind, std::uint64_t line, ByteMask mask, std::uint32_t slot) {
    Txn& txn = pool_.make(kind, line, mask);
    txn.requester = home_;
    txn.tag = slot;
    map_.resolve(txn);
    txn.start(domain_.clockwork().now_ps());
    return txn;
}

/// Reads the next line of a copy, or writes that of a fill.
bool LineMover::ask_next() {
    unsigned tried = 0;
    const auto count = static_cast<unsigned>(engines_.size());
    while (tried < count && !engines_[(turn_ + tried) % count].may_ask()) ++tried;
    if (tried == count) return false;
    const unsigned chosen = (turn_ + tried) % count;
    Engine& engine = engines_[chosen];
    Open& next = engine.open(engine.asking);
    const MoveRange& range = next.range;
    const std::uint64_t to = next.first_line + next.asked * kLineBytes;
    const std::uint64_t line = range.fill ? to : to - range.to + range.from;
    if (!port_.ready()) return false;
    turn_ = (chosen + 1) % count;
    const std::uint32_t slot = engine.free_slots.back();
    engine.free_slots.pop_back();
    slots_[slot] = {chosen, engine.asking, next.asked};
    const ByteMask mask = range.fill ? mask_of(range, next.first_line, next.asked) : ByteMask::full();
    Txn& txn = request(range.fill ? Kind::store : Kind::load, line, mask, slot);
    if (range.fill) txn.data.fill(0);
    if (++next.asked == next.lines) ++engine.asking;
    port_.send(txn, domain_.now() + 1);
    return true;
}

/// A line that has come goes to its target.
bool LineMover::write_next() {
    if (read_.empty()) return false;
    const std::uint32_t slot = read_.front().tag;
    const Open& of = open(slots_[slot]);
    const std::uint64_t index = slots_[slot].index, to = of.first_line + index * kLineBytes;
    if (!port_.ready()) return false;
    Txn& line = read_.pop();
    Txn& txn = request(Kind::store, to, mask_of(of.range, of.first_line, index), slot);
    if (pool_.functional) txn.data = line.data;
    line.release();
    port_.send(txn, domain_.now() + 1);
    return true;
}

bool LineMover::response(unsigned, Txn& txn) {
    wake();
    if (txn.kind == Kind::load) {
        read_.push(txn);
        return true;
    }
    const std::uint32_t slot = txn.tag;
    txn.release();
    moved(slot);
    return true;
}

void LineMover::moved(std::uint32_t slot) {
    const Slot at = slots_[slot];
    Engine& engine = engines_[at.engine];
    engine.free_slots.push_back(slot);
    Open& of = open(at);
    client_.line_moved(of.range, of.first_line + at.index * kLineBytes);
    if (++of.moved != of.lines) return;
    const MoveRange range = of.range;
    while (!engine.ranges.empty() && engine.ranges.front().moved == engine.ranges.front().lines) {
        engine.ranges.pop_front();
        ++engine.first_range;
    }
    client_.range_moved(range);
}

} // namespace numavp
