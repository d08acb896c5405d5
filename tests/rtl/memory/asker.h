/// Asks a memory channel for lines at given edges, and says how long each took.
#pragma once

#include <deque>
#include <vector>

#include "base/time/clockwork.h"
#include "tlm-links/protocol/ports.h"
#include "tlm-links/protocol/txn.h"

namespace numavp::test {

class Asker final : public sc_core::sc_module, private RequesterIf, private Handler {
  public:
    Asker(const sc_core::sc_module_name& name, ClockDomain& clock, TxnPool& pool)
        : sc_module(name), port("port", clock, {kMost, Part::memory}, *this, 0), clock_(clock), pool_(pool) {}

    static constexpr unsigned kMost = 64; ///< questions on their way
    InitiatorPort port;
    /// Of the questions in their order: cycles from a request's arrival at the channel to its response, kNever before.
    const std::vector<Cycle>& took() const { return took_; }

    /// Before the simulation starts.
    void ask(Cycle edge, Kind kind, std::uint64_t line, ByteMask mask) {
        Question& question = questions_.emplace_back();
        question.handler = this;
        question.kind = kind;
        question.line = line;
        question.mask = mask;
        question.number = took_.size();
        took_.push_back(kNever);
        clock_.at(edge, question);
    }

  private:
    struct Question final : Node {
        Kind kind = Kind::load;
        std::uint64_t line = 0;
        ByteMask mask;
        std::uint64_t number = 0;
    };

    void deliver(Node& node) override {
        const auto& question = static_cast<const Question&>(node);
        Txn& txn = pool_.make(question.kind, question.line, question.mask);
        txn.start(clock_.edge_ps(clock_.now()));
        txn.cookie = question.number;
        txn.departs = clock_.now() + 1; // a cycle on the wire
        port.send(txn, txn.departs);
    }
    bool response(unsigned, Txn& txn) override {
        took_[txn.cookie] = clock_.now() - txn.departs;
        txn.release();
        return true;
    }

    ClockDomain& clock_;
    TxnPool& pool_;
    std::deque<Question> questions_;
    std::vector<Cycle> took_;
};

} // namespace numavp::test
