/// What stands behind the slices of a memory channel, and what all variants have in common.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <tlm>

#include "models/base/model_part.h"
#include "models/base/name_table.h"
#include "models/base/types.h"
#include "tlm-links/channel_counts.h"

namespace numavp {

enum class MemoryModel : std::uint8_t { channel, axi4_rtl, timed };

inline constexpr NameTable<MemoryModel> kMemoryModels{
    "memory model",
    {{MemoryModel::channel, "channel", "A bandwidth, a latency and queues, in C++."},
     {MemoryModel::axi4_rtl, "axi4_rtl", "The same bandwidth and latency in Verilated RTL behind AXI4, a bridge each."},
     {MemoryModel::timed, "timed", "DRAM with banks, rows and a scheduler: the device that `device` describes."}}};

struct ChannelConfig {
    unsigned ports = 1;
    std::uint64_t bytes_per_s = 24'000'000'000;
    unsigned latency_cycles = 100; ///< from the end of a request's transfer slot to its response
    unsigned queue_depth = 64;     ///< requests that each port holds (NUBA, Table 1: 64 entries a queue)
    unsigned wire_depth = 256;     ///< responses on their way
};

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

  private:
    unsigned index_;
};

/// The totals of a socket's memory. What counts for itself elsewhere, such as a foreign memory, adds zeros, so that a
/// socket has them all the same.
void add_memory_totals(StatGroup& owner, const ChannelCounts& counts);
void add_memory_columns(SeriesGroup& owner, std::function<std::uint64_t()> busy_bytes);

} // namespace numavp
