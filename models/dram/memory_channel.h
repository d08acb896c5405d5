/// What stands behind the slices of a memory channel, and what all variants have in common.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <tlm>

#include "models/base/model_part.h"
#include "models/base/types.h"
#include "models/dram/channel_config.h"
#include "tlm-links/channel_counts.h"

namespace numavp {

/// Contract: every request is answered with TLM_OK_RESPONSE, and costs its `channel_bytes()` of a bandwidth.
class MemoryChannel : public ModelPart {
  public:
    /// `index`: of the channel in its socket.
    explicit MemoryChannel(unsigned index) : index_(index) {}
    virtual ~MemoryChannel() = default;
    MemoryChannel(const MemoryChannel&) = delete;
    MemoryChannel& operator=(const MemoryChannel&) = delete;
    virtual tlm::tlm_target_socket<>& port(unsigned i) = 0;
    virtual const ChannelCounts& counts() const = 0;
    /// Rows opened, where there are any.
    virtual std::uint64_t activates() const { return 0; }
    /// Bytes that have passed so far, and what could have passed in so many cycles.
    virtual std::uint64_t busy_bytes() const = 0;
    virtual std::uint64_t capacity_bytes(Cycle cycles) const = 0;
    /// Requests that wait, and one of them or null.
    virtual unsigned held() const = 0;
    virtual const Txn* sample_held() const = 0;
    /// Bytes of a line behind it, without time; of functional runs.
    virtual void debug(std::uint64_t address, unsigned char* bytes, unsigned count, bool write) = 0;

    void add_statistics(StatGroup& owner) const override;
    void add_series(SeriesGroup& owner) const override;
    void add_waves(WaveSet& waves, const std::string& owner) override;
    std::string holding() const override;

  protected:
    unsigned index() const { return index_; }

  private:
    unsigned index_;
};

/// The totals of a socket's memory. What counts for itself elsewhere, such as a foreign memory, adds zeros, so that a
/// socket has them all the same.
void add_memory_totals(StatGroup& owner, const ChannelCounts& counts);
void add_memory_columns(SeriesGroup& owner, std::function<std::uint64_t()> busy_bytes);

} // namespace numavp
