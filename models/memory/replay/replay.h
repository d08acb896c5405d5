/// Feeds a stream of requests to a memory device and measures it.
///
/// In order. Each cycle of the DRAM clock the head of the stream is offered; it is taken if fewer requests of its kind
/// than the window are outstanding and the controller has room, else it blocks those behind it. A cube takes up to one
/// request a link each cycle. A request with a time of arrival is offered then or later. Latency is from acceptance to
/// the end of the data, or of a cube's response.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "models/memory/dram/controller.h"
#include "models/memory/dram/device.h"

namespace numavp {

/// Requests; each is an address with bit 63 set for a write.
using MemoryStream = std::vector<std::uint64_t>;
/// DRAM cycles before which requests are not offered, in their order and never falling.
using ArrivalTimes = std::vector<std::uint64_t>;
inline constexpr std::uint64_t kStreamWrite = std::uint64_t{1} << 63;

/// Exact counts of each latency.
class LatencyCounts {
  public:
    void add(std::uint64_t value) {
        ++count_;
        sum_ += value;
        if (value >= kDense)
            ++rare_[value];
        else {
            if (value >= counts_.size()) counts_.resize(2 * value + 1);
            ++counts_[value];
        }
    }
    std::uint64_t count() const { return count_; }
    /// The next three are 0 if there is no value.
    double mean() const { return count_ == 0 ? 0.0 : static_cast<double>(sum_) / static_cast<double>(count_); }
    std::uint64_t min() const { return at_rank(1); }
    /// The smallest value that at least `percent` % of all values do not exceed.
    std::uint64_t percentile(unsigned percent) const { return at_rank((count_ * percent + 99) / 100); }

  private:
    static constexpr std::uint64_t kDense = 1 << 20;
    std::uint64_t at_rank(std::uint64_t rank) const;

    std::vector<std::uint64_t> counts_;
    std::map<std::uint64_t, std::uint64_t> rare_;
    std::uint64_t count_ = 0, sum_ = 0;
};

struct ReplayWindows {
    unsigned reads = 64, writes = 64;
};

struct ReplayResult {
    std::uint64_t reads = 0, writes = 0;
    std::uint64_t bytes = 0;
    LatencyCounts read_latency; ///< in units of `unit_ns`
    double unit_ns = 0.0;
    double time_ns = 0.0; ///< from 0 to the last completion
    MemoryCounts counts;

    double gbytes_per_s() const { return time_ns > 0.0 ? static_cast<double>(bytes) / time_ns : 0.0; }
    /// Column accesses whose row had been opened for an earlier access.
    double row_hits() const;
};

/// Replays a stream; addresses must be below the device's capacity. `observers` receive the commands of each channel or
/// vault; empty, or one for each. `arrivals`: empty, or one for each request.
ReplayResult replay(const MemoryDeviceConfig& device, const MemoryStream& stream, const ReplayWindows& windows,
                    const std::vector<CommandObserver*>& observers = {}, const ArrivalTimes& arrivals = {});

} // namespace numavp
