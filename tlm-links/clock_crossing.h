/// Two ports of different clocks joined: an asynchronous FIFO for each direction.
///
/// A record arrives at an edge of its sender's clock and goes on at an edge of the receiver's: the first one after the
/// arrival and `edges` more, by which a synchroniser of two flip-flops (edges = 1) has seen it. Its place is free for
/// the sender by the same rule in the other direction, and what finds no place waits as at any other queue. Edges that
/// the two clocks have in common count as not after each other, so nothing passes within an edge, and in which order
/// the clocks act at such a time makes no difference. As many records go on at an edge as have been seen; their number
/// is bounded by the modules on both sides.
/// Not modelled: metastability (the first flip-flop always takes the value), a width of its own, energy.
#pragma once

#include <string>

#include "models/base/model_part.h"
#include "models/base/ring.h"
#include "tlm-links/clock_crossing_config.h"
#include "tlm-links/ports.h"

namespace numavp {

/// One direction, without ports.
class ClockFifo {
  public:
    /// Where a record that found no place is told that it has one now.
    class Upstream {
      public:
        virtual void admitted(Txn& txn) = 0;

      protected:
        ~Upstream() = default;
    };
    struct Clocks {
        ClockDomain& from;
        ClockDomain& to;
    };
    /// The rank is taken in both clocks.
    ClockFifo(const CrossingConfig& config, Clocks clocks, Rank rank, Upstream& upstream);
    /// Where records go on, in the receiving clock.
    void connect(Wire& wire);
    /// In a delivery of the sender's clock. True if there was a place; else the record waits until `admitted`.
    bool arrive(Txn& txn);
    unsigned held() const { return held_; }
    /// One of them, or null.
    const Txn* sample_held() const { return queue_.empty() ? stalled_ : &queue_.front(); }

  private:
    struct Reader final : Arbiter {
        Reader(ClockFifo& owner, ClockDomain& clock, Rank rank) : Arbiter(clock, rank), fifo(owner) {}
        void arbitrate() override { fifo.read(); }
        ClockFifo& fifo;
    };
    struct Returner final : Arbiter {
        Returner(ClockFifo& owner, ClockDomain& clock, Rank rank) : Arbiter(clock, rank), fifo(owner) {}
        void arbitrate() override { fifo.take_back(); }
        ClockFifo& fifo;
    };
    /// Places that the sender knows to be free from an edge of its clock on.
    struct Return {
        Cycle edge = 0;
        unsigned places = 0;
    };
    void put(Txn& txn);
    void read();
    void take_back();
    void follow(const Txn& txn) const;

    ClockDomain& from_;
    ClockDomain& to_;
    Upstream& upstream_;
    Reader reader_;
    Returner returner_;
    unsigned edges_;
    unsigned places_;
    unsigned held_ = 0;
    Wire* wire_ = nullptr;
    TxnQueue queue_; ///< seen from their `departs` on
    Txn* stalled_ = nullptr;
    Ring<Return> returns_;
};

class ClockCrossing final : public sc_core::sc_module, public ModelPart, private RequesterIf, private ResponderIf {
  public:
    struct Resources {
        ClockDomain& above; ///< of who sends the requests
        ClockDomain& below;
        Rank rank; ///< its index is even; the next one is the crossing's too
        Part part; ///< to which a record's time here belongs
    };
    ClockCrossing(sc_core::sc_module_name name, const CrossingConfig& config, const Resources& resources);

    tlm::tlm_target_socket<>& above() { return above_.socket; }
    tlm::tlm_initiator_socket<>& below() { return below_.socket; }

    void add_waves(WaveSet& waves, const std::string& owner) override;
    std::string holding() const override;

  private:
    bool request(unsigned, Txn& txn) override { return requests_.arrive(txn); }
    bool response(unsigned, Txn& txn) override { return responses_.arrive(txn); }
    struct RequestSide final : ClockFifo::Upstream {
        ClockCrossing* owner = nullptr;
        void admitted(Txn& txn) override;
    } request_side_;
    struct ResponseSide final : ClockFifo::Upstream {
        ClockCrossing* owner = nullptr;
        void admitted(Txn& txn) override;
    } response_side_;

    ClockDomain& above_clock_;
    ClockDomain& below_clock_;
    TargetPort above_;
    InitiatorPort below_;
    ClockFifo requests_;
    ClockFifo responses_;
};

} // namespace numavp
