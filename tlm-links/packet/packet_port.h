/// Both ends of a wire of packets: what an owner sends leaves at an edge of its clock, what comes is told to it.
#pragma once

#include <memory>
#include <vector>

#include "tlm-links/packet/packet_protocol.h"

namespace numavp {

/// Who owns a packet port. `port` is the number given to the port.
class PacketOwner {
  public:
    virtual void packet(unsigned port, PacketPayload& packet) = 0;
    /// Room for `flits` in a message class (from a network), or on a virtual channel (from an endpoint).
    virtual void credit(unsigned port, unsigned number, unsigned flits) = 0;

  protected:
    ~PacketOwner() = default;
};

/// What both ends have.
class PacketPort {
  public:
    PacketPort(ClockDomain& domain, PacketOwner& owner, unsigned number);
    PacketPort(const PacketPort&) = delete;
    PacketPort& operator=(const PacketPort&) = delete;

    /// The packet is given to the other side at `edge`; it has room.
    void send(PacketPayload& packet, Cycle edge);
    /// Gives room back at `edge`: of a message class from a network, of a virtual channel from an endpoint.
    void send_credit(unsigned number, unsigned flits, Cycle edge);

  protected:
    ~PacketPort();
    virtual void call(PacketPayload& payload, tlm::tlm_phase& phase) = 0;
    tlm::tlm_sync_enum take(const char* port, PacketPayload& payload, const tlm::tlm_phase& phase);
    bool by_class_ = false; ///< what comes as CREDIT counts for a message class

  private:
    struct Departure final : Handler {
        void deliver(Node& node) override;
        PacketPort* port = nullptr;
        bool credits = false;
    };
    ClockDomain& domain_;
    PacketOwner& owner_;
    const unsigned number_;
    Departure packet_out_, credit_out_;
    std::vector<std::unique_ptr<PacketPayload>> credits_; ///< all that were made
    std::vector<PacketPayload*> spare_;
};

/// An endpoint's side.
class PacketInitiatorPort final : public PacketPort, private PacketBackwardIf {
  public:
    PacketInitiatorPort(const char* name, ClockDomain& domain, PacketOwner& owner, unsigned number);
    PacketInitiatorSocket socket;

  private:
    void call(PacketPayload& payload, tlm::tlm_phase& phase) override;
    tlm::tlm_sync_enum nb_transport_bw(PacketPayload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

/// A network's side.
class PacketTargetPort final : public PacketPort, private PacketForwardIf {
  public:
    PacketTargetPort(const char* name, ClockDomain& domain, PacketOwner& owner, unsigned number);
    PacketTargetSocket socket;

  private:
    void call(PacketPayload& payload, tlm::tlm_phase& phase) override;
    tlm::tlm_sync_enum nb_transport_fw(PacketPayload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) override;
    void b_transport(PacketPayload&, sc_core::sc_time&) override;
    bool get_direct_mem_ptr(PacketPayload&, tlm::tlm_dmi&) override { return false; }
    unsigned int transport_dbg(PacketPayload&) override { return 0; }
};

} // namespace numavp
