/// One direction of a link from packets to packets: sender, wires, a relay if there is one, wires, receiver. No
/// SystemC.
#pragma once

#include "tlm-links/flits/flit_receiver.h"
#include "tlm-links/flits/flit_sender.h"
#include "tlm-links/flits/relay_rest.h"

namespace numavp {

struct FlitChannelConfig {
    FlitSenderConfig sender;
    FlitReceiverConfig receiver;
};

class FlitChannel {
  public:
    /// Null `relay`: the sender and the receiver share one set of wires.
    FlitChannel(const FlitChannelConfig& config, rtl::CxsRelay* relay)
        : sender(config.sender), receiver(config.receiver), relay_(relay) {}

    FlitSender sender;
    FlitReceiver receiver;

    /// Simulates a rising edge of all parts.
    void edge() {
        sender.edge(above_.rx);
        receiver.edge(lower().tx);
        if (relay_) {
            rest_.edge(above_, below_);
            relay_->settle(above_.tx, below_.rx);
            relay_->edge();
            above_.rx = relay_->to_above();
            below_.tx = relay_->to_below();
        }
        above_.tx = sender.pins();
        lower().rx = receiver.pins();
    }
    /// True if no more edges are needed, for the relay neither.
    bool idle() const { return sender.idle() && receiver.idle() && rest_.at_rest(); }
    /// The sender's wires, and the receiver's.
    const rtl::CxsWires& above() const { return above_; }
    const rtl::CxsWires& below() const { return relay_ ? below_ : above_; }

  private:
    rtl::CxsWires& lower() { return relay_ ? below_ : above_; }
    rtl::CxsRelay* relay_;
    RelayRest rest_;
    rtl::CxsWires above_;
    rtl::CxsWires below_;
};

} // namespace numavp
