/// Ends for what stands between two ports: senders with a plan, takers that note what comes when.
#pragma once

#include <vector>

#include "tlm-links/protocol/ports.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp::test {

/// Sends requests not before the edges that were planned, in their order; notes when responses come.
class Sender final : public sc_core::sc_module, private Arbiter, private RequesterIf, private Handler {
  public:
    struct Request {
        Cycle at;
        std::uint64_t line;
        unsigned bytes, response_bytes;
        unsigned slice = 0; ///< where a route may read the output
    };
    Sender(sc_core::sc_module_name name, ClockDomain& clock, TxnPool& pool, unsigned number)
        : sc_module(name), Arbiter(clock, {0, kRankSm, number}), port_("port", clock, {64, Part::noc}, *this, 0),
          pool_(pool), number_(number) {
        port_.set_feeder(*this);
        start_.handler = this;
        clock.at(1, start_);
    }
    void plan(const Request& request) { requests_.push_back(request); }
    tlm::tlm_initiator_socket<>& socket() { return port_.socket; }

    std::vector<std::uint64_t> answered; ///< lines
    std::vector<Cycle> answered_at;

  private:
    void deliver(Node&) override { wake(); }
    void arbitrate() override {
        while (next_ < requests_.size() && requests_[next_].at <= domain_.now() && port_.ready()) {
            const Request& r = requests_[next_++];
            Txn& txn = pool_.make(Kind::load, r.line, ByteMask::full());
            txn.request_bytes = static_cast<std::uint16_t>(r.bytes);
            txn.response_bytes = static_cast<std::uint16_t>(r.response_bytes);
            txn.slice = static_cast<std::uint16_t>(r.slice);
            txn.source = static_cast<std::uint16_t>(number_);
            port_.send(txn, domain_.now() + 1);
        }
        if (next_ < requests_.size() && requests_[next_].at > domain_.now()) wake_at(requests_[next_].at);
    }
    bool response(unsigned, Txn& txn) override {
        answered.push_back(txn.line);
        answered_at.push_back(domain_.now());
        txn.release();
        return true;
    }

    InitiatorPort port_;
    TxnPool& pool_;
    unsigned number_;
    Node start_;
    std::vector<Request> requests_;
    std::size_t next_ = 0;
};

/// Takes requests at once, up to a number, and answers them in the next cycle.
class Taker final : public sc_core::sc_module, private Arbiter, private ResponderIf {
  public:
    Taker(sc_core::sc_module_name name, ClockDomain& clock, unsigned number)
        : sc_module(name), Arbiter(clock, {1, kRankSlice, number}), port_("port", clock, {64, Part::noc}, *this, 0),
          inlet_(64) {
        port_.set_feeder(*this);
    }
    tlm::tlm_target_socket<>& socket() { return port_.socket; }
    /// Answers nothing before this edge; what comes meanwhile fills its queue and then the wire.
    void close_until(Cycle edge) { opens_at_ = edge; }

    struct Taken {
        Cycle at;
        unsigned source;
        std::uint64_t line;
        Kind kind;
        ByteMask mask;
    };
    std::vector<Taken> taken;

  private:
    bool request(unsigned, Txn& txn) override {
        taken.push_back({domain_.now(), txn.source, txn.line, txn.kind, txn.mask});
        wake();
        return inlet_.arrive(txn);
    }
    void arbitrate() override {
        if (domain_.now() < opens_at_) return wake_at(opens_at_);
        while (!inlet_.empty() && port_.ready()) {
            Txn& txn = inlet_.pop();
            if (Txn* admitted = inlet_.admit()) port_.end_request(*admitted, domain_.now() + 1);
            txn.set_response_status(tlm::TLM_OK_RESPONSE);
            port_.send(txn, domain_.now() + 1);
        }
    }

    TargetPort port_;
    Inlet inlet_;
    Cycle opens_at_ = 0;
};

} // namespace numavp::test
