/// A server of bandwidth in exact integers: a fraction of a cycle that an item leaves free is used by the next one.
///
/// 128 B at 24 B a cycle occupy 5 1/3 cycles, and three of them exactly 16. Only the edges that are returned are
/// rounded. Not modelled: arbitration (the caller chooses the next item) and latency.
#pragma once

#include <cstdint>
#include <numeric>

#include "base/values/error.h"
#include "base/values/types.h"

namespace numavp {

/// Serialises items over a capacity of bytes_per_second / clock bytes a cycle, any rational number.
///
/// One unit of work is 1/gcd of a byte: a byte costs `byte_cost_` units and a cycle gives `cycle_units_`, the
/// terms of the reduced fraction clock : bytes_per_second. The server is occupied until the instant
/// `cycle_ + used_ / cycle_units_`. Items are up to 1 MiB and clocks up to 1 THz, which keeps all products
/// below 2^63.
class BandwidthServer {
  public:
    /// Both must be above 0, else ModelError: a configuration is checked before it gets here.
    BandwidthServer(std::uint64_t bytes_per_second, std::uint64_t clock_khz) { set_rate(bytes_per_second, clock_khz); }

    /// Occupies the server with `bytes` from `now` on, or from the end of the items taken before if that is later.
    /// Returns the edge at which the last byte has left (the finish rounded up).
    Cycle take(Cycle now, unsigned bytes) {
        if (now > cycle_) {
            cycle_ = now;
            used_ = 0;
        }
        taken_ += bytes;
        used_ += bytes * byte_cost_;
        if (used_ >= 8 * cycle_units_) {
            cycle_ += used_ / cycle_units_; // NOLINT(clang-analyzer-core.DivideZero): set_rate() keeps it above 0
            used_ %= cycle_units_;
        }
        for (; used_ >= cycle_units_; used_ -= cycle_units_) ++cycle_; // few: cheaper than a division
        return cycle_ + (used_ != 0);
    }

    /// First edge at which the next item may start (the finish rounded down): an item taken at that edge
    /// begins in mid-cycle, just behind the last one. An arbiter that is woken then loses no bandwidth.
    Cycle free_at() const { return cycle_; }

    /// Bytes taken so far.
    std::uint64_t taken_bytes() const { return taken_; }

    /// Bytes that have left by edge `now`, rounded down. In any span of cycles these are at most its capacity, so busy
    /// over available never exceeds 1.
    std::uint64_t busy_bytes(Cycle now) const {
        if (now > cycle_ || (now == cycle_ && used_ == 0)) return taken_;
        const std::uint64_t left = (cycle_ - now) * cycle_units_ + used_;
        return taken_ - (left + byte_cost_ - 1) / byte_cost_;
    }

    /// Capacity of `cycles` cycles in bytes, rounded down; cycles * bytes_per_second must be below 2^64.
    std::uint64_t capacity_bytes(Cycle cycles) const { return cycles * cycle_units_ / byte_cost_; }

  protected:
    void set_rate(std::uint64_t bytes_per_second, std::uint64_t clock_khz) {
        const std::uint64_t hertz = clock_khz * 1000;
        if (bytes_per_second == 0 || hertz == 0) throw ModelError("a bandwidth server needs a capacity and a clock");
        const std::uint64_t common = std::gcd(bytes_per_second, hertz);
        cycle_units_ = bytes_per_second / common;
        byte_cost_ = hertz / common;
    }
    /// What is left of the last item's final cycle is not used. Returns the edge from which the next item may start.
    Cycle end_cycle() {
        if (used_ != 0) ++cycle_;
        used_ = 0;
        return cycle_;
    }

  private:
    Cycle cycle_ = 0;               ///< edge in or before which the last item ends
    std::uint64_t used_ = 0;        ///< units of that cycle that are used, below cycle_units_
    std::uint64_t cycle_units_ = 1; ///< units that a cycle gives
    std::uint64_t byte_cost_ = 1;   ///< units that a byte costs
    std::uint64_t taken_ = 0;       ///< bytes
};

/// A server whose capacity changes, as that of a link's direction does when lanes turn.
class AdjustableServer : public BandwidthServer {
  public:
    AdjustableServer(std::uint64_t bytes_per_second, std::uint64_t clock_khz)
        : BandwidthServer(bytes_per_second, clock_khz), clock_khz_(clock_khz) {}
    /// Changes the capacity for the items to come. Items that were taken keep their finish; the rest of the last one's
    /// final cycle is not used.
    void set_capacity(std::uint64_t bytes_per_second) {
        since_ = end_cycle();
        set_rate(bytes_per_second, clock_khz_);
    }
    /// At a change of capacity all bytes taken before count as having left.
    std::uint64_t busy_bytes(Cycle now) const { return BandwidthServer::busy_bytes(now > since_ ? now : since_); }

  private:
    std::uint64_t clock_khz_;
    Cycle since_ = 0; ///< edge from which the present capacity holds
};

} // namespace numavp
