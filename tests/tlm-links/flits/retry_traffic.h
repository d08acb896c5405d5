/// Random packets over a line with errors between two retry ends, with monitors on all pins; both owners pause at
/// random.
#pragma once

#include <algorithm>
#include <deque>

#include "base/values/rng.h"
#include "tests/tlm-links/flits/random_packet.h"
#include "tlm-links/flits/flit_channel.h"
#include "tlm-links/flits/flit_monitor.h"
#include "tlm-links/flits/flit_retry_monitor.h"
#include "tlm-links/flits/lossy_relay.h"

namespace numavp::test {

struct RetryLineShape {
    double rate;                         ///< of wrong bits
    unsigned line_cycles, answer_cycles; ///< besides those of the registers
    unsigned buffer;                     ///< flits of the retry buffer
    unsigned pause;                      ///< of 256: how often owner and receiver rest
    unsigned packets;

    /// From a flit's end on the line to its acknowledgement at the retry buffer: two registers, and the line.
    unsigned round_trip() const { return 2 + line_cycles + answer_cycles; }
};

/// Damages flits as a line does whose errors `RetryLine` draws: one draw for each flit that the receiving end expects.
/// One in eight of those that come in vain is damaged too, which must make no difference.
class ExpectedErrors {
  public:
    ExpectedErrors(ErrorDistance errors, std::uint64_t seed) : errors_(errors), places_(seed) {}
    void operator()(rtl::RetryFlitPins& flit) {
        const bool expected = flit.number == expected_ % rtl::kRetryNumbers;
        if (expected && !errors_.hits(rtl::kRetryFlitBits)) {
            ++expected_;
            return;
        }
        if (!expected && !places_.chance(1, 8)) return;
        const unsigned first = static_cast<unsigned>(places_.below(rtl::kRetryFlitBits));
        const unsigned bits = 1 + static_cast<unsigned>(places_.below(4)); // all of which the CRC sees
        for (unsigned i = 0; i < bits; ++i) FlitBitErrors::flip(flit, (first + 61 * i) % rtl::kRetryFlitBits);
    }

  private:
    ErrorDistance errors_;
    Rng places_;
    std::uint64_t expected_ = 0;
};

class RetryTraffic {
  public:
    RetryTraffic(rtl::RetrySenderEnd& sender, rtl::RetryReceiverEnd& receiver, const RetryLineShape& shape,
                 std::uint64_t seed = 5)
        : relay(
              sender, receiver,
              {shape.line_cycles, shape.answer_cycles, ExpectedErrors(ErrorDistance(shape.rate, Rng(seed)), seed + 1)}),
          channel({{3, 20}, {8, 2}}, &relay), above(8, 900), below(15, 900), sending(shape.buffer, 900),
          receiving(3 + shape.line_cycles + shape.answer_cycles, 64, 900), sender_(sender), receiver_(receiver),
          shape_(shape), random_(seed + 2) {}

    bool done() const { return done_ == shape_.packets && channel.idle(); }
    bool wrong() const { return wrong_; } ///< a packet differs from what was sent
    unsigned received() const { return done_; }
    /// A cycle; the pins before its edge are shown to the monitors.
    void edge() {
        if (begun_ < shape_.packets && !random_.chance(shape_.pause, 256) && channel.sender.can_take()) {
            sent_.push_back(random_packet(random_));
            channel.sender.take(sent_.back());
            ++begun_;
        }
        above.observe(channel.above());
        below.observe(channel.below());
        sending.observe(channel.above().tx, sender_.to_line(), relay.answer());
        receiving.observe(relay.flit(), receiver_.to_line(), channel.below().tx);
        channel.edge();
        while (channel.sender.pop_sent()) {}
        for (; channel.receiver.any() && !random_.chance(shape_.pause, 256); channel.receiver.pop()) {
            wrong_ = wrong_ || sent_.empty() || !same_packet(sent_.front(), channel.receiver.front());
            if (!sent_.empty()) sent_.pop_front();
            ++done_;
        }
    }
    void finish() {
        above.finish();
        below.finish();
        sending.finish();
        receiving.finish();
    }
    /// The first broken rule that a monitor saw; empty: none.
    std::string breach() const {
        for (const std::vector<std::string>* found :
             {&sending.breaches(), &receiving.breaches(), &above.breaches(), &below.breaches()})
            if (!found->empty()) return found->front();
        return "";
    }

    LossyRelay relay;
    FlitChannel channel;
    FlitMonitor above, below;
    FlitRetrySenderMonitor sending;
    FlitRetryReceiverMonitor receiving;

  private:
    rtl::RetrySenderEnd& sender_;
    rtl::RetryReceiverEnd& receiver_;
    RetryLineShape shape_;
    Rng random_;
    std::deque<Packet> sent_;
    unsigned begun_ = 0, done_ = 0;
    bool wrong_ = false;
};

} // namespace numavp::test
