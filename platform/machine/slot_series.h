/// Use of the issue slots of each socket's schedulers, over time and in all: the section `slots` of results.json.
///
/// It is kept out of statistics and time series, so that their bytes do not depend on it.
#pragma once

#include <cstdint>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/stats/series.h"
#include "models/sm/slot_account.h"

namespace numavp {

class ClockDomain;
class GpuSocket;

/// The sockets must outlive this object.
class SlotSeries {
  public:
    SlotSeries(const std::vector<GpuSocket*>& sockets, const ClockDomain& core, Cycle interval_cycles);
    SlotSeries(const SlotSeries&) = delete;
    SlotSeries& operator=(const SlotSeries&) = delete;

    /// The series alone, with columns "socket0.slots.issued" and "socket0.warp_cycles".
    const SeriesRecorder& series() const { return series_; }
    /// Schedulers of all SMs of a socket.
    std::uint64_t schedulers(unsigned socket) const { return sockets_.at(socket).schedulers; }
    /// Adds a row to the series; slots of all cycles before `now` are charged then.
    void sample(Cycle now);
    /// {"causes": {"issued": "...", ...},
    ///  "sockets": [{"schedulers": 256, "cycles": 900, "issued": 120, ..., "warp_cycles": 9000, "last_warp_cycle":
    ///  700}, ...], "series": as SeriesRecorder::json(), with columns "socket0.slots.issued" and
    ///  "socket0.warp_cycles"}.
    /// Covers the time before the last sample: a socket's causes sum to its schedulers times its cycles, which are of
    /// the SMs' clock. `last_warp_cycle` and the series' intervals are in cycles of the core clock.
    nlohmann::ordered_json json() const;

  private:
    struct Socket {
        const GpuSocket* parts = nullptr;
        std::uint64_t schedulers = 0;
        Cycle cycles = 0; ///< of the SMs' clock, until the last sample
        SlotCounts total;
    };
    const ClockDomain& core_;
    std::vector<Socket> sockets_; ///< does not grow: columns read it
    SeriesRecorder series_;
};

} // namespace numavp
