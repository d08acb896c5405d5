/// The event queue of a simulation: timing wheels on the edges of the clocks, behind one SystemC event.
///
/// Each clock has its own wheel; the SystemC kernel is woken once for each distinct time. A time has two passes: first
/// all deliveries (transactions that arrive, in the order in which they were sent), then all arbitration (in the order
/// of the arbiters' ranks, which follow from socket, kind and index of a block, not from the order of construction).
/// Modules call each other only in deliveries and decide only in arbitration, so which request wins a resource does not
/// depend on the order of construction or of calls.
///
/// Where several workers execute one simulation, its parts are divided into shards: a worker executes those of its
/// shard in both passes, beside the others, and waits for them between the passes. What shards have in common is the
/// turn of the thread that runs the simulation (Team::in_turn(), parts of the system's shard), after all workers.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include <systemc>

#include "base/time/sim_time.h"
#include "base/values/rng.h"
#include "base/values/types.h"

namespace numavp {

struct Node;
class Clockwork;
class ClockDomain;

/// Receives the nodes that were put on a wheel, when their time has come (first pass).
class Handler {
  public:
    virtual void deliver(Node& node) = 0;
    /// Prefetches addresses that are stored at beyond(), whose line has been fetched already. Only called if reaches().
    virtual void fetch_reached() const {}
    /// All is bound, and nothing has been delivered; called if Clockwork::tell_when_bound() was.
    virtual void bound() {}
    /// Address that a delivery touches next, to be prefetched; the handler's own if nothing is known.
    const void* beyond() const { return reinterpret_cast<const void*>(beyond_ & ~kMarks); }
    /// True if a delivery ends the life of its node, whose second line is then prefetched.
    bool consumes() const { return (beyond_ & kConsumes) != 0; }
    bool reaches() const { return (beyond_ & kReaches) != 0; }

  protected:
    ~Handler() = default;
    static constexpr std::uintptr_t kConsumes = 1, kReaches = 2, kMarks = 7;
    /// An address that is a multiple of 8. Not null, which would be looked for in the page tables.
    void set_beyond(const void* beyond, std::uintptr_t marks) {
        assert((reinterpret_cast<std::uintptr_t>(beyond) & kMarks) == 0);
        beyond_ = reinterpret_cast<std::uintptr_t>(beyond) | marks;
    }

  private:
    /// An address and, in its lowest bits, marks: both fit where one does.
    std::uintptr_t beyond_ = reinterpret_cast<std::uintptr_t>(this);
};

/// Entry of a wheel or a queue. Intrusive: a node is in one place at a time.
struct Node {
    union {
        Node* next = nullptr; ///< in a queue: the one behind it
        Handler* handler;     ///< on a wheel: who receives it
    };
};

/// The order of arbitration within one time: by socket, kind of block, index.
struct Rank {
    std::uint16_t socket = 0;
    std::uint16_t kind = 0;
    std::uint32_t index = 0;
    std::uint64_t key() const { return (std::uint64_t{socket} << 48) | (std::uint64_t{kind} << 32) | index; }
    /// The rank of the arbiter that is `by` places later among its kind.
    Rank after(std::uint32_t by = 1) const { return {socket, kind, index + by}; }
};

/// A part that decides; called in the second pass of each edge for which it was woken. It may be woken without need:
/// then it must do nothing.
class Arbiter {
  public:
    Arbiter(ClockDomain& domain, Rank rank);
    virtual ~Arbiter() = default;
    Arbiter(const Arbiter&) = delete;
    Arbiter& operator=(const Arbiter&) = delete;

    virtual void arbitrate() = 0;

    ClockDomain& clock() const { return domain_; }
    /// Calls arbitrate() in this edge's second pass if called from the first, else at the next edge.
    inline void wake();
    /// Calls arbitrate() at `edge`, or at the next edge if that has passed.
    inline void wake_at(Cycle edge);

  protected:
    /// Calls arbitrate() at edge 1. For use before the simulation starts, when ranks are not known yet.
    void wake_at_start();
    ClockDomain& domain_;

