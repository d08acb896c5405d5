#include "bench/transport.h"

#include <array>
#include <string>

#include "tlm-links/protocol/ranks.h"

namespace numavp {

namespace {
constexpr std::uint64_t kKhz = 1'000'000;
// Bytes a second at 1 GHz. Requests have 8 bytes, responses 136.
constexpr std::uint64_t kWide = 256'000'000'000;
constexpr unsigned kStageDepth = 2;  ///< requests that an L1 and each port of a slice hold
constexpr unsigned kMemoryDepth = 3; ///< and a memory
constexpr unsigned kRequestBytes = 8, kResponseBytes = 136;
/// A memory takes 0.55 requests a cycle, an eighth more than it gets: its queue is full part of the time.
constexpr std::uint64_t kMemoryBytes = 4'400'000'000;
constexpr std::uint16_t kRankStage = kRankSlice, kRankMemory = kRankChannel;

std::string numbered(const char* name, unsigned index) { return name + std::to_string(index); }
} // namespace

class TransportSystem::Sm final : public sc_core::sc_module, private RequesterIf {
  public:
    Sm(sc_core::sc_module_name name, TransportSystem& system, unsigned index)
        : sc_module(name), system_(system), index_(static_cast<std::uint16_t>(index)),
          port_("port", system.domain_, {Traffic::kPerSm, Part::sm}, static_cast<RequesterIf&>(*this), 0) {
        port_.set_consumer();
    }
    tlm::tlm_initiator_socket<>& socket() { return port_.socket; }

  private:
    bool response(unsigned, Txn& txn) override {
        ++system_.counts_.transactions;
        system_.counts_.latency_sum += (system_.clockwork_.now_ps() - txn.born_ps) / 1000;
        system_.pool_.end(txn);
        issue();
        return true;
    }
    void start_of_simulation() override {
        for (unsigned i = 0; i < Traffic::kPerSm; ++i) issue();
    }
    void issue() {
        const std::uint64_t slice = system_.rng_.below(Traffic::kSlices);
        Txn& txn = system_.pool_.make(Kind::load, slice << kLineShift, ByteMask::full());
        txn.slice = static_cast<std::uint16_t>(slice);
        txn.source = index_;
        txn.request_bytes = kRequestBytes;
        txn.response_bytes = kResponseBytes;
        txn.start(system_.clockwork_.now_ps());
        port_.send(txn, system_.domain_.now() + system_.rng_.delay());
    }

    TransportSystem& system_;
    std::uint16_t index_;
    InitiatorPort port_;
};

/// Takes one request a cycle from its ports in turn; passes responses on, each to the port that it came by.
class TransportSystem::Stage final : public sc_core::sc_module,
                                     private Arbiter,
                                     private RequesterIf,
                                     private ResponderIf {
  public:
    Stage(sc_core::sc_module_name name, TransportSystem& system, Rank rank, unsigned ports)
        : sc_module(name), Arbiter(system.domain_, rank), system_(system),
          below_("below", system.domain_, {Traffic::kInFlight, Part::slice}, static_cast<RequesterIf&>(*this), 0) {
        for (unsigned i = 0; i < ports; ++i) {
            ports_.push_back(std::make_unique<TargetPort>(numbered("above", i).c_str(), domain_,
                                                          WireSpec{Traffic::kInFlight, Part::slice},
                                                          static_cast<ResponderIf&>(*this), i));
            above_.at(i) = ports_.back().get();
            inlets_.emplace_back(kStageDepth);
        }
    }
    tlm::tlm_target_socket<>& above(unsigned i) { return above_[i]->socket; }
    tlm::tlm_initiator_socket<>& below() { return below_.socket; }

  private:
    bool request(unsigned port, Txn& txn) override {
        ++system_.counts_.stage_requests;
        pending_ |= 1ULL << port;
        wake();
        const bool room = inlets_[port].arrive(txn);
        system_.counts_.deferred += !room;
        return room;
    }
    bool response(unsigned, Txn& txn) override {
        above_[txn.pop_port()]->send(txn, domain_.now() + system_.rng_.delay());
        return true;
    }
    void arbitrate() override {
        if (!pending_) return;
        const std::uint64_t later = pending_ & (~0ULL << turn_);
        const auto port = static_cast<unsigned>(__builtin_ctzll(later ? later : pending_));
        turn_ = (port + 1) % 64;
        Inlet& inlet = inlets_[port];
        Txn& txn = inlet.pop();
        if (Txn* next = inlet.admit()) above_[port]->end_request(*next, domain_.now() + 1);
        if (inlet.empty()) pending_ &= ~(1ULL << port);
        txn.push_port(port);
        below_.send(txn, domain_.now() + system_.rng_.delay());
        if (pending_) wake();
    }

    // What calls touch lies together with the interfaces that they come by.
    TransportSystem& system_;
    unsigned turn_ = 0;
    std::uint64_t pending_ = 0;
    std::array<TargetPort*, Traffic::kCrossbars> above_{};
    std::vector<Inlet> inlets_;
    std::vector<std::unique_ptr<TargetPort>> ports_;
    InitiatorPort below_; // last: it is large
};

class TransportSystem::Memory final : public sc_core::sc_module, private Arbiter, private ResponderIf {
  public:
    Memory(sc_core::sc_module_name name, TransportSystem& system, unsigned index)
        : sc_module(name), Arbiter(system.domain_, {0, kRankMemory, index}), system_(system), inlet_(kMemoryDepth),
          server_(kMemoryBytes, kKhz),
          port_("port", system.domain_, {Traffic::kInFlight, Part::memory}, static_cast<ResponderIf&>(*this), 0) {}
    tlm::tlm_target_socket<>& socket() { return port_.socket; }

