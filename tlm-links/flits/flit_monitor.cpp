#include "tlm-links/flits/flit_monitor.h"

#include <algorithm>
#include <iterator>

#include "tlm-links/flits/packet.h"

namespace numavp {

using rtl::CxsReceiverPins;
using rtl::CxsTransmitterPins;

namespace {
constexpr std::size_t kMostFlitBreaches = 16;
}

void FlitMonitor::require(bool holds, const char* rule) {
    if (!holds && breaches_.size() < kMostFlitBreaches) breaches_.push_back(std::to_string(edge_) + ": " + rule);
}

void FlitMonitor::observe(const CxsTransmitterPins& t, const CxsReceiverPins& r) {
    check_activation(t, r);
    check_credits(t, r);
    check_packets(t);
    check_patience(t, r);
    before_req_ = t.activereq;
    before_ack_ = r.activeack;
    ++edge_;
}

void FlitMonitor::check_activation(const CxsTransmitterPins& t, const CxsReceiverPins& r) {
    if (t.activereq && !before_req_)
        require(!before_ack_, "transmitter: activation is asked for before the link has stopped");
    if (!t.activereq && before_req_) {
        require(before_ack_, "transmitter: the request for activation is withdrawn");
        require(!in_packet_, "transmitter: the link is deactivated within a packet");
    }
    if (r.activeack && !before_ack_) require(before_req_, "receiver: activation is acknowledged unasked");
    if (!r.activeack && before_ack_) {
        require(!before_req_, "receiver: the acknowledge is withdrawn");
        require(credits_ == 0, "receiver: the link is stopped while credits are out");
    }
}

void FlitMonitor::check_credits(const CxsTransmitterPins& t, const CxsReceiverPins& r) {
    const bool run = t.activereq && r.activeack;
    if (run) ++credit_edges_[std::min(credits_, rtl::kCxsMostCredits)];
    require(!t.valid || run, "transmitter: a flit while the link does not run");
    require(!t.crdrtn || r.activeack, "transmitter: a credit is returned while the link is not active");
    for (const bool uses : {t.valid, t.crdrtn}) {
        if (!uses) continue;
        require(credits_ != 0, "transmitter: a flit or a return without a credit");
        credits_ -= credits_ != 0 ? 1 : 0;
    }
    if (!r.crdgnt) return;
    require(r.activeack && (t.activereq || before_req_), "receiver: a credit while the link does not run");
    require(credits_ < most_credits_, "receiver: more credits than it has places");
    ++credits_;
}

void FlitMonitor::check_packets(const CxsTransmitterPins& t) {
    if (!t.valid) return;
    ++flits_;
    const bool start = (t.cntl & rtl::kCxsStart) != 0;
    const bool end = (t.cntl & rtl::kCxsEnd) != 0;
    require(start != in_packet_,
            start ? "transmitter: a packet starts within another" : "transmitter: a flit of no packet");
    require((t.cntl & ~rtl::kCxsUsed) == 0, "transmitter: control that this link does not use");
    if (start) flits_left_ = flits_of_packet(t.data);
    flits_left_ -= flits_left_ != 0 ? 1 : 0;
    require(end == (flits_left_ == 0), "transmitter: a packet has not the flits of its header");
    in_packet_ = !end;
}

void FlitMonitor::check_patience(const CxsTransmitterPins& t, const CxsReceiverPins& r) {
    const bool run = t.activereq && r.activeack;
    const struct {
        bool waits;
        const char* rule;
    } rules[] = {
        {t.activereq && !r.activeack, "receiver: activation is never acknowledged"},
        {!t.activereq && r.activeack && !t.crdrtn,
         credits_ != 0 ? "transmitter: credits are never returned" : "receiver: the link never stops"},
        {run && credits_ == 0 && !t.valid, "receiver: no credit is granted any more"},
        {run && credits_ != 0 && in_packet_ && !t.valid, "transmitter: a packet never ends"},
    };
    for (std::size_t i = 0; i < std::size(rules); ++i) {
        waited_[i] = rules[i].waits ? waited_[i] + 1 : 0;
        if (waited_[i] == patience_) require(false, rules[i].rule);
    }
}

void FlitMonitor::finish() {
    require(!in_packet_, "the end: a packet has not ended");
    require(credits_ == 0, "the end: credits are out");
    require(!before_req_ && !before_ack_, "the end: the link has not stopped");
}

} // namespace numavp
