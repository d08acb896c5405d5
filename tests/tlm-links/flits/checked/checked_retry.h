/// The ends of a line with errors with assertions, and a fault if one is asked for.
#pragma once

#include <memory>

#include "rtl/flit_retry_pins.h"

namespace numavp::test {

class CheckedRetrySender final : public rtl::RetrySenderEnd {
  public:
    CheckedRetrySender(unsigned mutant, unsigned buffer_flits);
    ~CheckedRetrySender() override;
    void settle(const rtl::CxsTransmitterPins& above, const rtl::RetryAnswerPins& answer) override;
    void edge() override;
    const rtl::CxsReceiverPins& to_above() const override;
    const rtl::RetryFlitPins& to_line() const override;

  private:
    struct Model;
    std::unique_ptr<Model> model_;
};

class CheckedRetryReceiver final : public rtl::RetryReceiverEnd {
  public:
    CheckedRetryReceiver(unsigned mutant, unsigned round_trip);
    ~CheckedRetryReceiver() override;
    void settle(const rtl::RetryFlitPins& line, const rtl::CxsReceiverPins& below) override;
    void edge() override;
    const rtl::RetryAnswerPins& to_line() const override;
    const rtl::CxsTransmitterPins& to_below() const override;

  private:
    struct Model;
    std::unique_ptr<Model> model_;
};

} // namespace numavp::test
