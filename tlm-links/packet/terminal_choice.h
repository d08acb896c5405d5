/// Chooses the terminals by which a packet enters and leaves the network, where endpoints have several.
///
/// A line always takes the same ones between two endpoints: what it draws with is a hash of its address. So its packets
/// stay in order, and lines are spread evenly. Where each slice has a terminal of its own (NetworkGraph::by_slice) the
/// number of the line's slice decides; a slice that has several draws among these.
#pragma once

#include <cstdint>
#include <vector>

#include "tlm-links/topology/graph/network_graph.h"
#include "tlm-links/topology/graph/routing.h"

namespace numavp {

/// A hash of a line's address; all its bits depend on all bits of the line.
std::uint64_t line_hash(std::uint64_t line);

class TerminalChoice {
  public:
    TerminalChoice(const NetworkGraph& graph, const Routing& routing);

    /// Input of the choice: a hash of the line's address, and its slice.
    struct Line {
        std::uint64_t hash = 0;
        unsigned slice = 0;
    };
    /// The terminal of `endpoint` at which a packet of the line leaves the network.
    unsigned exit(unsigned endpoint, const Line& line) const;
    /// The terminal of `endpoint` at which a packet to `target`, a terminal of another endpoint, enters the network.
    unsigned entry(unsigned endpoint, unsigned target, const Line& line) const;

  private:
    unsigned drawn(const std::vector<unsigned>& terminals, const Line& line, unsigned divisor) const;

    const NetworkGraph& graph_;
    /// For each endpoint with several terminals, by target router: terminals that a packet may enter by. Else empty.
    std::vector<std::vector<std::vector<unsigned>>> entries_;
};

} // namespace numavp