  private:
    friend class Clockwork;
    friend class ClockDomain;
    template <std::size_t> friend class Touches;
    const void* const* touched_ = nullptr;
    std::uint32_t bit_ = 0;   ///< position in the order of its domain
    std::uint8_t coarse_ = 0; ///< bit of the domain's coarse words
    std::uint8_t touched_count_ = 0;
};

/// What the next decision of an arbiter will touch, as far as known: a member of the arbiter, whose N addresses are
/// fetched shortly before the decision, since data that has waited for long is no longer in the cache. Places of which
/// nothing is known have an address that is near (null would be looked for in the page tables).
template <std::size_t N> class Touches {
  public:
    explicit Touches(Arbiter& owner) {
        addresses_.fill(this);
        owner.touched_ = addresses_.data();
        owner.touched_count_ = static_cast<std::uint8_t>(N);
    }
    Touches(const Touches&) = delete;
    Touches& operator=(const Touches&) = delete;

    void expect(std::size_t place, const void* address) { addresses_[place] = address; }
    /// The addresses of all places, in their order.
    void expect_all(const std::array<const void*, N>& addresses) { addresses_ = addresses; }
    /// What is over is not fetched again.
    template <class... Places> void forget(Places... places) { ((addresses_[places] = this), ...); }
    void forget_all() { addresses_.fill(this); }

  private:
    std::array<const void*, N> addresses_;
};

/// One clock: an integer of kHz; edge n is at n/f, rounded once to ps.
class alignas(64) ClockDomain {
  public:
    ClockDomain(Clockwork& owner, std::uint64_t khz, unsigned shard = 0);

    std::uint64_t khz() const { return khz_; }
    /// Whose nodes and arbiters these are: each worker has a shard, and so has the system.
    unsigned shard() const { return shard_; }
    /// The clock of another frequency in the same shard.
    ClockDomain& of_same_shard(std::uint64_t khz) const;
    /// The edge that is being executed, or the last one that was.
    Cycle now() const { return now_; }
    /// The last edge at which arbiters have acted, or could have if one had been woken: before the turn of this clock
    /// in the second pass of an edge, the edge before that.
    Cycle arbitrated() const;
    /// First edge that a caller from outside (a foreign module, a thread) can still use.
    Cycle next_usable_edge() const;
    /// Time of an edge in ps.
    std::uint64_t edge_ps(Cycle edge) const;
    /// The last edge at or before a time.
    Cycle edge_by(std::uint64_t ps) const;
    /// Delivers `node` in the first pass of `edge`; an edge that is not in the future becomes the next one.
    inline void at(Cycle edge, Node& node);
    /// Wakes the arbiter that waits for what a delivery on this wheel has freed: on a border it is another shard's.
    inline void wake_feeder(Arbiter& feeder);
    /// The same as at() for a caller that does not run in a pass of the clockwork.
    void at_from_outside(Cycle edge, Node& node);
    /// Edge of the earliest node or wake-up that is due; kNever if there is none.
    Cycle next_due() const;
    /// Nodes and wake-ups executed so far.
    std::uint64_t deliveries() const { return deliveries_; }
    std::uint64_t arbitrations() const { return arbitrations_; }
    Clockwork& clockwork() { return owner_; }

  private:
    friend class Clockwork;
    friend class Arbiter;
    static constexpr unsigned kSlots = 1024; ///< edges that the wheel reaches ahead
    static constexpr unsigned kWakeSlots = 64;

    /// The nodes of an edge in the order in which they were put there. An array, not a list: appending touches no
    /// other node, and those to come can be fetched ahead.
    using Slot = std::vector<Node*>;
    struct Far {
        Cycle edge;
        std::uint64_t sequence;
        Node* node;
        bool operator>(const Far& o) const { return edge != o.edge ? edge > o.edge : sequence > o.sequence; }
    };
    struct FarWake : Node {
        Arbiter* arbiter = nullptr;
    };
    struct FarWakeHandler final : Handler {
        ClockDomain* domain = nullptr;
        void deliver(Node& node) override;
    };

