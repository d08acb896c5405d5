/// Decides when the waveforms of a system are sampled: kernels when they begin and end, all signals of parts at each
/// interval. Parts sample rarely changing signals, such as lanes and ways, at each change; RTL is sampled at its edges.
#pragma once

#include <string>

#include "base/time/clockwork.h"
#include "base/waves/wave_set.h"

namespace numavp {

class SystemWaves final : private Arbiter {
  public:
    SystemWaves(Waves& waves, ClockDomain& domain, Cycle interval_cycles);

    /// The set to which parts add their signals while the system is built.
    WaveSet& set() { return set_; }

    void kernel_launched(const std::string& name);
    void kernel_ended();
    /// Samples all signals; called at each interval from the first launch to rest().
    void look() { set_.sample(); }
    void rest();

  private:
    void arbitrate() override;

    WaveSet set_;
    Cycle interval_cycles_;
    bool running_ = false;
    unsigned kernels_ = 0;
    std::string kernel_;
    WaveGroup& kernel_waves_;
};

} // namespace numavp
