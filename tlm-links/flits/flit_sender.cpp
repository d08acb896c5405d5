#include "tlm-links/flits/flit_sender.h"

#include "base/values/error.h"

namespace numavp {

FlitSender::FlitSender(const FlitSenderConfig& config) : config_(config) {
    if (config.packets == 0) throw ModelError("a sender of flits needs a place for a packet");
}

void FlitSender::take(const Packet& packet) { packets_.push_back({FlitWriter(packet), packet.id}); }

std::optional<std::uint16_t> FlitSender::pop_sent() {
    if (sent_.empty()) return std::nullopt;
    const std::uint16_t id = sent_.front();
    sent_.pop_front();
    return id;
}

void FlitSender::edge(const rtl::CxsReceiverPins& r) {
    if (r.crdgnt && ++credits_ > rtl::kCxsMostCredits)
        throw ModelError("a receiver of flits grants more credits than there can be");
    acknowledged_ = r.activeack;
    pins_.valid = pins_.crdrtn = false;
    if (pins_.activereq && acknowledged_) {
        run();
    } else if (acknowledged_) { // deactivate
        pins_.crdrtn = credits_ != 0;
        if (pins_.crdrtn) --credits_;
    } else if (!pins_.activereq) { // stop
        pins_.activereq = !packets_.empty();
    }
}

/// A flit if there are one and a credit for it, or the end of the link's activity.
void FlitSender::run() {
    if (packets_.empty()) {
        if (++quiet_ >= config_.linger) pins_.activereq = false;
        return;
    }
    quiet_ = 0;
    if (credits_ == 0) {
        ++starved_edges_;
        return;
    }
    Waiting& first = packets_.front();
    const Flit flit = first.writer.next();
    pins_.valid = true;
    pins_.data = flit.data;
    pins_.cntl = flit.cntl;
    --credits_;
    if (!first.writer.done()) return;
    sent_.push_back(first.id);
    packets_.pop_front();
}

} // namespace numavp
