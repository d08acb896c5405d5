/// A cut between a socket's link and the switch: all its packets travel as credited flits over pins.
///
/// Requests and responses of both directions have separate wires, so that none holds up another. A packet carries kind
/// and address, and the whole line with its mask in writes, atomics and answers to reads and atomics. The record itself
/// waits at the other end, where the id in the header finds it. In functional runs its address, mask and data are then
/// replaced by those that came in the flits. Its routing stays with the record.
///
/// Added cycles for a packet of f flits: f + 3 if the link is at rest, f + 1 if it runs and has credits; two more with
/// the relay. A request for data or an acknowledgement is one flit, a line five. A way carries one flit a cycle, so a
/// line every five cycles.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "base/stats/model_part.h"
#include "tlm-links/flits/flit_channel.h"
#include "tlm-links/flits/flit_monitor.h"
#include "tlm-links/flits/link_cut_kind.h"
#include "tlm-links/protocol/ports.h"

namespace numavp {

struct LinkCutConfig {
    FlitChannelConfig channel;
    unsigned queue_depth = 16; ///< requests or responses that wait at the beginning of a way
    unsigned wire_depth = 128; ///< packets on their way from its end
    bool monitored = false;    ///< monitors look at all pins
};

class LinkCut final : public sc_core::sc_module,
                      public ModelPart,
                      private Arbiter,
                      private RequesterIf,
                      private ResponderIf {
  public:
    LinkCut(sc_core::sc_module_name name, const LinkCutConfig& config, ClockDomain& domain, TxnPool& pool, Rank rank,
            const LinkCutRelays& relays);
    ~LinkCut() override;

    tlm::tlm_target_socket<>& from_link() { return from_link_.socket; }
    tlm::tlm_initiator_socket<>& to_switch() { return to_switch_.socket; }
    tlm::tlm_target_socket<>& from_switch() { return from_switch_.socket; }
    tlm::tlm_initiator_socket<>& to_link() { return to_link_.socket; }

    std::string holding() const override;
    /// The first breach of the pins' rules, at the end of a simulation; empty if there is none, or it is not monitored.
    std::string disagreement() override;
    /// Number of packets inside the cut.
    unsigned held() const;
    /// One of the packets inside, for a report; null if none.
    const Txn* sample_held() const;
    /// Edges so far; and packets that have come out of a way.
    std::uint64_t cycles() const { return cycles_; }
    std::uint64_t packets(LinkCutWay way) const;

  private:
    struct Way;
    bool request(unsigned port, Txn& txn) override;
    bool response(unsigned port, Txn& txn) override;
    void arbitrate() override;
    bool enter(LinkCutWay way, Txn& txn);
    void admitted(LinkCutWay way, Txn& txn);

    TargetPort from_link_;
    InitiatorPort to_switch_;
    TargetPort from_switch_;
    InitiatorPort to_link_;
    TxnPool& pool_;
    std::array<std::unique_ptr<Way>, kLinkCutWays> ways_;
    std::uint64_t cycles_ = 0;
};

} // namespace numavp
