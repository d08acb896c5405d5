#include "tlm-links/flits/flit_sender.h"

#include "models/base/error.h"
#include "models/base/mutant.h"
#include "tlm-links/flits/flit_faults.h"

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
    if (r.crdgnt && !(mutant(kFlitLosesGrant) && !packets_.empty()) && ++credits_ > rtl::kCxsMostCredits)
        throw ModelError("a receiver of flits grants more credits than there can be");
    acknowledged_ = r.activeack;
    pins_.valid = pins_.crdrtn = false;
    if (pins_.activereq && acknowledged_) {
        run();
    } else if (acknowledged_) { // deactivate
        pins_.crdrtn = credits_ != 0 && !mutant(kFlitKeepsCredits);
        if (pins_.crdrtn) --credits_;
        if (mutant(kFlitActivatesBeforeStop)) pins_.activereq = !packets_.empty();
    } else if (!pins_.activereq || mutant(kFlitWithdrawsActivation)) { // stop
        pins_.activereq = !packets_.empty() && !(mutant(kFlitWithdrawsActivation) && pins_.activereq);
    }
}

/// A flit if there are one and a credit for it, or the end of the link's activity.
void FlitSender::run() {
    if (packets_.empty() || (mutant(kFlitDeactivatesStarved) && credits_ == 0)) {
        if (++quiet_ >= config_.linger) pins_.activereq = false;
        return;
    }
    quiet_ = 0;
    if (credits_ == 0 && !mutant(kFlitSendsWithoutCredit)) {
        ++starved_edges_;
        return;
    }
    Waiting& first = packets_.front();
    const Flit flit = first.writer.next();
    pins_.valid = true;
    pins_.data = flit.data;
    pins_.cntl = flit.cntl;
    if (!mutant(kFlitStartsForNothing) || (flit.cntl & rtl::kCxsStart) == 0) credits_ -= credits_ != 0 ? 1 : 0;
    if (!first.writer.done()) return;
    sent_.push_back(first.id);
    packets_.pop_front();
}

} // namespace numavp
