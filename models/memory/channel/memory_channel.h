/// Interface of a memory channel behind L2 slices, with the part that all variants share.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <tlm>

#include "base/stats/model_part.h"
#include "base/values/types.h"
#include "models/memory/channel/channel_config.h"
#include "tlm-links/protocol/channel_counts.h"

namespace numavp {

/// Contract: answers every request with TLM_OK_RESPONSE; a request takes its `channel_bytes()` of a bandwidth.
class MemoryChannel : public ModelPart {
  public:
    /// `index` is the channel's number in its socket.
    explicit MemoryChannel(unsigned index) : index_(index) {}
    virtual ~MemoryChannel() = default;
    MemoryChannel(const MemoryChannel&) = delete;
    MemoryChannel& operator=(const MemoryChannel&) = delete;
    virtual tlm::tlm_target_socket<>& port(unsigned i) = 0;
    virtual const ChannelCounts& counts() const = 0;
    /// Number of rows opened; 0 for a channel without rows.
    virtual std::uint64_t activates() const { return 0; }
    /// Bytes that have passed so far; and the bytes that could pass in a number of cycles.
    virtual std::uint64_t busy_bytes() const = 0;
    virtual std::uint64_t capacity_bytes(Cycle cycles) const = 0;
    /// Number of requests that wait; and one of them, or null.
    virtual unsigned held() const = 0;
    virtual const Txn* sample_held() const = 0;
    /// Accesses bytes of a line behind the channel, in no time; functional runs only.
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

/// Registers the totals of a socket's memory. A memory that keeps its own counts, such as a foreign one, adds zeros, so
/// that every socket has all totals.
void add_memory_totals(StatGroup& owner, const ChannelCounts& counts);
void add_memory_columns(SeriesGroup& owner, std::function<std::uint64_t()> busy_bytes);

} // namespace numavp
