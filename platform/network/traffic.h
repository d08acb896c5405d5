/// Traffic of a network under test: sources and destinations of packets, and their rates.
#pragma once

#include <string>
#include <vector>

#include "base/values/name_table.h"
#include "base/values/rng.h"
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

/// A share of the traffic, from one endpoint to another.
struct Flow {
    unsigned from = 0;
    unsigned to = 0;
    double weight = 1.0;
};

/// The flows of a named traffic; ConfigError at `place` if it does not exist in this network.
std::vector<Flow> flows_of(TrafficKind kind, const NetworkGraph& graph, const std::string& place);

/// Reads flows from a file, one a line: `from,to,weight` with the names of endpoints; `#` begins a comment, and a first
/// line of these three words is skipped. Blanks around fields, quotes and a byte order mark are ignored, as
/// spreadsheets write them. ConfigError with file and line.
std::vector<Flow> read_flows(const std::string& path, const NetworkGraph& graph);

/// Flows distributed over terminals: a packet enters by one that routing allows and leaves by one of the other
/// endpoint's, each with equal probability.
class NetworkTraffic {
  public:
    NetworkTraffic(const NetworkGraph& graph, const Routing& routing, const std::vector<Flow>& flows);

    /// Terminals that send packets.
    const std::vector<unsigned>& sources() const { return sources_; }
    /// Number of terminals of all endpoints that begin traffic; a rate is the mean over these.
    unsigned requester_terminals() const { return requester_terminals_; }
    /// A terminal's rate as a multiple of the mean rate; 0 for terminals that do not send.
    double share(unsigned terminal) const { return from_[terminal].share; }
    /// Draws the target terminal of a packet from `source`.
    unsigned draw(unsigned source, Rng& rng) const;
    /// Means over all traffic for uncontended packets: latency, and routers on the path.
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

/// Latency of an uncontended packet of `flits` flits from one terminal to another, and the routers on its path.
struct IdleWay {
    unsigned cycles = 0;
    unsigned routers = 0;
};
IdleWay idle_way(const NetworkGraph& graph, const Routing& routing, unsigned source, unsigned target, unsigned flits);

} // namespace numavp
