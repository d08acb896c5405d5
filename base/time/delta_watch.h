/// Detects processes that wake each other in endless delta cycles while simulated time stands still.
///
/// SystemC calls whoever asks once a delta cycle, which costs less than a process and keeps no process awake: trace
/// files in 2.3.4, callbacks of its stages (IEEE 1666-2023) since 3.0.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace numavp {

class DeltaWatch {
  public:
    /// Delta cycles at one time after which simulation is stopped. Signals settle in tens of them, in the deepest
    /// designs in thousands; a million passes within a second or so.
    static constexpr std::uint64_t kMost = 1'000'000;

    explicit DeltaWatch(std::uint64_t most = kMost);
    ~DeltaWatch();
    DeltaWatch(const DeltaWatch&) = delete;
    DeltaWatch& operator=(const DeltaWatch&) = delete;

    /// After simulation was stopped: the time, and the events and signals that woke processes last. Empty until then.
    const std::string& failure() const { return failure_; }

  private:
    class Hook; ///< what SystemC calls

    void after_delta_cycle();
    std::string woken_by() const;

    std::uint64_t most_, at_ps_ = 0, deltas_ = 0;
    std::string failure_;
    std::unique_ptr<Hook> hook_;
};

} // namespace numavp
