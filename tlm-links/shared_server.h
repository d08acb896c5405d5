/// A bandwidth that several outputs share, in the order in which they come.
///
/// An output reserves its packet's place behind those of the others and takes no other packet before that has begun:
/// so nobody waits longer than one packet of each other output, and no capacity is lost while somebody has work.
#pragma once

#include "models/base/bandwidth_server.h"
#include "models/base/clockwork.h"

namespace numavp {

class SharedServer {
  public:
    SharedServer(std::uint64_t bytes_per_s, ClockDomain& domain)
        : server_(bytes_per_s, domain.khz()), domain_(domain) {}

    /// Reserves `bytes` and returns the edge at which the last of them has passed.
    Cycle take(unsigned bytes) { return server_.take(domain_.now(), bytes); }
    /// First edge at which who has taken last may take again.
    Cycle free_at() const { return server_.free_at(); }

  private:
    BandwidthServer server_;
    ClockDomain& domain_;
};

} // namespace numavp
