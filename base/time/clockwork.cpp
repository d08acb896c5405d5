#include "base/time/clockwork.h"

#include <algorithm>
#include <chrono>

#include "base/time/pace.h"
#include "base/time/team.h"
#include "base/values/error.h"

namespace numavp {

/// A clock's wheels: of each shard its own and those of nodes that come to it from other shards, and of the latter
/// again those that it sends to.
struct ClockOfShards {
    std::uint64_t khz;
    std::vector<ClockDomain*> own;
    std::vector<std::vector<ClockDomain*>> into, from;
    std::vector<const ClockDomain*> wheels; ///< all of them, those of the caller's thread first
    Cycle due = kNever;                     ///< the earliest edge at which one of them has something, when last asked
    /// What the time that is executed is to the clock: another clock's, of which it keeps its edge or passes one by;
    /// or its own, where nothing is due or something is.
    enum class Move : std::uint8_t { none, passes, meets, begins } move = Move::none;
    Cycle edge = 0; ///< to which its wheels move
};

/// How edges are executed by several workers.
struct Clockwork::Shards {
    explicit Shards(unsigned workers) : team(workers) {}

    Team team;
    std::vector<ClockOfShards> clocks; ///< the fastest first
    std::vector<ClockOfShards*> met;   ///< those that have an edge now
    Pace pace;
    std::unique_ptr<Rng> draws; ///< of which edges are shared; null: the pace chooses
    // The caller's thread has the system's deliveries, too; its decisions come after all others. Wheels are moved by
    // the thread that uses them, before the first deliveries of a time.
    const Team::Job deliver = [this](unsigned worker) {
        if (moves) move(worker);
        if (moves && worker == 0) move(system());
        deliveries_of(*acting, worker);
        if (worker == 0) deliveries_of(*acting, system());
    };
    const Team::Job decide = [this](unsigned worker) { decisions_of(*acting, worker); };
    ClockOfShards* acting = nullptr; ///< clock whose pass it is
    bool moves = false;              ///< the wheels have not moved yet to the edges of this time
    bool alone = true;               ///< the edge is executed by the caller's thread

