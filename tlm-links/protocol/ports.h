/// The platform's dialect of the TLM-2.0 base protocol, as two ports.
///
/// Requests: `BEGIN_REQ` is answered `TLM_UPDATED/END_REQ` if there is room, else `TLM_ACCEPTED`, and `END_REQ`
/// comes later: that is the back-pressure. Responses: `BEGIN_RESP` is answered `TLM_COMPLETED`, or `TLM_ACCEPTED`
/// and ended by `END_RESP` later. Every call is made in a delivery at its true time with a zero annotation.
/// Ignorable phases are answered `TLM_ACCEPTED` and change nothing; a payload that is not a `Txn` is an error that
/// names the port.
///
/// Two ports of ours that are bound to each other make these calls directly, each to the owner of the other:
/// nb_transport_fw() and nb_transport_bw() would do the same, but through tables of virtual bases, and with a phase and
/// an annotation that no module of ours reads. With anything else between, a checker or an adapter, they are made in
/// full.
///
/// A port holds a wire: `send()` puts a record on it, to arrive at a given edge; what arrives while the
/// other side has not ended the previous one waits at the wire's end, so a wire of `depth` records
/// never breaks the exclusion rule. Records for one edge arrive in the order in which they were sent; one for an
/// earlier edge may pass one for a later edge, as a short hit passes a long one.
#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include <tlm>

#include "base/time/clockwork.h"
#include "tlm-links/protocol/own_payload.h"
#include "tlm-links/protocol/txn.h"

namespace numavp {

/// Number of records that a wire holds, and the part of a transaction's latency to which time on the wire counts.
struct WireSpec {
    unsigned depth = 1;
    Part part = Part::noc;
};

/// One direction of a port, sending side: a wire of bounded depth with back-pressure at its end.
class Wire : public Handler {
  public:
    static constexpr unsigned kMaxDepth = 65535;
    Wire(ClockDomain& domain, WireSpec spec);
    /// True if there is room for another record.
    bool ready() const { return on_wire_ < depth_; }
    bool empty() const { return on_wire_ == 0; }
    /// Sends a record, to arrive at `edge`; records for one edge arrive in the order in which they were sent. The
    /// caller has checked `ready()`, or bounds the number of its records on the wire itself.
    void send(Txn& txn, Cycle edge) {
        reserve();
        send_reserved(txn, edge);
    }
    /// Takes a place for a record that send_reserved() sends later. The caller has checked `ready()`.
    void reserve() { ++on_wire_; }
    void send_reserved(Txn& txn, Cycle edge) {
        txn.handler = this;
        wheel_->at(edge, txn);
    }
    /// Sets the arbiter to be woken when a place on the wire becomes free after it was full.
    void set_feeder(Arbiter& feeder) { feeder_ = &feeder; }
    /// The other side ended the phase of a record that it had accepted without room; instead of END_REQ or END_RESP.
    void ended();
    bool blocked() const { return blocked_; }
    /// Fetches what ended() touches beside the wire.
    void fetch_waiting() const { waiting_.prefetch_front(); }
    /// Full name of the port, for trails of followed accesses.
    virtual const char* place() const = 0;

  protected:
    ~Wire() = default;
    /// True for a record that can't just be offered to a port of ours: arrive_with_care() is for it.
    bool needs_care(const Txn& txn) const { return __builtin_expect(blocked_ || outside_ || txn.followed, 0); }
    /// A record has come to the wire's end: `offer` offers it to the other side, and is true if that took it at once.
    template <class Offer> void arrive(Txn& txn, const Offer& offer) {
        txn.stamp(part_, wheel_->clockwork().now_ps());
        if (offer(txn))
            gone();
        else
            blocked_ = true;
    }
    /// The same where records may wait for the one before them, or are followed, or leave our own ports.
    template <class Offer> void arrive_with_care(Txn& txn, const Offer& offer) {
        if (blocked_) return wait_at_end(txn);
        note(txn);
        arrive(txn, offer);
    }

    /// From now on records are delivered in the shard of the port at the other side, to whose clock `theirs` belongs.
    void send_across(const ClockDomain& theirs);

