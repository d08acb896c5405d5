/// The relay with assertions, and a fault if one is asked for.
#pragma once

#include <memory>

#include "rtl/cxs_pins.h"

namespace numavp::test {

class CheckedRelay final : public rtl::CxsRelay {
  public:
    explicit CheckedRelay(unsigned mutant, unsigned starve);
    ~CheckedRelay() override;
    void settle(const rtl::CxsTransmitterPins& above, const rtl::CxsReceiverPins& below) override;
    void edge() override;
    const rtl::CxsReceiverPins& to_above() const override;
    const rtl::CxsTransmitterPins& to_below() const override;
    bool assertion_broken() const;

  private:
    struct Model;
    std::unique_ptr<Model> model_;
};

} // namespace numavp::test
