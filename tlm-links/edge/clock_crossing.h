/// Connection between two ports of different clocks: an asynchronous FIFO for each direction.
///
/// A record arrives at an edge of the sender's clock and leaves at an edge of the receiver's clock: `edges` edges after
/// the first one that follows the arrival, as behind a synchroniser of two flip-flops (edges = 1). The sender gets the
/// place back by the same rule in the other direction; a record that finds no place waits, as at any other queue. An
/// edge that both clocks have at the same time does not follow the arrival, so nothing passes within an edge, and the
/// order in which the clocks act at such a time has no influence. All records that were seen leave at the same edge;
/// the modules on both sides bound their number.
/// Not modelled: metastability (the first flip-flop always takes the value), a limited width, energy.
#pragma once

#include <string>

#include "base/stats/model_part.h"
#include "base/values/ring.h"
#include "tlm-links/edge/clock_crossing_config.h"
#include "tlm-links/protocol/ports.h"

namespace numavp {

/// One direction of a crossing, without ports.
class alignas(64) ClockFifo {
  public:
    /// Receives the notice that a stalled record has been admitted.
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
    /// Takes `rank` in both clocks.
    ClockFifo(const CrossingConfig& config, Clocks clocks, Rank rank, Upstream& upstream);
    /// Sets the wire on which records leave, in the receiving clock.
    void connect(Wire& wire);
    /// Accepts a record, in a delivery of the sender's clock. False if it has to wait for a place until `admitted()`.
    bool arrive(Txn& txn);
    /// Number of records that have come and not left yet.
    unsigned held() const;
    /// One of the held records; null if none waits for the wire, or for a place.
    const Txn* sample_held() const { return queue_.empty() ? stalled_ : &queue_.front(); }

  private:
    /// Acts only for records that have to wait for the wire: others are put on it when they come.
    struct Reader final : Arbiter {
        Reader(ClockFifo& owner, ClockDomain& clock, Rank rank) : Arbiter(clock, rank), fifo(owner) {}
        void arbitrate() override { fifo.read(); }
        ClockFifo& fifo;
    };
    /// Acts only while a record is stalled: else places are taken back when a record finds none.
    struct Returner final : Arbiter {
        Returner(ClockFifo& owner, ClockDomain& clock, Rank rank) : Arbiter(clock, rank), fifo(owner) {}
        void arbitrate() override { fifo.take_back(); }
        ClockFifo& fifo;
    };
    /// Places of records that leave at an edge of the receiver's clock, which may be still to come.
    struct Return {
        Cycle edge = 0;
        unsigned places = 0;
    };
    void put(Txn& txn);
    void leave(Cycle edge, unsigned records);
    Cycle returned_at() const;
    void take_returned(Cycle by);
    void read();
    void take_back();
    void follow(const Txn& txn) const;

    // What each record touches stands first.
    ClockDomain& to_;
    ClockDomain& from_;
    Wire* wire_ = nullptr;
    TxnQueue queue_; ///< the receiver sees a record from its `departs` on
    Txn* stalled_ = nullptr;
    unsigned edges_;
    unsigned places_;
    Ring<Return> returns_; ///< of places that are not taken back yet
    unsigned queued_ = 0;  ///< records in `queue_`
    Upstream& upstream_;
    Reader reader_;
    Returner returner_;
};

class ClockCrossing final : public sc_core::sc_module, public ModelPart, private RequesterIf, private ResponderIf {
  public:
    struct Resources {
        ClockDomain& above; ///< clock of the requests' sender
        ClockDomain& below;
        Rank rank; ///< has an even index; the crossing also takes the next one
        Part part; ///< latency part that counts a record's time in the crossing
    };
    ClockCrossing(sc_core::sc_module_name name, const CrossingConfig& config, const Resources& resources);

    tlm::tlm_target_socket<>& above() { return above_.socket; }
    tlm::tlm_initiator_socket<>& below() { return below_.socket; }

    void add_waves(WaveSet& waves, const std::string& owner) override;
    std::string holding() const override;

  private:
    bool request(unsigned, Txn& txn) override { return requests_.arrive(txn); }
    bool response(unsigned, Txn& txn) override { return responses_.arrive(txn); }
    const void* touched_by_request(unsigned) const override { return &requests_; }
    const void* touched_by_response(unsigned) const override { return &responses_; }
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
