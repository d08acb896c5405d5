/// The way-partition controller: how many ways of a socket's caches hold local lines, how many remote ones.
///
/// Section 5.1 of the NUMA-aware paper, steps 0 to 5. One controller a socket drives its L2 and all its L1s.
/// Integers in, integers out and no SystemC, so that an RTL block can stand in. Lazy eviction, that is that all
/// ways are looked up whatever their group, is the tag array's.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/cache/way_partition_kind.h"

namespace numavp {

class Waves;
struct WaveClock;

/// What a socket has counted since the last sample; counts are below 2^48, response_bytes below 2^9.
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
    /// A kernel is launched on an idle machine: back to the first split.
    virtual void launch() = 0;
    /// Called once a sample time. Returns the verdict, though a cache at its limit does not follow it.
    virtual WayDecision sample(const PartitionSample& sample) = 0;
    /// Ways that cache kind `cache` (an index of WayPartitionParams::caches) gives to local lines; the others
    /// are for remote ones.
    virtual unsigned local_ways(unsigned cache) const = 0;
    /// Shows its inside among the waveforms, if it has one that lends itself to it.
    virtual void watch(Waves&, const std::string& /*scope*/, const WaveClock&) {}
};

/// A split that never changes.
class FixedWayPartition final : public WayPartition {
  public:
    /// ModelError if a cache has fewer than 2 ways or a split leaves nothing to one side; so below.
    explicit FixedWayPartition(const WayPartitionParams& params);
    void launch() override {}
    WayDecision sample(const PartitionSample&) override { return WayDecision::none; }
    unsigned local_ways(unsigned cache) const override { return local_[cache]; }

  private:
    std::vector<unsigned> local_;
};

/// Section 5.1. Step 0: half of the ways each (an odd way is local). Step 1: projected incoming bandwidth is
/// outgoing reads times response size, against the lanes that face in. Step 2: link saturated, memory not: one
/// way to remote. Step 3: memory saturated, link not: one way to local. Step 4: both: one way toward equal
/// (apart by one is equal). Step 5: neither: nothing.
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

/// ConfigError for an RTL one in a build that has none.
std::unique_ptr<WayPartition> make_way_partition(WayPartitionKind kind, const WayPartitionParams& params);

} // namespace numavp