    ClockDomain* wheel_; ///< of the port's own clock, or of the border between two shards

  private:
    void note(Txn& txn);
    void wait_at_end(Txn& txn);
    void gone() {
        if (on_wire_-- == depth_) freed();
    }
    void freed() {
        if (feeder_) wheel_->wake_feeder(*feeder_);
    }
    Arbiter* feeder_ = nullptr;
    TxnQueue waiting_;
    std::uint16_t depth_;
    std::uint16_t on_wire_ = 0;
    const Part part_;
    bool blocked_ : 1;

  protected:
    bool outside_ : 1;              ///< the other side is not a port of ours, or is not known yet
    bool consumer_ : 1;             ///< responses that come to this port end their records
    std::uint16_t peer_number_ = 0; ///< number that the other side's port has for its owner
};

/// A wire with the owner of the port at its other side: all that a delivery touches, in one cache line.
template <class Owner> class WireTo : public Wire {
  public:
    using Wire::Wire;

  protected:
    ~WireTo() = default;
    Owner* peer_ = nullptr; ///< valid unless `outside_`
};
class RequesterIf;
static_assert(sizeof(WireTo<RequesterIf>) == 64);

/// Owner of an initiator port: receives its responses. `port` is the number given to the port.
class RequesterIf {
  public:
    /// Takes a response. True: it is ended. False: no room; the owner keeps it and calls `end_response()` later.
    virtual bool response(unsigned port, Txn& txn) = 0;
    /// Address that a response at `port` touches first, for prefetching; a multiple of 8. Called once.
    virtual const void* touched_by_response(unsigned) const { return this; }

  protected:
    ~RequesterIf() = default;
};

/// Owner of a target port: receives its requests. `port` is the number given to the port.
class ResponderIf {
  public:
    /// Takes a request. True: there was room. False: the owner keeps the record, which is not ended, and calls
    /// `end_request()` once there is room.
    virtual bool request(unsigned port, Txn& txn) = 0;
    /// Address that a request at `port` touches first, for prefetching; a multiple of 8. Called once.
    virtual const void* touched_by_request(unsigned) const { return this; }

  protected:
    ~ResponderIf() = default;
};

class TargetPort;

/// The end of a phase that was accepted without room, on its way to the other side's wire.
struct PhaseEnding : Node, Handler {
    Wire* wire = nullptr; ///< wire of the port at the other side; null: that port is not ours, or is not known yet
    Txn* txn = nullptr;   ///< valid if that port is not ours
    void aim(Wire* other) {
        wire = other;
        if (other != nullptr) set_beyond(other, kReaches);
    }
    void fetch_reached() const override { wire->fetch_waiting(); }

  protected:
    ~PhaseEnding() = default;
};

/// Sends requests, receives responses. Members that a request touches lie in the wire's cache line, the large socket
/// object lies last.
class alignas(64) InitiatorPort final : public WireTo<ResponderIf>, public tlm::tlm_bw_transport_if<> {
  public:
    InitiatorPort(const char* name, ClockDomain& domain, WireSpec spec, RequesterIf& owner, unsigned number);
    /// Tells that the owner ends the records whose responses come here, so that more of them is worth prefetching.
    void set_consumer() { consumer_ = true; }
    std::uintptr_t marks() const { return consumer_ ? kConsumes : 0; }
    /// Ends a response for which the owner had returned false; `edge` is in the future.
    void end_response(Txn& txn, Cycle edge);
    const char* place() const override { return socket.name(); }

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  private:
    friend class TargetPort;
    void deliver(Node& node) override;
    void bound() override;
    void deliver_with_care(Txn& txn);
    bool request_outside(Txn& txn);
    struct Ending final : PhaseEnding {
        InitiatorPort* port = nullptr;
        void deliver(Node&) override;
    };
    tlm::tlm_fw_transport_if<>& forward();
    tlm::tlm_sync_enum take(Txn& txn);
    tlm::tlm_sync_enum take_from_outside(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase);
    void end_outside(Txn& txn);
    // The second cache line: all that the end of a phase touches.
    Ending ending_;
    ClockDomain& domain_; ///< the owner's clock
    tlm::tlm_fw_transport_if<>* forward_ = nullptr;
    RequesterIf& owner_;
    const std::uint16_t number_; ///< of the port, for its owner

