/// The way-partition controller: how many ways of a socket's caches are for local lines, how many for remote ones.
///
/// Section 5.1 of the NUMA-aware paper, steps 0 to 5. Each socket has one controller for its L2 and all its L1s.
/// Integers in, integers out and no SystemC, so that an RTL block can take its place. Lazy eviction (a look-up covers
/// all ways whatever the split is) is done by the tag array.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/cache/way_partition_kind.h"

namespace numavp {

class Waves;
struct WaveClock;

/// Counts of a socket since the last sample; each is below 2^48, response_bytes below 2^9.
struct PartitionSample {
    std::uint64_t local_bytes = 0;            ///< bytes that the socket's memory has moved
    std::uint64_t local_capacity_bytes = 0;   ///< bytes that it could have moved
    std::uint64_t outgoing_reads = 0;         ///< read requests sent over the link
    std::uint64_t response_bytes = 0;         ///< bytes of the packet that answers one; 1: the reads are bytes
    std::uint64_t ingress_capacity_bytes = 0; ///< bytes of answers that the lanes that face in now could carry
};

enum class WayDecision : std::uint8_t { none, more_remote, more_local, toward_equal };

/// Contract: the decision depends on nothing but the samples and launches so far; a sample moves at most one way
/// of each cache; each cache keeps at least one way for local and one for remote lines.
class WayPartition {
  public:
    virtual ~WayPartition() = default;
    /// Called when a kernel is launched on an idle machine: goes back to the first split.
    virtual void launch() = 0;
    /// Called once per sample time. Returns the decision, also for caches that are at their limit and do not follow it.
    virtual WayDecision sample(const PartitionSample& sample) = 0;
    /// Ways that cache kind `cache` (an index of WayPartitionParams::caches) gives to local lines; the others
    /// are for remote ones.
    virtual unsigned local_ways(unsigned cache) const = 0;
    /// Adds internal signals to the waveforms, if the implementation has any (an RTL block).
    virtual void watch(Waves&, const std::string& /*scope*/, const WaveClock&) {}
};

/// A split that never changes.
class FixedWayPartition final : public WayPartition {
  public:
    /// ModelError if a cache has fewer than 2 ways or a split leaves no way to one side; so for NumaAwareWayPartition.
    explicit FixedWayPartition(const WayPartitionParams& params);
    void launch() override {}
    WayDecision sample(const PartitionSample&) override { return WayDecision::none; }
    unsigned local_ways(unsigned cache) const override { return local_[cache]; }

  private:
    std::vector<unsigned> local_;
};

/// Section 5.1. Step 0: each side has half of the ways (an odd way is local). Step 1: projects incoming bandwidth as
/// outgoing reads times response size, and compares it with the lanes that face in. Step 2: link saturated, memory not:
/// one way more for remote lines. Step 3: memory saturated, link not: one way more for local lines. Step 4: both
/// saturated: one way toward equal shares (a difference of one is equal). Step 5: neither: no change.
class NumaAwareWayPartition final : public WayPartition {
  public:
    explicit NumaAwareWayPartition(const WayPartitionParams& params);
    void launch() override;
    WayDecision sample(const PartitionSample& sample) override;
    unsigned local_ways(unsigned cache) const override { return local_[cache]; }

  private:
    WayPartitionParams params_;
    std::vector<unsigned> local_;
};

/// ConfigError if the kind is the RTL block and this build has no Verilator.
std::unique_ptr<WayPartition> make_way_partition(WayPartitionKind kind, const WayPartitionParams& params);

} // namespace numavp
