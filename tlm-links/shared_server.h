/// A bandwidth that several arbiters share, in the order in which they asked.
#pragma once

#include <algorithm>
#include <vector>

#include "models/base/bandwidth_server.h"
#include "models/base/clockwork.h"

namespace numavp {

class SharedServer {
  public:
    SharedServer(std::uint64_t bytes_per_s, ClockDomain& domain)
        : server_(bytes_per_s, domain.khz()), domain_(domain) {}

    /// True if `who` may take an item now; else it stands in line and is woken.
    bool grant(Arbiter& who) {
        const bool free = server_.free_at() <= domain_.now();
        if (free && (line_.empty() || line_.front() == &who)) {
            if (!line_.empty()) line_.erase(line_.begin());
            return true;
        }
        if (std::find(line_.begin(), line_.end(), &who) == line_.end()) line_.push_back(&who);
        who.wake_at(server_.free_at());
        return false;
    }
    /// `who` has nothing to send now.
    void leave(Arbiter& who) {
        if (!line_.empty()) line_.erase(std::remove(line_.begin(), line_.end(), &who), line_.end());
    }
    void take(unsigned bytes) { server_.take(domain_.now(), bytes); }

  private:
    BandwidthServer server_;
    ClockDomain& domain_;
    std::vector<Arbiter*> line_;
};

} // namespace numavp
