/// The routing adaptive_entry: a processor's request enters the network where its way has the least waiting.
///
/// Plain C++, one for each network interface. Of the terminals that `Routing::entries` allows and that have room for
/// the packet, that one is taken whose routers on the way, times the flits that wait at the terminal, are fewest: what
/// UGAL compares. Among equals the shortest ways count, and among these one is drawn. While a request of a line has no
/// response, further ones of the line to the same endpoint enter where it did, so that they stay in order; whoever
/// sends requests and takes responses can know that.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/base/rng.h"
#include "tlm-links/topology/network_graph.h"
#include "tlm-links/topology/routing.h"

namespace numavp {

class AdaptiveEntry {
  public:
    static constexpr unsigned kNone = ~0U;

    /// Of `endpoint`, whose terminals are numbered side by side. `rng` is its own stream.
    AdaptiveEntry(const NetworkGraph& graph, const Routing& routing, unsigned endpoint, Rng rng);

    /// The packet of a request.
    struct Request {
        std::uint64_t line = 0;
        unsigned target = 0; ///< terminal
        unsigned flits = 1;
    };
    /// The terminal by which `request` enters now; kNone if it has to wait. `room` has the free flits of each terminal
    /// of the endpoint, of `most` in all. A request that has got a terminal must be sent by it.
    unsigned send(const Request& request, const std::vector<unsigned>& room, unsigned most);
    /// A request of `line` to the endpoint of the terminal `from` has its response.
    void answered(std::uint64_t line, unsigned from);
    /// Lines on their way.
    std::size_t lines() const { return flows_.size(); }

  private:
    struct Way {
        unsigned terminal = 0;
        unsigned routers = 0; ///< to the target's, both ends included
    };
    struct Key {
        std::uint64_t line;
        unsigned endpoint;
        bool operator==(const Key& o) const { return line == o.line && endpoint == o.endpoint; }
    };
    struct Hash {
        std::size_t operator()(const Key& key) const { return mix64(key.line + key.endpoint); }
    };
    struct Flow {
        unsigned terminal = 0;
        unsigned requests = 0;
    };
    unsigned choose(const Request& request, const std::vector<unsigned>& room, unsigned most);

    const NetworkGraph& graph_;
    unsigned first_;                            ///< terminal of the endpoint
    std::vector<std::vector<Way>> ways_;        ///< by router of the target
    std::unordered_map<Key, Flow, Hash> flows_; ///< nothing depends on their order
    std::vector<unsigned> equal_;               ///< terminals to draw from
    Rng rng_;
};

} // namespace numavp
