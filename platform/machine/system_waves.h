/// When the waveforms of a system are looked at: kernels when they begin and end, all that its parts show each
/// interval. What changes seldom, such as lanes and ways, its parts sample themselves when it does; RTL at its edges.
#pragma once

#include <string>

#include "models/base/clockwork.h"
#include "models/base/wave_set.h"

namespace numavp {

class SystemWaves final : private Arbiter {
  public:
    SystemWaves(Waves& waves, ClockDomain& domain, Cycle interval_cycles);

    /// For the parts, while the system is built.
    WaveSet& set() { return set_; }

    void kernel_launched(const std::string& name);
    void kernel_ended();
    /// All, whatever has changed; from the first launch to rest() it happens each interval.
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
