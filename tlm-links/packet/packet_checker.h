/// Checks the wires of packets: room, addressing, order, and that each packet that goes in comes out.
///
/// One checker is on each wire between an endpoint and a network (`bind_checked_packets`); those of a network share a
/// ledger. Rules; a breach names the wire:
///  - a packet has 1 flit or more, a class that exists, a terminal of the network as its target, the wire's as its
///    sender;
///  - a sender never has more flits under way than its receiver has room for, of a class or of a virtual channel;
///  - credits give back no more room than was taken;
///  - a packet that leaves the network went in before, leaves once, at its target, unchanged;
///  - packets of one sender, receiver, class and key leave in the order in which they went in;
///  - a packet that comes out was inside for `patience_ps` at most; `PacketLedger::overdue` names one that has not.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "tlm-links/packet/packet_protocol.h"

namespace numavp {

/// State that the checkers of a network share.
class PacketLedger {
  public:
    struct Rules {
        unsigned terminals = 1;
        unsigned classes = 1;
        unsigned virtual_channels = 1; ///< of all classes
        unsigned inject_flits = 1;     ///< of a class
        unsigned eject_flits = 1;      ///< of a virtual channel
        std::uint64_t patience_ps = 1'000'000'000;
    };
    explicit PacketLedger(const Rules& rules) : rules_(rules) {}

    const Rules& rules() const { return rules_; }
    /// Called for every breach; if empty, a breach is a SystemC error.
    std::function<void(const std::string&)> on_breach;
    void breach(const std::string& wire, const std::string& what);

    void went_in(const std::string& wire, const PacketPayload& packet, std::uint64_t now_ps);
    void came_out(const std::string& wire, unsigned terminal, const PacketPayload& packet, std::uint64_t now_ps);
    std::size_t inside() const { return inside_.size(); }
    std::uint64_t packets() const { return packets_; } ///< that went in
    /// A sentence about the packet that has been inside for longest, if longer than `patience_ps`; else empty.
    std::string overdue(std::uint64_t now_ps) const;

  private:
    struct Entry {
        unsigned from, to;
        std::uint16_t flits;
        std::uint8_t message_class;
        std::uint32_t order;
        std::uint64_t since_ps, sequence;
    };
    using Stream = std::tuple<unsigned, unsigned, unsigned, std::uint32_t>; ///< from, to, class, key
    Rules rules_;
    std::unordered_map<const PacketPayload*, Entry> inside_;
    std::map<Stream, std::deque<std::uint64_t>> streams_; ///< sequences of packets with a key that are inside
    std::uint64_t packets_ = 0;
};

/// Pass-through module on one wire: a target for the endpoint, an initiator for the network.
class PacketChecker final : public sc_core::sc_module, private PacketForwardIf, private PacketBackwardIf {
  public:
    PacketChecker(sc_core::sc_module_name name, unsigned terminal, PacketLedger& ledger);

    PacketTargetSocket endpoint; ///< to be bound to the endpoint's initiator
    PacketInitiatorSocket network;

  private:
    tlm::tlm_sync_enum nb_transport_fw(PacketPayload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
    tlm::tlm_sync_enum nb_transport_bw(PacketPayload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
    void b_transport(PacketPayload&, sc_core::sc_time&) override { breach("a blocking call"); }
    bool get_direct_mem_ptr(PacketPayload&, tlm::tlm_dmi&) override { return false; }
    unsigned int transport_dbg(PacketPayload&) override { return 0; }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    void breach(const std::string& what) { ledger_.breach(name(), what); }
    void check_shape(const PacketPayload& packet);
    void take(std::vector<std::uint64_t>& used, unsigned number, const PacketPayload& packet, unsigned room,
              const char* what);
    void give(std::vector<std::uint64_t>& used, unsigned number, unsigned flits, const char* what);
    void check_answer(tlm::tlm_sync_enum status, const sc_core::sc_time& delay);

    const unsigned terminal_;
    PacketLedger& ledger_;
    std::vector<std::uint64_t> injected_; ///< flits that have no credit yet, by class
    std::vector<std::uint64_t> ejected_;  ///< by virtual channel
};

/// Binds an endpoint to its terminal with a checker between.
std::unique_ptr<PacketChecker> bind_checked_packets(PacketInitiatorSocket& endpoint, PacketTargetSocket& terminal,
                                                    const char* name, unsigned number, PacketLedger& ledger);

} // namespace numavp
