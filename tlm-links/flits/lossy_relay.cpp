#include "tlm-links/flits/lossy_relay.h"

#include <utility>

namespace numavp {

using rtl::RetryAnswerPins;
using rtl::RetryFlitPins;

void FlitBitErrors::flip(RetryFlitPins& flit, unsigned place) {
    constexpr unsigned kNumberBits = 8, kControlBits = 14, kDataBits = 8 * rtl::kCxsBytes;
    if (place < kNumberBits) {
        flit.number ^= 1U << place;
    } else if (place -= kNumberBits; place < kControlBits) {
        flit.cntl ^= 1U << place;
    } else if (place -= kControlBits; place < kDataBits) {
        flit.data[place / 8] = static_cast<unsigned char>(flit.data[place / 8] ^ (1U << place % 8));
    } else {
        flit.crc ^= std::uint32_t{1} << (place - kDataBits);
    }
}

LossyRelay::LossyRelay(rtl::RetrySenderEnd& sender, rtl::RetryReceiverEnd& receiver, LossyRelayConfig config)
    : sender_(sender), receiver_(receiver), config_(std::move(config)), flits_(config_.line_cycles + 1),
      answers_(config_.answer_cycles + 1) {}

void LossyRelay::settle(const rtl::CxsTransmitterPins& above, const rtl::CxsReceiverPins& below) {
    sender_.settle(above, answer());
    receiver_.settle(flit(), below);
}

void LossyRelay::edge() {
    sender_.edge();
    receiver_.edge();
    flits_.pop_front();
    flits_.push_back(sender_.to_line());
    answers_.pop_front();
    answers_.push_back(receiver_.to_line());
    if (config_.damage && flits_.front().valid) config_.damage(flits_.front());
}

} // namespace numavp