    void append(Cycle edge, Node& node);
    void beside_wheel(Cycle edge, Node& node);
    void beside_ring(Cycle edge, Arbiter& arbiter);
    static void set_wake(const Arbiter& arbiter, std::uint64_t* row, std::uint64_t& coarse) {
        row[arbiter.bit_ >> 6] |= 1ULL << (arbiter.bit_ & 63);
        coarse |= 1ULL << arbiter.coarse_;
    }
    /// Calls arbitrate() in the second pass of the edge whose first has just ended.
    void wake_in_this_edge(const Arbiter& arbiter) {
        set_wake(arbiter, wake_row(now_ % kWakeSlots), wake_words_[now_ % kWakeSlots]);
    }
    std::uint64_t* wake_row(unsigned slot) { return &wake_bits_[std::size_t{slot} * words_]; }
    /// From now on wake() means arbitration at `edge`.
    void aim_wakes(Cycle edge) {
        soon_row_ = wake_row(edge % kWakeSlots);
        soon_coarse_ = &wake_words_[edge % kWakeSlots];
    }
    void begin_edge(Cycle edge);
    /// Moves the edge of a clock in which nothing was due up to `ps`, which another clock executes. True if this clock
    /// has an edge then too.
    bool catch_up(std::uint64_t ps);
    /// Moves a clock in which nothing was due to `edge`; `meets`: that edge is executed now.
    void pass_by(Cycle edge, bool meets) {
        now_ = edge;
        aim_wakes(edge + 1);
        arbitrated_ = meets ? edge - 1 : edge;
    }
    void run_deliveries();
    void shuffle(Slot& nodes);
    void run_arbitration();
    void seal();

    // The first cache line: all that at(), wake() and wake_feeder() read of the domain itself.
    Clockwork& owner_;
    std::uint64_t khz_;
    unsigned shard_;
    Cycle now_ = 0;
    std::uint64_t* soon_row_ = nullptr; ///< where wake() sets a bit: of this edge in its deliveries, else of the next
    std::uint64_t* soon_coarse_ = nullptr;           ///< the same for the coarse bit
    std::unique_ptr<std::vector<Arbiter*>> freed_{}; ///< of a border: feeders of this edge's places
    Cycle arbitrated_ = 0;
    std::array<Slot, kSlots> slots_{};
    std::array<std::uint64_t, kSlots / 64> busy_{};
    std::priority_queue<Far, std::vector<Far>, std::greater<>> far_;
    std::uint64_t sequence_ = 0;
    std::vector<std::pair<std::uint64_t, Arbiter*>> ranked_; ///< with their ranks' keys; until the start
    std::vector<Arbiter*> arbiters_;                         ///< from then on, in the order of these
    std::vector<Arbiter*> at_start_;
    std::vector<Arbiter*> woken_;                        ///< those of the edge that is executed, in their order
    std::vector<std::uint64_t> wake_bits_;               ///< kWakeSlots rows of words_ words
    std::array<std::uint64_t, kWakeSlots> wake_words_{}; ///< coarse: a bit for 64 words, or more
    std::uint64_t wake_slots_ = 0;                       ///< bit per row, but not for what wake() alone has set
    unsigned words_ = 1;
    unsigned coarse_shift_ = 12;    ///< log2 of the arbiters of a coarse bit
    std::deque<FarWake> far_wakes_; ///< all that were made
    std::vector<FarWake*> spare_wakes_;
    FarWakeHandler far_wake_handler_;
    std::uint64_t deliveries_ = 0;
    std::uint64_t arbitrations_ = 0;
    std::unique_ptr<Rng> shuffle_; ///< null: deliveries come in the order in which they were sent
};

/// All clocks of a simulation behind one SystemC event.
class Clockwork : public sc_core::sc_module {
  public:
    SC_HAS_PROCESS(Clockwork);
    /// With more than one worker there is a shard for each, by number, and one for the system behind them.
    explicit Clockwork(sc_core::sc_module_name name, unsigned workers = 1);
    ~Clockwork() override;