  public:
    tlm::tlm_initiator_socket<> socket;
};

/// Receives requests, sends responses.
class alignas(64) TargetPort final : public WireTo<RequesterIf>, public tlm::tlm_fw_transport_if<> {
  public:
    TargetPort(const char* name, ClockDomain& domain, WireSpec spec, ResponderIf& owner, unsigned number);
    /// Ends a request for which the owner had returned false; `edge` is in the future.
    void end_request(Txn& txn, Cycle edge);
    const char* place() const override { return socket.name(); }

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned int transport_dbg(tlm::tlm_generic_payload& payload) override;
    /// Debug access is answered by this, if set.
    void set_debug(tlm::tlm_fw_transport_if<>* debug) { debug_ = debug; }

  private:
    friend class InitiatorPort;
    void deliver(Node& node) override;
    void bound() override;
    void deliver_with_care(Txn& txn);
    bool respond_outside(Txn& txn);
    struct Ending final : PhaseEnding {
        TargetPort* port = nullptr;
        void deliver(Node&) override;
    };
    tlm::tlm_bw_transport_if<>& backward();
    tlm::tlm_sync_enum take(Txn& txn, tlm::tlm_phase& phase);
    tlm::tlm_sync_enum take_from_outside(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase);
    void end_outside(Txn& txn);
    // The second cache line: all that the end of a phase touches.
    Ending ending_;
    ClockDomain& domain_; ///< the owner's clock
    tlm::tlm_bw_transport_if<>* backward_ = nullptr;
    ResponderIf& owner_;
    const std::uint16_t number_; ///< of the port, for its owner
    tlm::tlm_fw_transport_if<>* debug_ = nullptr;

  public:
    tlm::tlm_target_socket<> socket;
};

/// The receiving side of one direction: a bounded first-in first-out queue, and a place for the one record that the
/// other side may offer when the queue is full. A ring of pointers, not a list: taking one touches no other record.
class Inlet {
  public:
    static constexpr unsigned kMaxDepth = 1U << 20;
    /// Depths above kMaxDepth are that.
    explicit Inlet(unsigned depth) : depth_(std::min(depth, kMaxDepth)) {
        while (mask_ + 1 < depth_) mask_ = 2 * mask_ + 1;
        places_ = std::make_unique<Txn*[]>(std::size_t{mask_} + 1);
    }
    bool empty() const { return count_ == 0; }
    Txn& front() const { return *places_[first_ & mask_]; }
    unsigned size() const { return count_ + (stalled_ ? 1U : 0U); }
    /// Where the next pop() reads.
    const void* first_touched() const { return &places_[first_ & mask_]; }
    /// True if there was room; else the record is kept aside, and the caller answers `TLM_ACCEPTED`.
    bool arrive(Txn& txn) {
        if (count_ < depth_) {
            push(txn);
            return true;
        }
        stalled_ = &txn;
        return false;
    }
    Txn& pop() {
        Txn& txn = front();
        ++first_;
        if (--count_ != 0) front().prefetch(); // it may have come long ago
        return txn;
    }
    /// Undoes the last `pop()`; before `admit()`.
    void unpop(Txn& txn) {
        places_[--first_ & mask_] = &txn;
        ++count_;
    }
    /// After `pop()`: queues the record that was kept aside and returns it, to be ended by the caller; or null.
    Txn* admit() {
        if (!stalled_ || count_ >= depth_) return nullptr;
        Txn* txn = stalled_;
        stalled_ = nullptr;
        push(*txn);
        return txn;
    }

  private:
    void push(Txn& txn) {
        if (count_ == 0) first_ = 0; // mostly: then it is always the same place, which is near
        places_[(first_ + count_++) & mask_] = &txn;
    }
    std::unique_ptr<Txn*[]> places_;
    unsigned mask_ = 0;  ///< a power of two of places, less one
    unsigned first_ = 0; ///< counts on and wraps: a power of two of places divides its range
    unsigned count_ = 0;
    unsigned depth_;
    Txn* stalled_ = nullptr;
};

} // namespace numavp
