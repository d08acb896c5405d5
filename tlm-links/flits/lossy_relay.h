/// A line with errors between pins of credited flits: a sending end, the line with its delays, a receiving end. The
/// ends are RTL blocks (rtl/flit_retry_blocks.h), or somebody's own. No SystemC.
#pragma once

#include <deque>
#include <functional>

#include "rtl/flit_retry_pins.h"
#include "tlm-links/retry/error_distance.h"

namespace numavp {

/// Wrong bits of a line: each flit that an error hits has one, at a random place. For LossyRelayConfig::damage.
class FlitBitErrors {
  public:
    /// `rate`: probability that a bit is wrong, above 0 and at most 1/2; the draws are of `seed`.
    FlitBitErrors(double rate, std::uint64_t seed) : errors_(rate, Rng(seed).fork(1)), places_(Rng(seed).fork(2)) {}
    void operator()(rtl::RetryFlitPins& flit) {
        if (errors_.hits(rtl::kRetryFlitBits)) flip(flit, static_cast<unsigned>(places_.below(rtl::kRetryFlitBits)));
    }
    /// Turns bit `place` of number, control, data and CRC, in this order.
    static void flip(rtl::RetryFlitPins& flit, unsigned place);

  private:
    ErrorDistance errors_;
    Rng places_;
};

struct LossyRelayConfig {
    unsigned line_cycles = 0;   ///< that a flit takes besides the one of the register that drives it
    unsigned answer_cycles = 0; ///< that an answer takes, likewise
    std::function<void(rtl::RetryFlitPins&)> damage; ///< is called for each flit when it comes; none: no errors

    /// Cycles for FlitRetryReceiverBlock, which takes up to 1023.
    unsigned round_trip() const { return 3 + line_cycles + answer_cycles; }
};

class LossyRelay final : public rtl::CxsRelay {
  public:
    /// The ends belong to the caller, and get their edges from here.
    LossyRelay(rtl::RetrySenderEnd& sender, rtl::RetryReceiverEnd& receiver, LossyRelayConfig config);
    void settle(const rtl::CxsTransmitterPins& above, const rtl::CxsReceiverPins& below) override;
    void edge() override;
    const rtl::CxsReceiverPins& to_above() const override { return sender_.to_above(); }
    const rtl::CxsTransmitterPins& to_below() const override { return receiver_.to_below(); }

    /// What an end sees on the line until the next edge.
    const rtl::RetryAnswerPins& answer() const { return answers_.front(); }
    const rtl::RetryFlitPins& flit() const { return flits_.front(); }

  private:
    rtl::RetrySenderEnd& sender_;
    rtl::RetryReceiverEnd& receiver_;
    const LossyRelayConfig config_;
    std::deque<rtl::RetryFlitPins> flits_; ///< under way, the one that comes next first
    std::deque<rtl::RetryAnswerPins> answers_;
};

} // namespace numavp