    unsigned system() const { return team.workers(); }
    std::uint64_t next_ps();
    void meet(std::uint64_t ps);
    void move(unsigned shard) const;
    static void deliveries_of(ClockOfShards& clock, unsigned shard);
    static void decisions_of(ClockOfShards& clock, unsigned shard);
};

Clockwork::Clockwork(sc_core::sc_module_name name, unsigned workers)
    : sc_module(name), workers_(std::clamp(workers, 1U, kMaxWorkers)) {
    const sc_core::sc_time resolution = sc_core::sc_get_time_resolution();
    if (resolution != sc_core::sc_time(1, sc_core::SC_PS))
        throw ConfigError("sc_set_time_resolution",
                          "SystemC counts in steps of " + resolution.to_string() +
                              ", and numavp counts in ps; 1 ps is expected, to which Verilator's models are "
                              "adapted by --timescale-override 1ps/1ps");
    if (workers_ > 1) shards_ = std::make_unique<Shards>(workers_);
    SC_METHOD(run); // runs once at time 0, so that what was woken before the start is scheduled
    sensitive << event_;
}

Clockwork::~Clockwork() = default;

ClockDomain& Clockwork::domain(std::uint64_t khz, unsigned shard) {
    for (auto& d : domains_)
        if (d->khz() == khz && d->shard() == shard) return *d;
    domains_.push_back(std::make_unique<ClockDomain>(*this, khz, shard));
    return *domains_.back();
}

ClockDomain& Clockwork::border(std::uint64_t khz, unsigned from, unsigned to) {
    const auto clock = std::find_if(shards_->clocks.begin(), shards_->clocks.end(),
                                    [&](const ClockOfShards& c) { return c.khz == khz; });
    std::vector<ClockDomain*>& sent = clock->from[from];
    for (ClockDomain* border : sent)
        if (border->shard() == to) return *border;
    borders_.push_back(std::make_unique<ClockDomain>(*this, khz, to));
    ClockDomain& made = *borders_.back();
    made.freed_ = std::make_unique<std::vector<Arbiter*>>();
    sent.push_back(&made);
    clock->into[to].push_back(&made);
    return made;
}

void Clockwork::draw_pauses(std::uint64_t seed) {
    if (!shards_) return;
    shards_->draws = std::make_unique<Rng>(seed, workers_);
    shards_->team.draw_pauses(seed);
}

void Clockwork::end_of_elaboration() {
    if (shards_) {
        std::vector<std::uint64_t> clocks;
        for (const auto& d : domains_) clocks.push_back(d->khz());
        for (const std::uint64_t khz : clocks)
            for (unsigned shard = 0; shard <= workers_; ++shard) domain(khz, shard);
    }
    std::sort(domains_.begin(), domains_.end(), [](const auto& a, const auto& b) {
        return a->khz() != b->khz() ? a->khz() > b->khz() : a->shard() < b->shard();
    });
    if (domains_.size() > std::size_t{kMaxDomains} * (shards_ ? workers_ + 1 : 1))
        SC_REPORT_ERROR("numavp/clockwork", "more than 8 clock frequencies");
    if (shards_) {
        for (const auto& d : domains_) {
            if (d->shard() == 0) shards_->clocks.emplace_back().khz = d->khz();
            shards_->clocks.back().own.push_back(d.get());
        }
        for (ClockOfShards& clock : shards_->clocks) {
            clock.into.resize(clock.own.size());
            clock.from.resize(clock.own.size());
        }
        for (Handler* handler : to_be_bound_) handler->bound();
        for (ClockOfShards& clock : shards_->clocks) {
            clock.wheels.assign(clock.own.begin(), clock.own.end());
            std::swap(clock.wheels[1], clock.wheels.back()); // worker 0's, then the system's
            for (const auto& borders : clock.into)
                clock.wheels.insert(clock.wheels.end(), borders.begin(), borders.end());
        }
    }
    std::uint64_t wheel = 0;
    each_wheel([&](ClockDomain& d) {
        d.seal();
        if (shuffle_seed_) d.shuffle_ = std::make_unique<Rng>(*shuffle_seed_, wheel++);
    });
}

bool Clockwork::idle() const {
    bool none = true;
    each_wheel([&](const ClockDomain& d) { none &= d.next_due() == kNever; });
    return none;
}

void Clockwork::poke() {
    if (!running_) schedule();
}

std::uint64_t Clockwork::next_ps() const {
    std::uint64_t best = kNever;
    for (const auto& d : domains_) {
        const Cycle edge = d->next_due();
        if (edge != kNever) best = std::min(best, d->edge_ps(edge));
    }
    return best;
}

void Clockwork::schedule() {
    const std::uint64_t best = shards_ ? shards_->next_ps() : next_ps();
    if (best == kNever || best >= scheduled_ps_) return;
    scheduled_ps_ = best;
    const std::uint64_t now = sc_now_ps();
    if (best < now) SC_REPORT_ERROR("numavp/clockwork", "an edge was planned in the past: use at_from_outside()");
    event_.notify(sc_core::sc_time::from_value(best > now ? best - now : 0));
}

void Clockwork::run() {
    // The first run is the kernel's, whatever has been planned before the start.
    if (scheduled_ps_ != sc_now_ps()) return schedule();
    now_ps_ = scheduled_ps_;
    scheduled_ps_ = kNever;
    running_ = true;
    if (shards_) {
        run_edge();
    } else {
        ClockDomain* met[kMaxDomains]; // all that have an edge now; where nothing is due the passes do nothing
        unsigned count = 0;
        for (auto& d : domains_) {
            const Cycle edge = d->next_due();
            const bool due = edge != kNever && d->edge_ps(edge) == now_ps_;
            if (due) d->begin_edge(edge);
            if (due || d->catch_up(now_ps_)) met[count++] = d.get();
        }
        for (unsigned i = 0; i < count; ++i) met[i]->run_deliveries();
        for (unsigned i = 0; i < count; ++i) met[i]->run_arbitration();
    }
    running_ = false;
    schedule();
}

// --- an edge of several workers

/// Time of the earliest edge at which something is due.
std::uint64_t Clockwork::Shards::next_ps() {
    std::uint64_t best = kNever;
    for (ClockOfShards& clock : clocks) {
        clock.due = kNever;
        // None is asked that can't have less: it is another thread's data.
        const Cycle soonest = clock.own.front()->now() + 1;
        for (auto wheel = clock.wheels.begin(); wheel != clock.wheels.end() && clock.due != soonest; ++wheel)
            clock.due = std::min(clock.due, (*wheel)->next_due());
        if (clock.due != kNever) best = std::min(best, clock.own.front()->edge_ps(clock.due));
    }
    return best;
}

/// All wheels of a clock go to an edge together.
void Clockwork::Shards::meet(std::uint64_t ps) {
    using Move = ClockOfShards::Move;
    met.clear();
    for (ClockOfShards& clock : clocks) {
        const ClockDomain& any = *clock.own.front();
        if (clock.due != kNever && any.edge_ps(clock.due) == ps) {
            clock.edge = clock.due;
            clock.move = Move::begins;
        } else {
            clock.edge = any.edge_by(ps);
            clock.move = clock.edge <= any.now()         ? Move::none
                         : any.edge_ps(clock.edge) == ps ? Move::meets
                                                         : Move::passes;
        }
        if (clock.move >= Move::meets) met.push_back(&clock);
    }
    moves = true;
}

void Clockwork::Shards::move(unsigned shard) const {
    using Move = ClockOfShards::Move;
    for (const ClockOfShards& clock : clocks) {
        const auto follow = [&clock](ClockDomain& wheel) {
            if (clock.move == Move::begins)
                wheel.begin_edge(clock.edge);
            else
                wheel.pass_by(clock.edge, clock.move == Move::meets);
        };
        if (clock.move == Move::none) continue;
        follow(*clock.own[shard]);
        for (ClockDomain* border : clock.into[shard]) follow(*border);
    }
}

void Clockwork::Shards::deliveries_of(ClockOfShards& clock, unsigned shard) {
    ClockDomain& own = *clock.own[shard];
    own.run_deliveries();
    own.aim_wakes(own.now());
    for (ClockDomain* border : clock.into[shard]) border->run_deliveries();
    own.aim_wakes(own.now() + 1);
}

void Clockwork::Shards::decisions_of(ClockOfShards& clock, unsigned shard) {
    ClockDomain& own = *clock.own[shard];
    for (ClockDomain* border : clock.from[shard]) {
        for (const Arbiter* feeder : *border->freed_) own.wake_in_this_edge(*feeder);
        border->freed_->clear();
    }
    own.run_arbitration();
}

void Clockwork::run_edge() {
    constexpr std::uint64_t kSharedOf = 8; // in the test mode one edge in so many is shared
    Shards& s = *shards_;
    s.meet(now_ps_);
    s.alone = s.draws ? s.draws->below(kSharedOf) != 0 : s.pace.alone([this] {
        return Pace::Reading{deliveries() + arbitrations(), std::chrono::steady_clock::now()};
    });
    // Clock by clock, as with one worker: a slower clock's parts see all that those of a faster one have decided.
    for (ClockOfShards* clock : s.met) {
        s.acting = clock;
        s.team.pass(s.deliver, s.alone);
        s.moves = false;
        ClockDomain& system = *clock->own[s.system()];
        system.aim_wakes(system.now()); // what deliveries have left to the system belongs to their pass
        s.team.settle();
        system.aim_wakes(system.now() + 1);
    }
    for (ClockOfShards* clock : s.met) {
        s.acting = clock;
        s.team.pass(s.decide, s.alone);
        s.team.settle();
        Shards::decisions_of(*clock, s.system());
    }
}

void Clockwork::share_out(const std::function<void(unsigned worker)>& job) { shards_->team.pass(job, shards_->alone); }

void Clockwork::fail(const std::string& sentence) {
    Team::in_turn([this, sentence] {
        if (!failure_.empty()) return;
        failure_ = sentence;
        sc_core::sc_stop();
    });
}

std::uint64_t Clockwork::deliveries() const {
    std::uint64_t sum = 0;
    each_wheel([&](const ClockDomain& d) { sum += d.deliveries(); });
    return sum;
}

std::uint64_t Clockwork::arbitrations() const {
    std::uint64_t sum = 0;
    each_wheel([&](const ClockDomain& d) { sum += d.arbitrations(); });
    return sum;
}

} // namespace numavp
