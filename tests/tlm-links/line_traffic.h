/// Both ends of a platform wire for tests: a driver of random line records and a memory that answers in any order
/// between lines. Both defer and refuse as often as the protocol allows.
#pragma once

#include <memory>
#include <vector>

#include "base/values/rng.h"
#include "tlm-links/protocol/flat_memory.h"
#include "tlm-links/protocol/ports.h"

namespace numavp::test {

struct LineDriverConfig {
    unsigned count = 1000;
    unsigned outstanding = 16;
    unsigned port_depth = 2;
    unsigned lines = 24; ///< few, so that accesses to one line meet
    unsigned atomic_percent = 0;
    bool refuses = true; ///< some responses, for a while
    std::uint64_t seed = 1;
};

/// Loads and stores whose results are compared with a flat memory in the order of the requests.
class LineDriver final : public sc_core::sc_module, public Arbiter, private RequesterIf, private Handler {
  public:
    LineDriver(sc_core::sc_module_name name, const LineDriverConfig& config, ClockDomain& clock, TxnPool& pool,
               unsigned index);
    ~LineDriver() override;

    InitiatorPort port;
    FlatMemory reference;
    bool finished() const { return answered_ == config_.count; }
    unsigned wrong() const { return wrong_; }

  private:
    struct Access;
    void arbitrate() override;
    bool response(unsigned port, Txn& txn) override;
    void deliver(Node& node) override;
    void send();
    void check(Txn& txn);

    LineDriverConfig config_;
    TxnPool& pool_;
    Rng rng_;
    Node tick_;
    Cycle last_edge_ = 0;
    unsigned sent_ = 0;
    unsigned answered_ = 0;
    unsigned wrong_ = 0;
    std::vector<std::unique_ptr<Access>> accesses_;
    std::vector<std::unique_ptr<Node>> ends_; ///< of refused responses
};

/// A memory behind a platform port. Reads and writes happen when the answer is made, in any order.
class LineMemory final : public sc_core::sc_module, public Arbiter, private ResponderIf, private Handler {
  public:
    LineMemory(sc_core::sc_module_name name, unsigned depth, ClockDomain& clock, unsigned index);

    TargetPort port;
    FlatMemory memory;
    unsigned longest_cycles = 40;
    std::uint64_t size = ~0ULL; ///< lines from here on are errors

  private:
    void arbitrate() override;
    bool request(unsigned port, Txn& txn) override;
    void deliver(Node& node) override;

    Inlet inlet_;
    TxnQueue responses_;
    Rng rng_;
};

} // namespace numavp::test
