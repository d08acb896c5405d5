#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "base/time/clockwork.h"

namespace numavp {

namespace {
constexpr std::size_t kCacheLine = 64;
constexpr std::size_t kAhead = 4;                    ///< arbiters ahead of which the state is fetched
constexpr std::uint64_t kPsTimesKhz = 1'000'000'000; // ps in a ms: period in ps = 10^9 / kHz
// Below these, 64 bits suffice for the products: 8 seconds at 1 GHz, and a second of a clock of 16 GHz.
constexpr std::uint64_t kShortEdge = std::uint64_t{1} << 33, kShortPs = std::uint64_t{1} << 40;
constexpr std::uint64_t kShortKhz = std::uint64_t{1} << 24;
} // namespace

Arbiter::Arbiter(ClockDomain& domain, Rank rank) : domain_(domain) { domain.ranked_.emplace_back(rank.key(), this); }

void Arbiter::wake_at_start() { domain_.at_start_.push_back(this); }

ClockDomain::ClockDomain(Clockwork& owner, std::uint64_t khz, unsigned shard)
    : owner_(owner), khz_(khz), shard_(shard) {
    far_wake_handler_.domain = this;
}

ClockDomain& ClockDomain::of_same_shard(std::uint64_t khz) const { return owner_.domain(khz, shard_); }

std::uint64_t ClockDomain::edge_ps(Cycle edge) const {
    if (__builtin_expect(edge < kShortEdge, 1)) return (edge * kPsTimesKhz + khz_ / 2) / khz_;
    const unsigned __int128 scaled = static_cast<unsigned __int128>(edge) * kPsTimesKhz + khz_ / 2;
    return static_cast<std::uint64_t>(scaled / khz_);
}

Cycle ClockDomain::next_usable_edge() const {
    // An edge at this very time may have been executed already: its successor is always safe.
    return std::max(edge_by(sc_now_ps()), now_) + 1;
}

void ClockDomain::at_from_outside(Cycle edge, Node& node) {
    at(std::max(edge, next_usable_edge()), node);
    owner_.poke();
}

/// at() for an edge that has passed, or beyond the wheel.
[[gnu::noinline]] void ClockDomain::beside_wheel(Cycle edge, Node& node) {
    if (edge <= now_)
        append(now_ + 1, node);
    else
        far_.push({edge, sequence_++, &node});
}

/// Arbiter::wake_at() for an edge that has passed, or beyond the ring of wake-ups.
[[gnu::noinline]] void ClockDomain::beside_ring(Cycle edge, Arbiter& arbiter) {
    if (edge <= now_) return arbiter.wake_at(now_ + 1);
    if (spare_wakes_.empty()) {
        far_wakes_.emplace_back().handler = &far_wake_handler_;
        spare_wakes_.push_back(&far_wakes_.back());
    }
    FarWake* wake = spare_wakes_.back();
    spare_wakes_.pop_back();
    wake->arbiter = &arbiter;
    at(edge, *wake);
}

void ClockDomain::FarWakeHandler::deliver(Node& node) {
    auto& wake = static_cast<FarWake&>(node);
    wake.arbiter->wake();
    domain->spare_wakes_.push_back(&wake);
}

Cycle ClockDomain::next_due() const {
    const unsigned from = (now_ + 1) % kWakeSlots;
    if (wake_words_[from] != 0) return now_ + 1;
    Cycle best = far_.empty() ? kNever : far_.top().edge;
    if (wake_slots_) {
        const std::uint64_t turned = from ? (wake_slots_ >> from) | (wake_slots_ << (kWakeSlots - from)) : wake_slots_;
        best = std::min(best, now_ + 1 + static_cast<unsigned>(__builtin_ctzll(turned)));
    }
    constexpr unsigned words = kSlots / 64;
    const unsigned first = (now_ + 1) % kSlots;
    for (unsigned i = 0; i <= words; ++i) {
        const unsigned word = (first / 64 + i) % words;
        std::uint64_t bits = busy_[word];
        if (i == 0) bits &= ~0ULL << (first % 64);
        if (i == words) bits &= ~(~0ULL << (first % 64));
        if (bits) {
            const unsigned index = word * 64 + static_cast<unsigned>(__builtin_ctzll(bits));
            return std::min(best, now_ + 1 + (index + kSlots - first) % kSlots);
        }
    }
    return best;
}

void ClockDomain::begin_edge(Cycle edge) {
    now_ = edge;
    arbitrated_ = edge - 1;
    aim_wakes(edge + 1);
    if (far_.empty() || far_.top().edge > edge) return;
    // Nodes that were far away come before nodes put on the wheel later for the same edge.
    Slot& slot = slots_[edge % kSlots];
    Slot nodes;
    for (; !far_.empty() && far_.top().edge <= edge; far_.pop()) nodes.push_back(far_.top().node);
    nodes.insert(nodes.end(), slot.begin(), slot.end());
    slot.clear();
    for (Node* node : nodes) append(edge, *node);
}

Cycle ClockDomain::edge_by(std::uint64_t ps) const {
    auto edge = __builtin_expect(ps < kShortPs && khz_ < kShortKhz, 1)
                    ? ps * khz_ / kPsTimesKhz
                    : static_cast<Cycle>(static_cast<unsigned __int128>(ps) * khz_ / kPsTimesKhz);
    while (edge_ps(edge + 1) <= ps) ++edge;
    return edge;
}

Cycle ClockDomain::arbitrated() const { return owner_.running() ? arbitrated_ : edge_by(sc_now_ps()); }

bool ClockDomain::catch_up(std::uint64_t ps) {
    const Cycle edge = edge_by(ps);
    if (edge <= now_) return false;
    const bool meets = edge_ps(edge) == ps;
    pass_by(edge, meets);
    return meets;
}

/// Draws an order of turns, in each of which a handler gets the next of its nodes.
void ClockDomain::shuffle(Slot& nodes) {
    Slot sent = nodes;
    for (std::size_t i = nodes.size(); i > 1; --i) std::swap(nodes[i - 1], nodes[shuffle_->below(i)]);
    std::vector<std::size_t> turns(nodes.size());
    std::iota(turns.begin(), turns.end(), std::size_t{0});
    // Both by handler, whatever the order of these: the k-th turn of each meets its k-th node.
    const std::less<const Handler*> before;
    std::stable_sort(turns.begin(), turns.end(),
                     [&](std::size_t a, std::size_t b) { return before(nodes[a]->handler, nodes[b]->handler); });
    std::stable_sort(sent.begin(), sent.end(),
                     [&](const Node* a, const Node* b) { return before(a->handler, b->handler); });
    for (std::size_t i = 0; i < turns.size(); ++i) nodes[turns[i]] = sent[i];
}

void ClockDomain::run_deliveries() {
    // Nodes ahead whose record, then whose handler, then what is beyond it, then what that leads to is fetched.
    constexpr std::size_t kFar = 12, kNear = 8, kNext = 4, kLast = 2;
    const unsigned index = now_ % kSlots;
    Slot& slot = slots_[index];
    if (slot.empty()) return;
    if (shuffle_) shuffle(slot);
    busy_[index >> 6] &= ~(1ULL << (index & 63));
    aim_wakes(now_);
    const std::size_t count = slot.size();
    slot.insert(slot.end(), kFar, slot.back()); // what is looked at ahead needs no bound
    Node* const* const nodes = slot.data();     // nothing is appended to the edge that is executed
    for (std::size_t i = 0; i < kFar; ++i) __builtin_prefetch(nodes[i], 1);
    for (std::size_t i = 0; i < kNear; ++i) __builtin_prefetch(nodes[i]->handler, 1);
    for (std::size_t i = 0; i < count; ++i) {
        __builtin_prefetch(nodes[i + kFar], 1);
        __builtin_prefetch(nodes[i + kNear]->handler, 1);
        const Handler* const next = nodes[i + kNext]->handler;
        __builtin_prefetch(next->beyond());
        if (next->consumes()) __builtin_prefetch(reinterpret_cast<const char*>(nodes[i + kNext]) + kCacheLine, 1);
        if (const Handler* const last = nodes[i + kLast]->handler; last->reaches()) last->fetch_reached();
        nodes[i]->handler->deliver(*nodes[i]);
    }
    slot.clear();
    const Slot& following = slots_[(now_ + 1) % kSlots]; // filled over many edges
    for (std::size_t i = 0; i < following.size(); i += kCacheLine / sizeof(Node*)) __builtin_prefetch(&following[i]);
    deliveries_ += count;
    aim_wakes(now_ + 1);
}

/// Calls the arbiters that were woken for this edge, and fetches the state of the next ones meanwhile, then what they
/// said that they will touch. They wake each other for later edges only, so all are known before the first is called.
void ClockDomain::run_arbitration() {
    constexpr std::size_t kNext = 2, kLines = 3;
    arbitrated_ = now_;
    const unsigned slot = now_ % kWakeSlots;
    std::uint64_t coarse = wake_words_[slot];
    if (!coarse) return;
    wake_words_[slot] = 0;
    wake_slots_ &= ~(1ULL << slot);
    std::uint64_t* const row = wake_row(slot);
    Arbiter* const* const arbiters = arbiters_.data();
    Arbiter** const woken = woken_.data();
    Arbiter** last = woken;
    for (; coarse; coarse &= coarse - 1) {
        const unsigned first = static_cast<unsigned>(__builtin_ctzll(coarse));
        const unsigned begin = first << (coarse_shift_ - 6);
        const unsigned end = std::min((first + 1) << (coarse_shift_ - 6), words_);
        for (unsigned w = begin; w < end; ++w)
            for (std::uint64_t bits = std::exchange(row[w], 0); bits; bits &= bits - 1)
                *last++ = arbiters[std::size_t{w} * 64 + static_cast<unsigned>(__builtin_ctzll(bits))];
    }
    if (last == woken) return;
    std::fill_n(last, kAhead, last[-1]); // what is looked at ahead needs no bound
    const auto fetch = [](const Arbiter* arbiter) {
        const char* const state = reinterpret_cast<const char*>(arbiter);
        for (std::size_t line = 0; line < kLines; ++line) __builtin_prefetch(state + line * kCacheLine, 1);
    };
    for (std::size_t i = 0; i < kAhead; ++i) fetch(woken[i]);
    for (Arbiter** at = woken; at != last; ++at) {
        fetch(at[kAhead]);
        const void* const* const touched = at[kNext]->touched_;
        for (unsigned i = at[kNext]->touched_count_; i-- > 0;) __builtin_prefetch(touched[i], 1);
        (*at)->arbitrate();
    }
    arbitrations_ += static_cast<std::uint64_t>(last - woken);
}

void ClockDomain::seal() {
    std::sort(ranked_.begin(), ranked_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < ranked_.size(); ++i) {
        arbiters_.push_back(ranked_[i].second);
        arbiters_[i]->bit_ = static_cast<std::uint32_t>(i);
        if (i && ranked_[i - 1].first == ranked_[i].first)
            SC_REPORT_ERROR("numavp/clockwork", "two arbiters share a rank");
    }
    words_ = static_cast<unsigned>(arbiters_.size() / 64 + 1);
    while ((std::uint64_t{64} << coarse_shift_) < arbiters_.size()) ++coarse_shift_;
    for (Arbiter* arbiter : arbiters_) arbiter->coarse_ = static_cast<std::uint8_t>(arbiter->bit_ >> coarse_shift_);
    wake_bits_.assign(std::size_t{kWakeSlots} * words_, 0);
    woken_.resize(arbiters_.size() + kAhead);
    aim_wakes(now_ + 1);
    for (Arbiter* arbiter : at_start_) arbiter->wake();
}

} // namespace numavp
