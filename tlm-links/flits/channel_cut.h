/// A cut in one direction of a channel between two routers: packets travel as credited flits over pins, requests and
/// responses by separate wires. No SystemC module: the network's clock runs the pins.
///
/// A packet is collected before it travels, and its flits enter the channel one a cycle afterwards. So a packet of F
/// flits of the network and f of the pins takes F - 1 + f cycles more, 2 more if the pins are at rest, and 2 more with
/// a relay.
#pragma once

#include <array>
#include <deque>

#include "tlm-links/flits/record_way.h"
#include "tlm-links/packet/packet_relay.h"

namespace numavp {

struct ChannelCutConfig {
    FlitChannelConfig channel;
    bool functional = false; ///< the records' content becomes what the flits bring
    bool monitored = false;  ///< monitors look at all pins
};

class ChannelCut final : public PacketRelay {
  public:
    static constexpr unsigned kClasses = 2; ///< requests, responses
    /// Null relays: none. The tags of packets are PacketPayloads that carry a record.
    ChannelCut(const ChannelCutConfig& config, const std::array<rtl::CxsRelay*, kClasses>& relays);

    void take(unsigned message_class, std::uint64_t tag) override;
    void edge() override;
    bool pop(unsigned message_class) override;
    bool at_rest() const override;
    std::string disagreement() override;

  private:
    struct Way {
        RecordWay flits;
        std::deque<Txn*> waiting; ///< for the sender
    };
    const bool functional_;
    std::array<Way, kClasses> ways_;
};

} // namespace numavp
