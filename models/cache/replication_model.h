/// The model-driven replication evaluator: whether the next epoch replicates read-only shared lines.
///
/// NUBA, section 5.1: estimates the bandwidth that a partition's SMs would see without and with full replication, and
/// takes the higher. Fixed point, bit for bit as rtl/replication_model.sv: fractions have `fraction_bits` bits after
/// the point, divisions and products are truncated. Integers in, integers out and no SystemC.
#pragma once

#include <cstdint>

namespace numavp {

/// Counts of an epoch for one case (with or without replication), measured or estimated by set sampling. A part is at
/// most its whole; a fraction of a zero count is zero.
struct ReplicationProfile {
    std::uint64_t lookups = 0; ///< of the LLC
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    std::uint64_t requests = 0; ///< of the SMs
    std::uint64_t local_requests = 0;
    std::uint64_t remote_requests = 0;
};

/// Raw bandwidths of a partition, all in one unit.
struct ReplicationBandwidths {
    std::uint64_t llc = 0;
    std::uint64_t memory = 0;
    std::uint64_t noc = 0;
};

struct ReplicationEstimate {
    std::uint64_t bandwidth_none = 0; ///< without replication, in the unit of the raw ones
    std::uint64_t bandwidth_full = 0; ///< with full replication
    bool replicate = false;           ///< full is higher; equal does not replicate
};

/// Widths of counts, fractions after the point, and raw bandwidths; 1 to 24 bits each.
struct ReplicationWidths {
    unsigned count_bits = 24;
    unsigned fraction_bits = 24;
    unsigned bandwidth_bits = 24;
};

/// From start to both bandwidths: 4 divisions of a cycle a quotient bit, 4 multiplications of 3 cycles, 2 additions
/// and 2 minima (section 5.1, footnote 1: 116). The comparison of the two takes one cycle more.
constexpr unsigned replication_cycles(const ReplicationWidths& widths = {}) {
    return 4 * (widths.fraction_bits + 1) + 4 * 3 + 2 + 2;
}
inline constexpr unsigned kReplicationDecisionCycles = replication_cycles() + 1;

class ReplicationModel {
  public:
    /// ModelError if a width is out of range, and later if an input exceeds its width or a part its whole.
    explicit ReplicationModel(const ReplicationWidths& widths = {});
    ReplicationEstimate evaluate(const ReplicationProfile& none, const ReplicationProfile& full,
                                 const ReplicationBandwidths& raw) const;

  private:
    void check(const ReplicationProfile& profile) const;
    std::uint64_t fraction(std::uint64_t part, std::uint64_t whole) const;
    std::uint64_t times(std::uint64_t fraction, std::uint64_t bandwidth) const;
    std::uint64_t without_replication(const ReplicationProfile& profile, const ReplicationBandwidths& raw) const;
    std::uint64_t with_replication(const ReplicationProfile& profile, const ReplicationBandwidths& raw) const;

    ReplicationWidths widths_;
};

} // namespace numavp
