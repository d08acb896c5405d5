/// Feeds a stream of requests to a memory device and measures it.
///
/// In order. Each cycle of the DRAM clock the head of the stream is offered; it is taken when fewer than the window of
/// its kind are outstanding and the controller has room, else it blocks what follows. A cube takes up to one request a
/// link each cycle. Latency is from acceptance to the end of the data, at a cube's links to the end of the response.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "models/memory/controller.h"
#include "models/memory/device.h"

namespace numavp {

/// An address and, in bit 63, whether it is a write.
using MemoryStream = std::vector<std::uint64_t>;
inline constexpr std::uint64_t kStreamWrite = std::uint64_t{1} << 63;

/// How often each latency occurred, exactly.
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
    /// The least value that `percent` % of all do not exceed.
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
    /// Column accesses that found their row open for an earlier one.
    double row_hits() const;
};

/// Addresses are below the device's capacity. `observers` watch the commands of each channel or vault; none, or one
/// each.
ReplayResult replay(const MemoryDeviceConfig& device, const MemoryStream& stream, const ReplayWindows& windows,
                    const std::vector<CommandObserver*>& observers = {});

} // namespace numavp
