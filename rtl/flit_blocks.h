/// The RTL blocks of links with credited flits as C++ objects; see rtl/blocks.h.
#pragma once

#include <memory>

#include "rtl/cxs_pins.h"

namespace numavp::rtl {

/// rtl/flit_relay.sv: one direction, a buffer of 8 flits.
class FlitRelayBlock final : public CxsRelay {
  public:
    static constexpr unsigned kFlits = 8;
    /// The relay withholds a credit in `starve` of 256 cycles.
    explicit FlitRelayBlock(unsigned starve = 0);
    ~FlitRelayBlock() override;
    void settle(const CxsTransmitterPins& above, const CxsReceiverPins& below) override;
    void edge() override;
    const CxsReceiverPins& to_above() const override;
    const CxsTransmitterPins& to_below() const override;

  private:
    struct Model;
    std::unique_ptr<Model> model_;
};

} // namespace numavp::rtl
