#include "models/host_core/host_core.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "models/base/series.h"
#include "models/base/stats.h"

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
      core_(config, static_cast<IntervalCore::Memory&>(*this), r.pool.functional, r.hooks),
      port_("mem_side", r.domain, WireSpec{kHostWireDepth, Part::sm}, static_cast<RequesterIf&>(*this), 0) {
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
    commands_.push_back({launch.host, std::move(done)});
    wake();
    return false;
}

void HostCore::begin() {
    running_ = true;
    cleaning_ = false;
    since_ = domain_.now();
    core_.begin(*commands_.front().phase, slot_now(), marker_);
}

void HostCore::arbitrate() {
    if (!running_ && !commands_.empty()) begin();
    take_arrived();
    if (running_) go_on();
    send();
}

void HostCore::take_arrived() {
    while (!arrived_.empty()) {
        Txn& txn = arrived_.pop();
        if (txn.kind == Kind::load)
            core_.fill(txn.cookie, slot_now(), pool_.functional ? txn.data.data() : nullptr);
        else
            core_.written(slot_now());
        txn.release();
    }
}

void HostCore::go_on() {
    const Slot now = slot_now(), ahead = kAheadCycles * config_.issue_width, step = kStepCycles * config_.issue_width;
    ++steps_;
    if (!core_.done()) {
        const Slot next = core_.advance(now + ahead);
        if (next != kNever) wake_at(edge_of(std::min(next - ahead, now + step)));
        if (!core_.done()) return;
    }
    if (core_.end() > now) return wake_at(edge_of(std::min(core_.end(), now + step)));
    if (!cleaning_) {
        cleaning_ = true;
        CoreWrite write;
        while (core_.clean(write)) write_back(write, now);
    }
    if (core_.drained()) end();
}

void HostCore::end() {
    running_ = false;
    const Command ended = std::move(commands_.front());
    commands_.pop_front();
    busy_ps_ += domain_.edge_ps(domain_.now()) - domain_.edge_ps(since_);
    if (on_end) on_end(*ended.phase, since_);
    if (!commands_.empty()) wake();
    ended.done();
}

// --- memory

void HostCore::fetch(std::uint64_t line, Slot at) {
    requests_[{at, next_request_++}] = {line, false, ByteMask::full(), {}};
    wake_at(edge_of(at));
}

void HostCore::write_back(const CoreWrite& write, Slot at) {
    Request& request = requests_[{at, next_request_++}];
    request = {write.line, true, write.mask, {}};
    if (write.data != nullptr) request.data.assign(write.data, write.data + kLineBytes);
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
    const HostCoreCounts& c = core_.counts();
    g.counter("busy_ps", busy_ps_, "ps", "In phases of the host.");
    g.counter("phases", c.phases, "phases", "Begun.");
    g.counter("instructions", c.instructions, "instructions", "Of all phases.");
    g.counter("flops", c.flops, "flops", "Among the instructions.");
    g.counter("loads", c.loads, "lines", "Read by items.");
    g.counter("stores", c.stores, "lines", "Written by items.");
    g.counter("l1_hits", c.l1_hits, "lines", "Of loads and stores.");
    g.counter("l2_hits", c.l2_hits, "lines", "Of those that missed the L1.");
    g.counter("merged", c.merged, "lines", "On their way already.");
    g.counter("fetched", c.fetched, "lines", "Of 128 bytes, read from memory.");
    g.counter("written", c.written, "lines", "Written back to memory, evicted or behind a phase.");
    g.counter("memory_bytes", bytes_, "B", "Of these lines, both ways: 128 each.");
}

void HostCore::add_series(SeriesGroup& machine) const {
    machine.increase("host_core.bytes", bytes_, "B", "Read and written by the host's core, in whole lines.");
}

std::string HostCore::waiting_for() const {
    if (commands_.empty()) return "";
    return fmt::format("{} phases of the host, the first {}, {} of its lines", commands_.size(),
                       commands_.front().phase->name, requests_.size());
}

} // namespace numavp
