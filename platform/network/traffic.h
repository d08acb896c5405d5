/// Who sends packets to whom in a network under test, and how often.
#pragma once

#include <string>
#include <vector>

#include "models/base/name_table.h"
#include "models/base/rng.h"
#include "tlm-links/topology/topology.h"

namespace numavp {

enum class TrafficKind : unsigned char { uniform, neighbour, complement, tornado, transpose, bad_permutation };
inline constexpr NameTable<TrafficKind> kTraffics{
    "traffic",
    {{TrafficKind::uniform, "uniform", "Everybody to all memories, or to all nodes, himself included."},
     {TrafficKind::neighbour, "neighbour", "GPU g to the cubes of GPU g + 1."},
     {TrafficKind::complement, "complement", "GPU g to the cubes of GPU n - 1 - g; node to its bit complement."},
     {TrafficKind::tornado, "tornado", "Node to the one half the dimension less one farther, in both dimensions."},
     {TrafficKind::transpose, "transpose", "Node (x, y) to node (y, x)."},
     {TrafficKind::bad_permutation, "bad-permutation", "Nodes of row y to all nodes of column y."}}};

/// A share of the traffic: from an endpoint to another.
struct Flow {
    unsigned from = 0;
    unsigned to = 0;
    double weight = 1.0;
};

/// The flows of a named traffic; ConfigError at `place` if the network has no such.
std::vector<Flow> flows_of(TrafficKind kind, const NetworkGraph& graph, const std::string& place);

/// The flows of a file, a line each: `from,to,weight` with the names of endpoints, `#` begins a comment. ConfigError
/// with file and line.
std::vector<Flow> read_flows(const std::string& path, const NetworkGraph& graph);

/// The flows split among terminals: by which a packet enters, as routing allows, and at which of the other endpoint's
/// it leaves, all alike.
class NetworkTraffic {
  public:
    NetworkTraffic(const NetworkGraph& graph, const Routing& routing, const std::vector<Flow>& flows);

    /// Terminals that send.
    const std::vector<unsigned>& sources() const { return sources_; }
    /// Terminals of all who begin traffic, the ones over which a rate is the mean.
    unsigned requester_terminals() const { return requester_terminals_; }
    /// What a terminal sends of the mean rate; 0 for those that send nothing.
    double share(unsigned terminal) const { return from_[terminal].share; }
    /// Draws the terminal to which a packet of `source` goes.
    unsigned draw(unsigned source, Rng& rng) const;
    /// Latency of a packet of `flits` that meets nobody, and the routers that it passes, over all traffic.
    struct ZeroLoad {
        double latency_cycles = 0;
        double routers = 0;
    };
    ZeroLoad zero_load(const NetworkGraph& graph, const Routing& routing, unsigned flits, bool backwards) const;

  private:
    struct Source {
        double share = 0;
        bool alike = true; ///< all targets are as likely
        std::vector<unsigned> targets;
        std::vector<double> below; ///< sums of weights up to and with each target
    };
    std::vector<Source> from_; ///< of each terminal
    std::vector<unsigned> sources_;
    unsigned requester_terminals_ = 0;
};

/// Cycles of a packet of `flits` from one terminal to another if it meets nobody, and the routers on its way.
struct IdleWay {
    unsigned cycles = 0;
    unsigned routers = 0;
};
IdleWay idle_way(const NetworkGraph& graph, const Routing& routing, unsigned source, unsigned target, unsigned flits);

} // namespace numavp