  private:
    bool request(unsigned, Txn& txn) override {
        ++system_.counts_.stage_requests;
        wake();
        const bool room = inlet_.arrive(txn);
        system_.counts_.deferred += !room;
        return room;
    }
    void arbitrate() override {
        const Cycle now = domain_.now();
        while (!inlet_.empty()) {
            if (server_.free_at() > now) return wake_at(server_.free_at());
            Txn& txn = inlet_.pop();
            if (Txn* next = inlet_.admit()) port_.end_request(*next, now + 1);
            txn.set_response_status(tlm::TLM_OK_RESPONSE);
            port_.send(txn, server_.take(now, kRequestBytes) + system_.rng_.delay());
        }
    }

    TransportSystem& system_;
    Inlet inlet_;
    BandwidthServer server_;
    TargetPort port_; // last: it is large
};

TransportSystem::TransportSystem() : clockwork_("clockwork"), domain_(clockwork_.domain(kKhz)) {
    for (unsigned i = 0; i < Traffic::kSms; ++i) {
        sms_.push_back(std::make_unique<Sm>(numbered("sm", i).c_str(), *this, i));
        l1s_.push_back(std::make_unique<Stage>(numbered("l1_", i).c_str(), *this, Rank{0, kRankStage, i}, 1));
    }
    for (unsigned i = 0; i < Traffic::kCrossbars; ++i) build_crossbar(i);
    for (unsigned i = 0; i < Traffic::kSlices; ++i) {
        slices_.push_back(
            std::make_unique<Stage>(numbered("slice", i).c_str(), *this, Rank{1, kRankStage, i}, Traffic::kCrossbars));
        memories_.push_back(std::make_unique<Memory>(numbered("memory", i).c_str(), *this, i));
    }
    wire_up();
}

TransportSystem::~TransportSystem() = default;

/// The crossbar's latency is fixed: 5 to 125 cycles over the eight, 65 in the mean, as the floors' delays.
void TransportSystem::build_crossbar(unsigned index) {
    CrossbarShape shape;
    shape.ingress = Traffic::kSmsPerCrossbar;
    shape.egress = Traffic::kSlices;
    CrossbarConfig config;
    config.queue_depth = 4;
    config.wire_depth = Traffic::kInFlight / Traffic::kCrossbars;
    config.latency_cycles =
        Traffic::kMinDelay + (Traffic::kMaxDelay - Traffic::kMinDelay) * index / (Traffic::kCrossbars - 1);
    shape.request_bytes_per_s = shape.response_bytes_per_s = kWide;
    crossbars_.push_back(
        std::make_unique<Crossbar>(numbered("crossbar", index).c_str(), config, shape,
                                   Crossbar::Resources{domain_,
                                                       route_,
                                                       {0, kRankNocRequest, index * Traffic::kSlices},
                                                       {0, kRankNocResponse, index * Traffic::kSmsPerCrossbar}}));
}

void TransportSystem::wire_up() {
    for (unsigned i = 0; i < Traffic::kSms; ++i) {
        sms_[i]->socket().bind(l1s_[i]->above(0));
        l1s_[i]->below().bind(crossbars_[i / Traffic::kSmsPerCrossbar]->ingress(i % Traffic::kSmsPerCrossbar));
    }
    for (unsigned s = 0; s < Traffic::kSlices; ++s) {
        for (unsigned x = 0; x < Traffic::kCrossbars; ++x) crossbars_[x]->egress(s).bind(slices_[s]->above(x));
        slices_[s]->below().bind(memories_[s]->socket());
    }
}

TrafficResult TransportSystem::run(std::uint64_t cycles) {
    const TransportCounts before = counts_;
    const double begin = cpu_seconds();
    sc_core::sc_start(sc_core::sc_time(static_cast<double>(cycles), sc_core::SC_NS));
    TrafficResult result;
    result.seconds = cpu_seconds() - begin;
    result.transactions = counts_.transactions - before.transactions;
    result.latency_sum = counts_.latency_sum - before.latency_sum;
    return result;
}

double TransportSystem::deferred_fraction() const {
    // The fourth request hop, from L1 to crossbar, has as many requests as each of the three that are counted.
    return static_cast<double>(counts_.deferred) / (static_cast<double>(counts_.stage_requests) * 4 / 3);
}

} // namespace numavp
