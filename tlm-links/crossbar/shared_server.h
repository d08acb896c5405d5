/// A bandwidth that several outputs share, first come, first served.
///
/// An output reserves room for its packet behind the packets of the others, and takes its next packet only when this
/// one has begun. So no output waits longer than one packet of each other, and no capacity is lost while one has work.
#pragma once

#include "base/time/bandwidth_server.h"
#include "base/time/clockwork.h"

namespace numavp {

class SharedServer {
  public:
    SharedServer(std::uint64_t bytes_per_s, ClockDomain& domain)
        : server_(bytes_per_s, domain.khz()), domain_(domain) {}

    /// Reserves `bytes` and returns the edge at which the last of them has passed.
    Cycle take(unsigned bytes) { return server_.take(domain_.now(), bytes); }
    /// First edge at which the output that called take() last may call it again.
    Cycle free_at() const { return server_.free_at(); }

  private:
    BandwidthServer server_;
    ClockDomain& domain_;
};

} // namespace numavp
