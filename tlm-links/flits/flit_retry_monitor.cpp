#include "tlm-links/flits/flit_retry_monitor.h"

#include <boost/crc.hpp>

namespace numavp {

using rtl::CxsTransmitterPins;
using rtl::RetryAnswerPins;
using rtl::RetryFlitPins;

namespace {
constexpr std::size_t kMostRetryBreaches = 16;
constexpr std::uint64_t kNumberMask = rtl::kRetryNumbers - 1;
} // namespace

std::uint32_t retry_crc(const RetryFlitPins& flit) {
    boost::crc_optimal<32, 0x04c11db7, 0xffffffff, 0, false, false> crc;
    crc.process_byte(static_cast<unsigned char>(flit.number));
    crc.process_byte(static_cast<unsigned char>(flit.cntl >> 8));
    crc.process_byte(static_cast<unsigned char>(flit.cntl));
    for (std::size_t i = flit.data.size(); i-- != 0;) crc.process_byte(flit.data[i]);
    return crc.checksum();
}

void RetryBreaches::require(bool holds, const char* rule) {
    if (!holds && all_.size() < kMostRetryBreaches) all_.push_back(std::to_string(edge_) + ": " + rule);
}

// --- sending end

void FlitRetrySenderMonitor::observe(const CxsTransmitterPins& above, const RetryFlitPins& line,
                                     const RetryAnswerPins& answer) {
    if (line.valid) check_line(line);
    const std::uint64_t kept = sent_ - oldest_;
    const bool in_repetition = next_ != sent_,
               can_go = in_repetition || (kept < came_.size() && kept < buffer_flits_ && credits_ != 0);
    waited_ = asked_ || (can_go && !line.valid) ? waited_ + 1 : 0;
    if (waited_ == patience_)
        breaches_.require(false,
                          asked_ ? "sender: a repetition never begins" : "sender: a flit that can go never does");
    check_answer(answer);
    if (above.valid) came_.push_back({above.cntl, above.data});
    breaches_.next_edge();
}

void FlitRetrySenderMonitor::check_line(const RetryFlitPins& line) {
    if (asked_ && line.number == (oldest_ & kNumberMask)) {
        next_ = oldest_;
        asked_ = false;
    }
    breaches_.require(line.number == (next_ & kNumberMask), "sender: a number that is not the next one");
    breaches_.require(line.crc == retry_crc(line), "sender: a wrong CRC");
    if (next_ == sent_) {
        breaches_.require(credits_ != 0, "sender: a flit without a credit");
        credits_ -= credits_ != 0 ? 1 : 0;
        breaches_.require(sent_ - oldest_ < buffer_flits_, "sender: more flits than its retry buffer holds");
        ++sent_;
    } else {
        ++repeated_;
    }
    const std::uint64_t place = next_++ - oldest_;
    const bool has_come = place < came_.size();
    breaches_.require(has_come, "sender: a flit that has not come");
    if (!has_come) return;
    breaches_.require(line.cntl == came_[place].cntl && line.data == came_[place].data,
                      "sender: a flit is not as it came");
}

void FlitRetrySenderMonitor::check_answer(const RetryAnswerPins& answer) {
    breaches_.require(!answer.acknowledge || !answer.again, "receiver: two answers at once");
    if (answer.acknowledge || answer.again) {
        breaches_.require(oldest_ != sent_, "receiver: an answer to what was not sent");
        breaches_.require(answer.number == (oldest_ & kNumberMask), "receiver: an answer to another flit");
    }
    if (answer.again) asked_ = true;
    if (answer.acknowledge && oldest_ != sent_) {
        ++oldest_;
        if (!came_.empty()) came_.pop_front();
    }
    if (answer.credit) ++credits_;
}

void FlitRetrySenderMonitor::finish() {
    breaches_.require(oldest_ == sent_, "the end: a flit is not acknowledged");
    breaches_.require(came_.empty() || oldest_ != sent_, "the end: a flit was not sent");
    breaches_.require(!asked_, "the end: a repetition is owed");
}

// --- receiving end

void FlitRetryReceiverMonitor::observe(const RetryFlitPins& line, const RetryAnswerPins& answer,
                                       const CxsTransmitterPins& below) {
    check_answer(answer);
    if (below.valid) check_below(below);
    if (since_ != 0) ++since_;
    if (answer.again) since_ = 1;
    if (line.valid) check_line(line);
    const bool owes = told_ != expected_ || (missing_ && (since_ == 0 || since_ > round_trip_));
    owed_ = owes && !answer.acknowledge && !answer.again ? owed_ + 1 : 0;
    if (owed_ == patience_) breaches_.require(false, "receiver: an answer never comes");
    free_ = credits_ + held_.size() < places_ && !answer.credit ? free_ + 1 : 0;
    if (free_ == patience_) breaches_.require(false, "receiver: a credit never comes");
    breaches_.next_edge();
}

void FlitRetryReceiverMonitor::check_answer(const RetryAnswerPins& answer) {
    breaches_.require(!answer.acknowledge || !answer.again, "receiver: two answers at once");
    if (answer.acknowledge) {
        breaches_.require(told_ != expected_, "receiver: what has not come is acknowledged");
        breaches_.require(answer.number == (told_ & kNumberMask), "receiver: another flit is acknowledged");
        if (told_ != expected_) ++told_;
    }
    if (answer.again) {
        ++requests_;
        breaches_.require(missing_, "receiver: nothing is missing, and it is asked for");
        breaches_.require(answer.number == (expected_ & kNumberMask), "receiver: another flit is asked for");
        breaches_.require(since_ == 0 || since_ >= round_trip_, "receiver: asked again before it can have come");
    }
    if (answer.credit) {
        breaches_.require(credits_ + held_.size() < places_, "receiver: more credits than it has places");
        ++credits_;
    }
}

void FlitRetryReceiverMonitor::check_below(const CxsTransmitterPins& below) {
    breaches_.require(!held_.empty(), "receiver: a flit that has not come is passed on");
    if (held_.empty()) return;
    breaches_.require(below.cntl == held_.front().cntl && below.data == held_.front().data,
                      "receiver: a flit is not passed on as it came");
    held_.pop_front();
}

void FlitRetryReceiverMonitor::check_line(const RetryFlitPins& line) {
    const bool good = line.number == (expected_ & kNumberMask) && line.crc == retry_crc(line);
    missing_ = !good;
    if (!good) return;
    breaches_.require(credits_ != 0, "sender: a flit without a credit");
    credits_ -= credits_ != 0 ? 1 : 0;
    held_.push_back(line);
    ++expected_;
    since_ = 0;
}

void FlitRetryReceiverMonitor::finish() {
    breaches_.require(told_ == expected_, "the end: a flit is not acknowledged");
    breaches_.require(held_.empty(), "the end: a flit was not passed on");
    breaches_.require(!missing_, "the end: a flit is missing");
}

} // namespace numavp
