/// Issue slots of each kernel, from the member `slots` of results.json.
///
/// Slots are counted by interval, kernels begin and end within one: an interval's slots are divided in proportion to
/// time. So the slots of a kernel much shorter than `results.interval_cycles` are those of its surroundings too.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/config/config_file.h"
#include "models/sm/slot_account.h"
#include "platform/verdict/kernel_rows.h"

namespace numavp {

/// Share of a socket's slots without a warp from which it counts as without work.
inline constexpr double kMostWithout = 0.5;

/// Slots of one socket by cause, in whole and parts of intervals.
using SlotSums = std::array<double, kSlotCauseCount>;
double all_slots(const SlotSums& sums);

/// What the slots say of some time.
struct SlotWindow {
    std::vector<SlotSums> sockets;
    /// The same slots, divided as those of the schedulers that had warps: `no_warp` is there only in intervals in which
    /// the whole socket had none.
    std::vector<SlotSums> with_warps;
    double cycles = 0.0; ///< of the time that was looked at; 0: nothing is known
    /// Cycles in which at least half of the slots of one socket had no warp, while another socket had warps in more.
    double imbalance = 0.0;
    /// Of each socket: the cycles of `imbalance` in which it was one without warps.
    std::vector<double> idle;
    /// Cycles in which at least half of the slots of every socket had no warp.
    double few_warps = 0.0;

    /// Share of a cause in the slots of all sockets; 0 if there are none.
    double share(SlotCause cause) const;
    double share(SlotCause cause, std::size_t socket) const;
};

class KernelSlots {
  public:
    /// Results without `slots` have no windows.
    explicit KernelSlots(const ordered_json& results);

    bool known() const { return !ends_.empty(); }
    /// Time of the rows of launches among `rows`, from their `started` to `ended`; other rows have no times.
    SlotWindow of(const KernelRows& kernels, const std::vector<std::size_t>& rows) const;
    /// The time that none of the rows of launches covers.
    SlotWindow rest(const KernelRows& kernels) const;

  private:
    void add(double from, double to, SlotWindow& window) const;

    std::vector<double> ends_;                                            ///< of the intervals
    std::vector<std::array<std::vector<double>, kSlotCauseCount>> slots_; ///< by socket, cause and interval
};

} // namespace numavp
