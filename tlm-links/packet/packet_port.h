/// The two ends of a wire of packets: each sends for its owner, at edges, and calls the owner for what arrives.
///
/// Two of them that are bound to each other call each other's owner directly, as ports of records do (ports.h); with
/// anything else between, calls are made in full. Where workers have a shard each, the two may be in different ones:
/// then packets and credits are delivered in the receiver's, in the sender's clock.
#pragma once

#include <memory>
#include <vector>

#include "tlm-links/packet/packet_protocol.h"

namespace numavp {

/// Owner of a packet port: receives its packets and credits. `port` is the number given to the port.
class PacketOwner {
  public:
    virtual void packet(unsigned port, PacketPayload& packet) = 0;
    /// Takes room for `flits` that is free again: of a message class (from a network) or virtual channel (an endpoint).
    virtual void credit(unsigned port, unsigned number, unsigned flits) = 0;

  protected:
    ~PacketOwner() = default;
};

/// Common part of both ends.
class PacketPort {
  public:
    PacketPort(ClockDomain& domain, PacketOwner& owner, unsigned number);
    PacketPort(const PacketPort&) = delete;
    PacketPort& operator=(const PacketPort&) = delete;

    /// Hands the packet to the other side at `edge`; the other side must have room for it.
    void send(PacketPayload& packet, Cycle edge);
    /// Gives back room at `edge`: a network of a message class, an endpoint of a virtual channel.
    void send_credit(unsigned number, unsigned flits, Cycle edge);
    /// True once it is known, from the first call on, that the other side is a port of ours, which is called directly.
    bool direct() const { return peer_ != nullptr; }

  protected:
    ~PacketPort();
    virtual void call(PacketPayload& payload, tlm::tlm_phase& phase) = 0;
    /// The port at the other side; null if it is none of ours.
    virtual PacketPort* other_side() = 0;
    tlm::tlm_sync_enum take(const char* port, PacketPayload& payload, const tlm::tlm_phase& phase);
    bool by_class_ = false; ///< a CREDIT counts for a message class

  private:
    struct Departure final : Handler {
        void deliver(Node& node) override;
        void bound() override { port->send_across(); }
        void aim(PacketPort& other) { set_beyond(&other.owner_, 0); }
        PacketPort* port = nullptr;
        bool credits = false;
    };
    void look_up();
    void send_across();
    void arrived(PacketPayload& payload, bool credits);
    ClockDomain* wheel_; ///< of the owner's clock, or of the border between two shards
    PacketOwner& owner_;
    const unsigned number_, shard_; ///< the owner's
    PacketPort* peer_ = nullptr;    ///< null before look_up(), or if the other side is no port of ours
    bool looked_up_ = false;
    Departure packet_out_, credit_out_;
    std::vector<std::unique_ptr<PacketPayload>> credits_; ///< all that were made
    std::vector<PacketPayload*> spare_; ///< taken in the sender's decisions, given back in the receiver's deliveries
};

/// The endpoint's end of the wire.
class PacketInitiatorPort final : public PacketPort, public PacketBackwardIf {
  public:
    PacketInitiatorPort(const char* name, ClockDomain& domain, PacketOwner& owner, unsigned number);
    PacketInitiatorSocket socket;

  private:
    void call(PacketPayload& payload, tlm::tlm_phase& phase) override;
    PacketPort* other_side() override;
    tlm::tlm_sync_enum nb_transport_bw(PacketPayload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

/// The network's end of the wire.
class PacketTargetPort final : public PacketPort, public PacketForwardIf {
  public:
    PacketTargetPort(const char* name, ClockDomain& domain, PacketOwner& owner, unsigned number);
    PacketTargetSocket socket;

  private:
    void call(PacketPayload& payload, tlm::tlm_phase& phase) override;
    PacketPort* other_side() override;
    tlm::tlm_sync_enum nb_transport_fw(PacketPayload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) override;
    void b_transport(PacketPayload&, sc_core::sc_time&) override;
    bool get_direct_mem_ptr(PacketPayload&, tlm::tlm_dmi&) override { return false; }
    unsigned int transport_dbg(PacketPayload&) override { return 0; }
};

} // namespace numavp
