/// The protocol between packages. As TLM-2.0 requires of protocols other than a memory-mapped bus, it has its own
/// traits with a payload and two phases.
///
/// PACKET gives a whole packet to the other side, which has room for it: the sender has credits for all its flits in
/// its message class. CREDIT gives room back. Both go both ways (fw from the initiator, bw from the target) and are
/// answered TLM_ACCEPTED at once, since neither can be refused; calls are made in a delivery at their true time with a
/// zero annotation. A packet's payload passes to the endpoint that it is handed to, which may use it for packets of its
/// own, and is deleted by the one that made it. On its way the network alone writes to it: `virtual_channel` and
/// `routers`. A CREDIT has a separate payload, which its sender reuses after the call.
///
/// The initiator is an endpoint at a terminal of a network, the target is the network's side of it. Towards the network
/// room is counted for each message class, towards the endpoint for each virtual channel.
#pragma once

#include <cstdint>

#include <tlm>

#include "base/time/clockwork.h"

namespace numavp {

struct Txn;

DECLARE_EXTENDED_PHASE(PACKET);
DECLARE_EXTENDED_PHASE(CREDIT);

struct PacketPayload : Node {
    unsigned from = 0; ///< terminal
    unsigned to = 0;   ///< terminal
    std::uint16_t flits = 1;
    std::uint16_t bytes = 0; ///< that the flits carry, header included; 0: they are full
    std::uint8_t message_class = 0;
    std::uint8_t virtual_channel = 0; ///< of all classes, by which it left the network
    std::uint32_t order = 0;   ///< packets of a sender, receiver and class with the same key stay in order; 0: none
    std::uint64_t sent_ps = 0; ///< when its sender gave it away
    std::uint16_t routers = 0; ///< that it has passed
    Txn* cargo = nullptr;      ///< the record that it carries; null in a credit
};

struct PacketProtocol {
    using tlm_payload_type = PacketPayload;
    using tlm_phase_type = tlm::tlm_phase;
};

using PacketForwardIf = tlm::tlm_fw_transport_if<PacketProtocol>;
using PacketBackwardIf = tlm::tlm_bw_transport_if<PacketProtocol>;
using PacketInitiatorSocket = tlm::tlm_initiator_socket<32, PacketProtocol>;
using PacketTargetSocket = tlm::tlm_target_socket<32, PacketProtocol>;

} // namespace numavp
