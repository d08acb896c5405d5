/// The RTL blocks at the ends of a line with errors between pins of credited flits; see rtl/blocks.h.
#pragma once

#include <memory>

#include "rtl/flit_retry_pins.h"

namespace numavp::rtl {

/// rtl/flit_retry_sender.sv: places for 8 flits, and a retry buffer.
class FlitRetrySenderBlock final : public RetrySenderEnd {
  public:
    /// `buffer_flits`: of the retry buffer, 1 to 255; else a ModelError is thrown.
    explicit FlitRetrySenderBlock(unsigned buffer_flits);
    ~FlitRetrySenderBlock() override;
    void settle(const CxsTransmitterPins& above, const RetryAnswerPins& answer) override;
    void edge() override;
    const CxsReceiverPins& to_above() const override;
    const RetryFlitPins& to_line() const override;

  private:
    struct Model;
    std::unique_ptr<Model> model_;
};

/// rtl/flit_retry_receiver.sv: places for 64 flits.
class FlitRetryReceiverBlock final : public RetryReceiverEnd {
  public:
    static constexpr unsigned kFlits = 64;
    /// `round_trip`: cycles from an edge that finds an error to the one at which its flit comes again: 3, and those
    /// that line and answers take besides; a smaller number breaks the contract. Outside 3 to 1023 a ModelError is
    /// thrown.
    explicit FlitRetryReceiverBlock(unsigned round_trip);
    ~FlitRetryReceiverBlock() override;
    void settle(const RetryFlitPins& line, const CxsReceiverPins& below) override;
    void edge() override;
    const RetryAnswerPins& to_line() const override;
    const CxsTransmitterPins& to_below() const override;

  private:
    struct Model;
    std::unique_ptr<Model> model_;
};

} // namespace numavp::rtl
