#include "tlm-links/flits/flit_receiver.h"

#include "base/values/error.h"

namespace numavp {

FlitReceiver::FlitReceiver(const FlitReceiverConfig& config) : config_(config) {
    if (config.flits == 0 || config.flits > rtl::kCxsMostCredits || config.packets == 0)
        throw ModelError("a receiver of flits has 1 to 15 places for flits, and at least one for a packet");
}

void FlitReceiver::use_credit() {
    if (credits_out_ == 0) throw ModelError("a transmitter of flits uses a credit that it does not have");
    --credits_out_;
}

void FlitReceiver::assemble() {
    while (!flits_.empty() && packets_.size() < config_.packets) {
        if (reader_.take(flits_.front())) packets_.push_back(std::move(reader_.packet()));
        flits_.pop_front();
    }
}

void FlitReceiver::edge(const rtl::CxsTransmitterPins& t) {
    stopped_ = !t.activereq && !pins_.activeack;
    if (t.valid) {
        use_credit();
        flits_.push_back({t.data, t.cntl});
    }
    if (t.crdrtn) use_credit();
    assemble();
    const bool room = credits_out_ + flits_.size() < config_.flits;
    pins_.crdgnt = t.activereq && room;
    if (pins_.crdgnt) ++credits_out_;
    if (t.activereq)
        pins_.activeack = true;
    else if (credits_out_ == 0)
        pins_.activeack = false;
}

} // namespace numavp
