/// The bandwidth of one direction of a link: a server alone, or with errors and a retry buffer. Plain C++.
#pragma once

#include <memory>

#include "base/time/bandwidth_server.h"
#include "tlm-links/retry/retry_line.h"

namespace numavp {

/// Totals of one direction.
struct DirectionCounts {
    std::uint64_t request_packets = 0;
    std::uint64_t response_packets = 0;
    std::uint64_t bytes = 0; ///< of packets, each counted once
};

class LinkLine {
  public:
    LinkLine(std::uint64_t bytes_per_second, std::uint64_t clock_khz) : server_(bytes_per_second, clock_khz) {}
    /// Before the first packet: from now on packets are sent again after errors.
    void set_retry(std::unique_ptr<RetryLine> retry) { retry_ = std::move(retry); }
    const RetryLine* retry() const { return retry_.get(); }

    /// First edge at which the next packet may start, asked at `now`.
    Cycle free_at(Cycle now) const { return retry_ ? retry_->free_at(now) : server_.free_at(); }
    /// First edge at which all packets taken have left for the last time.
    Cycle settled_at() const { return retry_ ? retry_->settled_at() : server_.free_at(); }
    /// Takes a packet; the edge at which it has left without an error.
    Cycle take(Cycle now, unsigned bytes) { return retry_ ? retry_->take(now, bytes) : server_.take(now, bytes); }
    void set_capacity(std::uint64_t bytes_per_second) {
        server_.set_capacity(bytes_per_second);
        if (retry_) retry_->set_speed(bytes_per_second);
    }
    /// Bytes that have left by `now`, those sent again too.
    std::uint64_t busy_bytes(Cycle now) const { return retry_ ? retry_->busy_units(now) : server_.busy_bytes(now); }
    std::uint64_t capacity_bytes(Cycle cycles) const { return server_.capacity_bytes(cycles); }

  private:
    AdjustableServer server_; ///< with a retry line, only its capacity is used
    std::unique_ptr<RetryLine> retry_;
};

} // namespace numavp
