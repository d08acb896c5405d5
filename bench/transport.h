/// The floors' traffic over what ships: ports, wires, records, pool, crossbars and clockwork.
///
/// Bench-local are only the ends: an SM that keeps 64 records in flight, a bounded arbitrated stage (the place of an
/// L1 or an L2 slice, without tags), a memory that turns requests round. Every request hop has a bounded queue.
#pragma once

#include <memory>
#include <vector>

#include "bench/traffic.h"
#include "tlm-links/crossbar/crossbar.h"

namespace numavp {

/// What the ends count together.
struct TransportCounts {
    std::uint64_t transactions = 0;
    std::uint64_t latency_sum = 0;    ///< cycles
    std::uint64_t stage_requests = 0; ///< BEGIN_REQ at an L1, a slice or a memory
    std::uint64_t deferred = 0;       ///< of these answered TLM_ACCEPTED, END_REQ later
};

class TransportSystem {
  public:
    TransportSystem();
    ~TransportSystem();
    /// Runs for that many more cycles; CPU time of the simulation alone.
    TrafficResult run(std::uint64_t cycles);
    /// Deferred requests over all requests of the four request hops. Those that the crossbars deferred are not
    /// counted, so it is a lower bound.
    double deferred_fraction() const;
    const TransportCounts& counts() const { return counts_; }
    std::uint64_t deliveries() const { return clockwork_.deliveries(); }
    std::uint64_t arbitrations() const { return clockwork_.arbitrations(); }
    std::uint64_t in_flight() const { return pool_.in_flight(); }

  private:
    class Sm;
    class Stage;
    class Memory;
    struct Route final : RouteIf {
        unsigned egress(unsigned, const Txn& txn) const override { return txn.slice; }
    };
    void build_crossbar(unsigned index);
    void wire_up();

    Clockwork clockwork_;
    ClockDomain& domain_;
    TxnPool pool_;
    TrafficRng rng_{1};
    Route route_;
    TransportCounts counts_;
    std::vector<std::unique_ptr<Sm>> sms_;
    std::vector<std::unique_ptr<Stage>> l1s_, slices_;
    std::vector<std::unique_ptr<Crossbar>> crossbars_;
    std::vector<std::unique_ptr<Memory>> memories_;
};

} // namespace numavp
