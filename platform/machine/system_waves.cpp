#include "platform/machine/system_waves.h"

#include "platform/machine/system_impl.h"
#include "tlm-links/edge/wave_clock.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp {

namespace {
constexpr unsigned kKernelWaveBits = 8, kNameLength = 32;
}

SystemWaves::SystemWaves(Waves& waves, ClockDomain& domain, Cycle interval_cycles)
    : Arbiter(domain, {kSystemRank, kRankControl, 3}), set_(waves, wave_clock(domain)),
      interval_cycles_(interval_cycles), kernel_waves_(set_.group("kernels")) {
    kernel_waves_.add("system", "kernels", kKernelWaveBits, [this] { return kernels_; });
    kernel_waves_.add_text("system", "kernel", kNameLength, [this] { return kernel_; });
}

void SystemWaves::kernel_launched(const std::string& name) {
    ++kernels_;
    kernel_ = name;
    kernel_waves_.sample();
    if (running_) return;
    running_ = true;
    wake_at(domain_.now() + interval_cycles_);
}

void SystemWaves::kernel_ended() {
    --kernels_;
    kernel_waves_.sample();
}

void SystemWaves::rest() {
    look();
    running_ = false;
}

void SystemWaves::arbitrate() {
    if (!running_) return;
    look();
    wake_at(domain_.now() + interval_cycles_);
}

void System::Impl::watch_waves(const SystemOptions& options) {
    waves = std::make_unique<SystemWaves>(*options.waves, domain, options.waves_interval);
    parts.add_waves(waves->set());
}

} // namespace numavp
