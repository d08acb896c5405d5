/// What of a system goes into waveforms, and when it is looked at: lanes and ways when they change, kernels when they
/// begin and end, queues and use each interval, RTL at its edges.
#pragma once

#include <memory>
#include <string>

#include "models/base/clockwork.h"
#include "models/base/waves.h"
#include "models/host/host.h"
#include "models/socket/gpu_socket.h"

namespace numavp {

class SystemWaves final : private Arbiter {
  public:
    SystemWaves(Waves& waves, ClockDomain& domain, Cycle interval_cycles);

    // Each once, while the system is built.
    void watch(const std::string& scope, const GpuSocket& socket);
    void watch(const std::string& scope, const Link& link);
    void watch_rtl(const std::string& scope, GpuSocket& socket);
    void watch_switch(const Crossbar& fabric);
    void watch_faults(const FaultUnit& faults);

    void kernel_launched(const std::string& name);
    void kernel_ended();
    void lanes_turned() { lanes_.sample(); }
    void ways_moved() { ways_.sample(); }
    /// All, whatever has changed; from the first launch to rest() it happens each interval.
    void look();
    void rest();

  private:
    void arbitrate() override;
    void watch_ways(const std::string& scope, const GpuSocket& socket);
    void watch_queues(const std::string& scope, const GpuSocket& socket);
    void watch_use(const std::string& scope, const Link& link);
    void watch_use(const std::string& scope, const GpuSocket& socket);

    Waves& waves_;
    WaveClock clock_;
    Cycle interval_cycles_;
    bool running_ = false;
    unsigned kernels_ = 0;
    std::string kernel_;
    WaveGroup kernel_waves_, lanes_, ways_, queues_, use_;
};

} // namespace numavp
