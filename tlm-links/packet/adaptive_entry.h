/// The routing adaptive_entry: chooses the terminal where a processor's request enters the network, by waiting flits.
///
/// Plain C++, one object for each network interface. Among the terminals that `Routing::entries` allows and that have
/// room for the packet, it takes the one with the least product of routers on the path and flits waiting at the
/// terminal, as UGAL compares them. Among equals it takes the shortest paths and draws one of them. As long as a
/// request of a line has no response, further requests of the line to the same endpoint take the same terminal and so
/// stay in order. The network interface can know that, since it sends the requests and receives the responses.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/values/rng.h"
#include "tlm-links/topology/graph/network_graph.h"
#include "tlm-links/topology/graph/routing.h"

namespace numavp {

class AdaptiveEntry {
  public:
    static constexpr unsigned kNone = ~0U;

    /// For `endpoint`, whose terminals have consecutive numbers. `rng` is a stream used by this object alone.
    AdaptiveEntry(const NetworkGraph& graph, const Routing& routing, unsigned endpoint, Rng rng);

    /// A request's packet.
    struct Request {
        std::uint64_t line = 0;
        unsigned target = 0; ///< terminal
        unsigned flits = 1;
    };
    /// Chooses the terminal for `request`; kNone if it has to wait. `room` has the free flits of each terminal of the
    /// endpoint, `most` the capacity of a terminal. The caller must send the request by the terminal that it got.
    unsigned send(const Request& request, const std::vector<unsigned>& room, unsigned most);
    /// Reports the response to a request of `line` to the endpoint of the terminal `from`.
    void answered(std::uint64_t line, unsigned from);
    /// Number of pairs of line and endpoint with requests in flight.
    std::size_t lines() const { return flows_.size(); }

  private:
    struct Way {
        unsigned terminal = 0;
        unsigned routers = 0; ///< on the path to the target's router, both ends included
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
    unsigned first_;                            ///< terminal of the endpoint, the lowest number
    std::vector<std::vector<Way>> ways_;        ///< by the target's router
    std::unordered_map<Key, Flow, Hash> flows_; ///< results do not depend on its order
    std::vector<unsigned> equal_;               ///< terminals to draw from
    Rng rng_;
};

} // namespace numavp