    unsigned workers() const { return workers_; }
    unsigned system_shard() const { return workers_ == 1 ? 0 : workers_; }
    /// The clock of that frequency in a shard, created by the first call for it. Only before the simulation starts.
    ClockDomain& domain(std::uint64_t khz, unsigned shard);
    ClockDomain& domain(std::uint64_t khz) { return domain(khz, system_shard()); }
    /// The wheel of nodes that shard `from` sends in its second pass and shard `to` delivers. Only in Handler::bound().
    ClockDomain& border(std::uint64_t khz, unsigned from, unsigned to);
    /// Calls bound() of a handler, which has to know its other side's shard, before the simulation starts.
    void tell_when_bound(Handler& handler) { to_be_bound_.push_back(&handler); }
    /// For a part of the system in its turn of a second pass: does `job` for each worker, side by side where the edge
    /// is shared. Jobs touch no shard's parts. Only with more than one worker.
    void share_out(const std::function<void(unsigned worker)>& job);
    std::uint64_t now_ps() const { return now_ps_; }
    /// True in the passes of an edge.
    bool running() const { return running_; }
    /// True if nothing is due in any clock domain.
    bool idle() const;
    /// Tells the clockwork that something was put on a wheel from outside its own passes.
    void poke();
    /// Test mode: from now on the deliveries of each edge come in a random order, but those to one handler in theirs.
    /// Decisions of modules must not depend on it, so results stay the same.
    void shuffle_deliveries(std::uint64_t seed) { shuffle_seed_ = std::make_unique<std::uint64_t>(seed); }
    /// Test mode of several workers: which edges they share is drawn, and workers pause at drawn passes.
    void draw_pauses(std::uint64_t seed);
    /// Ends the simulation with a user's error that was found while it ran.
    void fail(const std::string& sentence);
    const std::string& failure() const { return failure_; }
    std::uint64_t deliveries() const;
    std::uint64_t arbitrations() const;
    static constexpr unsigned kMaxDomains = 8;
    static constexpr unsigned kMaxWorkers = 64;

  private:
    friend class ClockDomain;
    struct Shards;
    void end_of_elaboration() override;
    void run();
    void run_edge();
    void schedule();
    std::uint64_t next_ps() const;
    template <class Visit> void each_wheel(const Visit& visit) const {
        for (const auto& d : domains_) visit(*d);
        for (const auto& b : borders_) visit(*b);
    }

    sc_core::sc_event event_;
    unsigned workers_;
    std::vector<std::unique_ptr<ClockDomain>> domains_;
    std::vector<std::unique_ptr<ClockDomain>> borders_;
    std::vector<Handler*> to_be_bound_;
    std::unique_ptr<Shards> shards_; ///< null with one worker
    std::uint64_t now_ps_ = 0;
    std::uint64_t scheduled_ps_ = kNever;
    bool running_ = false;
    std::unique_ptr<std::uint64_t> shuffle_seed_; ///< null: deliveries come in the order in which they were sent
    std::string failure_;
};

inline void ClockDomain::at(Cycle edge, Node& node) {
    if (__builtin_expect(edge - now_ - 1 < kSlots - 1, 1)) // what has passed wraps to a large number
        append(edge, node);
    else
        beside_wheel(edge, node);
}

inline void ClockDomain::append(Cycle edge, Node& node) {
    const unsigned index = edge % kSlots;
    slots_[index].push_back(&node);
    busy_[index >> 6] |= 1ULL << (index & 63);
}

inline void ClockDomain::wake_feeder(Arbiter& feeder) {
    if (__builtin_expect(freed_ == nullptr, 1))
        feeder.wake();
    else
        freed_->push_back(&feeder);
}

inline void Arbiter::wake() { ClockDomain::set_wake(*this, domain_.soon_row_, *domain_.soon_coarse_); }

inline void Arbiter::wake_at(Cycle edge) {
    if (__builtin_expect(edge - domain_.now_ - 1 >= ClockDomain::kWakeSlots - 1, 0))
        return domain_.beside_ring(edge, *this);
    const unsigned slot = edge % ClockDomain::kWakeSlots;
    ClockDomain::set_wake(*this, domain_.wake_row(slot), domain_.wake_words_[slot]);
    domain_.wake_slots_ |= 1ULL << slot;
}

} // namespace numavp
