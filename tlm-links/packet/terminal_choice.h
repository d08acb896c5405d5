/// By which terminals packets of a network interface enter the network and leave it, where endpoints have several.
///
/// A line always takes the same ones between two endpoints: what it draws with is a hash of its address. So its packets
/// stay in order, and lines are spread evenly. Where each slice has a terminal of its own (NetworkGraph::by_slice) the
/// number of the line's slice decides.
#pragma once

#include <cstdint>
#include <vector>

#include "tlm-links/topology/network_graph.h"
#include "tlm-links/topology/routing.h"

namespace numavp {

/// A hash of a line's address; all its bits depend on all bits of the line.
std::uint64_t line_hash(std::uint64_t line);

class TerminalChoice {
  public:
    TerminalChoice(const NetworkGraph& graph, const Routing& routing);

    /// What of a packet's line decides: a hash of its address, and its slice.
    struct Line {
        std::uint64_t hash = 0;
        unsigned slice = 0;
    };
    /// The terminal of `endpoint` to which a packet of the line goes.
    unsigned exit(unsigned endpoint, const Line& line) const;
    /// The terminal of `endpoint` by which a packet to `target` enters, a terminal of another endpoint.
    unsigned entry(unsigned endpoint, unsigned target, const Line& line) const;

  private:
    unsigned drawn(const std::vector<unsigned>& terminals, const Line& line, unsigned divisor) const;

    const NetworkGraph& graph_;
    /// Of each endpoint with several terminals, by router: those by which it may enter. Empty: it has one.
    std::vector<std::vector<std::vector<unsigned>>> entries_;
    mutable unsigned turns_ = 0; ///< of a fault
};

} // namespace numavp
