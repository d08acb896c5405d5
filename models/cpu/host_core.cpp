#include "models/cpu/host_core.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "base/stats/series.h"
#include "base/stats/stats.h"
#include "tlm-links/protocol/ranks.h"
#include "tlm-links/protocol/resolved_address.h"

namespace numavp {

namespace {
constexpr unsigned kHostWireDepth = 64;
constexpr unsigned kRankOfHostCore = 2000; ///< behind a socket's foreign initiators, as copy engines
constexpr std::uint64_t kPsPerMs = 1'000'000'000;
constexpr Slot kAheadCycles = 4096;  ///< that the core is ahead of the machine at most
constexpr Slot kStepCycles = 262144; ///< a phase that only computes is seen to go on
} // namespace

HostCore::HostCore(sc_core::sc_module_name name, const HostCoreConfig& config, const Resources& r)
    : sc_module(name), Arbiter(r.domain, Rank{r.socket.value, kRankEdge, kRankOfHostCore}), config_(config),
      pool_(r.pool), map_(r.map), space_(r.space), socket_(r.socket), marker_(r.marker), fail_(r.fail),
      caches_(config, r.pool.functional), workers_(config.cores),
      port_("mem_side", r.domain, WireSpec{kHostWireDepth, Part::sm}, static_cast<RequesterIf&>(*this), 0) {
    DataHooks* const hooks = r.pool.functional ? r.hooks : nullptr;
    for (unsigned c = 0; c < config.cores; ++c)
        workers_[c].core = std::make_unique<IntervalCore>(
            config, IntervalCore::Resources{static_cast<IntervalCore::Memory&>(*this), caches_, hooks, c});
    port_.set_feeder(*this);
}

HostCore::~HostCore() = default;

// --- time

/// The first slot that has not passed.
Slot HostCore::slot_now() const {
    const std::uint64_t ps = domain_.edge_ps(domain_.now()), rate = config_.slots_per_ms();
    return ps / kPsPerMs * rate + (ps % kPsPerMs * rate + kPsPerMs - 1) / kPsPerMs;
}

/// The machine's first edge at or after a slot.
Cycle HostCore::edge_of(Slot slot) const {
    const std::uint64_t rate = config_.slots_per_ms(), khz = domain_.khz();
    const std::uint64_t ps = slot / rate * kPsPerMs + (slot % rate * kPsPerMs + rate - 1) / rate;
    Cycle edge = ps / kPsPerMs * khz + ps % kPsPerMs * khz / kPsPerMs;
    while (domain_.edge_ps(edge) < ps) ++edge;
    return edge;
}

// --- phases

bool HostCore::run(const Launch& launch, std::function<void()> done) {
    if (launch.host->items == 0) return true;
    commands_.push_back({launch.host, std::move(done), launch.stream});
    wake();
    return false;
}

bool HostCore::any_running() const {
    return std::any_of(workers_.begin(), workers_.end(), [](const Worker& w) { return w.running(); });
}

HostCore::Worker* HostCore::worker_for(const Command& command) {
    const auto last = last_cores_.find(command.stream);
    if (last != last_cores_.end() && !workers_[last->second].running()) return &workers_[last->second];
    const auto free = std::find_if(workers_.begin(), workers_.end(), [](const Worker& w) { return !w.running(); });
    return free == workers_.end() ? nullptr : &*free;
}

void HostCore::begin() {
    while (!commands_.empty()) {
        Worker* const free = worker_for(commands_.front());
        if (free == nullptr) return;
        if (!any_running()) busy_since_ = domain_.now();
        free->command = std::move(commands_.front());
        commands_.pop_front();
        free->cleaning = false;
        free->since = domain_.now();
        last_cores_[free->command.stream] = static_cast<unsigned>(free - workers_.data());
        free->core->begin(*free->command.phase, slot_now(), marker_);
    }
}

void HostCore::arbitrate() {
    begin();
    take_arrived();
    if (any_running()) go_on();
    send();
}

void HostCore::take_arrived() {
    while (!arrived_.empty()) {
        Txn& txn = arrived_.pop();
        if (txn.kind == Kind::load) {
            const HostCaches::Arrived came = caches_.arrived(txn.cookie);
            const unsigned char* const bytes = pool_.functional ? txn.data.data() : nullptr;
            if (came.again)
                workers_[came.cores.front()].core->fetch_again(txn.cookie, slot_now());
            else
                for (const unsigned core : came.cores) workers_[core].core->fill(txn.cookie, slot_now(), bytes);
        } else {
            const auto of_line = writes_.find(txn.cookie);
            const Write write = of_line->second.front();
            of_line->second.pop_front();
            if (of_line->second.empty()) writes_.erase(of_line);
            write_numbers_.erase(write.number);
            workers_[write.core].core->written(slot_now());
        }
        txn.release();
    }
}

/// All cores go on to `until`, that first whose next operation is the earliest; kNever if all wait for memory, else
/// when one goes on.
Slot HostCore::advance(Slot until) {
    std::vector<Slot> next(workers_.size(), 0); // 0: something may have come
    for (std::size_t w = 0; w < workers_.size(); ++w)
        if (!workers_[w].running() || workers_[w].core->done()) next[w] = kNever;
    for (;;) {
        const auto first = std::min_element(next.begin(), next.end());
        if (*first > until) return *first;
        Slot others = until + 1;
        for (auto other = next.begin(); other != next.end(); ++other)
            if (other != first) others = std::min(others, *other);
        *first =
            workers_[static_cast<std::size_t>(first - next.begin())].core->advance(std::max(*first + 1, others) - 1);
    }
}

void HostCore::go_on() {
    const Slot now = slot_now(), step = kStepCycles * config_.issue_width;
    const Slot ahead =
        (config_.cores == 1 ? kAheadCycles : Slot{config_.l2_cycles} + config_.transfer_cycles) * config_.issue_width;
    ++steps_;
    const Slot next = advance(now + ahead);
    if (next != kNever) wake_at(edge_of(std::min(next - ahead, now + step)));
    for (Worker& worker : workers_)
        if (worker.running() && worker.core->done()) go_on(worker, now);
}

/// Behind the last instruction of a phase.
void HostCore::go_on(Worker& worker, Slot now) {
    IntervalCore& core = *worker.core;
    const Slot step = kStepCycles * config_.issue_width;
    if (core.end() > now) return wake_at(edge_of(std::min(core.end(), now + step)));
    if (!worker.cleaning) {
        worker.cleaning = true;
        CoreWrite write;
        while (core.clean(write)) write_back(static_cast<unsigned>(&worker - workers_.data()), write, now);
        worker.writes_before = next_write_; // its lines may be among those that others have written back
    }
    if (core.drained() && (write_numbers_.empty() || *write_numbers_.begin() >= worker.writes_before)) end(worker);
}

void HostCore::end(Worker& worker) {
    const Command ended = std::exchange(worker.command, Command());
    if (!any_running()) busy_ps_ += domain_.edge_ps(domain_.now()) - domain_.edge_ps(busy_since_);
    if (on_end) on_end({*ended.phase, worker.since, static_cast<unsigned>(&worker - workers_.data())});
    if (!commands_.empty()) wake();
    ended.done();
}

// --- memory

/// Requests leave in the order of their times, so this fetch follows all earlier writes: those have the present time.
void HostCore::fetch(std::uint64_t line, Slot at) {
    requests_[{at, next_request_++}] = {line, false, ByteMask::full(), {}};
    wake_at(edge_of(at));
}

void HostCore::write_back(unsigned core, const CoreWrite& write, Slot at) {
    Request& request = requests_[{at, next_request_++}];
    request = {write.line, true, write.mask, {}};
    if (write.data != nullptr) request.data.assign(write.data, write.data + kLineBytes);
    writes_[write.line].push_back({core, next_write_});
    write_numbers_.insert(next_write_++);
    wake_at(edge_of(at));
}

/// One line a cycle of the machine, the oldest whose time has come.
void HostCore::send() {
    if (requests_.empty() || !port_.ready()) return;
    const auto first = requests_.begin();
    if (first->first.first > slot_now()) return wake_at(edge_of(first->first.first));
    const Request& request = first->second;
    PhysicalAddress physical = 0;
    if (!space_.translate(request.line >> kLineShift, socket_, physical)) {
        fail_(fmt::format("the host's line at {:#x} finds no place for its page", request.line));
        return;
    }
    Txn& txn = pool_.make(request.write ? Kind::store : Kind::load, physical, request.mask);
    txn.requester = socket_;
    txn.cookie = txn.virtual_line = request.line;
    if (!request.data.empty()) std::memcpy(txn.data.data(), request.data.data(), kLineBytes);
    map_.resolve(txn);
    txn.start(domain_.clockwork().now_ps());
    bytes_ += kLineBytes;
    requests_.erase(first);
    port_.send(txn, domain_.now() + 1);
    if (!requests_.empty()) wake_at(std::max(edge_of(requests_.begin()->first.first), domain_.now() + 1));
}

bool HostCore::response(unsigned, Txn& txn) {
    arrived_.push(txn);
    wake();
    return true;
}

// --- what is shown

void HostCore::add_statistics(StatGroup& machine) const {
    StatGroup& g = machine.group("host_core");
    g.counter("busy_ps", busy_ps_, "ps", "Time in phases of the host.");
    const auto add = [&](const char* name, const std::uint64_t& of_core, const char* unit, const char* doc) {
        if (config_.cores == 1) return g.counter(name, of_core, unit, doc);
        g.total(name, of_core, unit, doc);
    };
    for (const Worker& worker : workers_) {
        const HostCoreCounts& c = worker.core->counts();
        add("phases", c.phases, "phases", "Phases of the host begun.");
        add("instructions", c.instructions, "instructions", "Instructions of all phases.");
        add("flops", c.flops, "flops", "Floating-point operations among the instructions.");
        add("loads", c.loads, "lines", "Lines read by items.");
        add("stores", c.stores, "lines", "Lines written by items.");
        add("l1_hits", c.l1_hits, "lines", "Lines of loads and stores that hit the L1.");
        add("l2_hits", c.l2_hits, "lines", "Lines that missed the L1 and hit the L2.");
        add("merged", c.merged, "lines", "Lines that were on their way already.");
        add("fetched", c.fetched, "lines", "Lines of 128 bytes read from memory.");
        add("written", c.written, "lines", "Lines written back to memory, evicted or behind a phase.");
    }
    g.counter("memory_bytes", bytes_, "B", "Bytes of lines fetched and written back, 128 each.");
    if (config_.cores == 1) return;
    const SharingCounts& c = caches_.counts();
    g.counter("transfers", c.transfers, "lines", "Lines that another core's L1 had in E, O or M when a core asked.");
    g.counter("invalidations", c.invalidations, "lines", "Lines dropped by other cores' L1s for a store.");
    g.counter("upgrades", c.upgrades, "lines", "Lines written by a core that had them in S or O.");
}

void HostCore::add_series(SeriesGroup& machine) const {
    machine.increase("host_core.bytes", bytes_, "B", "Bytes read and written by the host's core, in whole lines.");
}

std::string HostCore::waiting_for() const {
    std::size_t phases = commands_.size();
    const HostPhase* first = commands_.empty() ? nullptr : commands_.front().phase.get();
    for (auto worker = workers_.rbegin(); worker != workers_.rend(); ++worker) {
        if (!worker->running()) continue;
        ++phases;
        first = worker->command.phase.get();
    }
    if (first == nullptr) return "";
    return fmt::format("{} phases of the host, the first {}, {} of its lines", phases, first->name, requests_.size());
}

} // namespace numavp
