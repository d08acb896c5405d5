/// A network of BookSim's `anynet` topology: routers, the nodes at each and the channels between them, as the file that
/// `network_file` names lists them.
///
/// Each line begins with a router or a node, and goes on with what is joined to it; behind a router's number there may
/// be the latency of the channel in cycles:
///
///     router 0 node 0 node 1 router 1 15 router 2
///     router 1 node 2
///     router 2 node 3
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "communication/import/machine_writer.h"

namespace numavp {

struct AnyNetwork {
    /// Latencies in cycles of the two directions of a channel; 0: not told.
    struct Channel {
        unsigned there = 0, back = 0; ///< from the router of the lower number, and to it
        std::size_t line = 0;         ///< of the file, 1 for the first
    };
    struct Place {
        unsigned router = 0, cycles = 0; ///< latency to the router, 0: not told
    };
    std::map<unsigned, Place> nodes; ///< the router of each node
    std::map<std::pair<unsigned, unsigned>, Channel> channels;
    std::map<unsigned, std::size_t> routers; ///< numbers, with the line that names each first
    std::string file;
};

bool looks_like_any_network(const std::string& text);
/// Parses `text`, the content of `file`. ConfigError with file and line: words that are none of the form, numbers out
/// of range, a node at two routers, a channel from a router to itself, a network of one node or of several parts.
AnyNetwork read_any_network(const std::string& text, const std::string& file);

/// System file of the network: each node a small GPU, so that it makes accesses, each router a part `router`. A cycle
/// of the file is 1 ns, a channel carries a flit of 16 bytes in each. ConfigError if the two directions of a channel
/// differ, which wires of numavp do not.
MachineText make_network_file(const AnyNetwork& network, const std::string& name);
/// The channels, an edge a line: "node0 router0", "router0 router1 15".
std::string edge_list(const AnyNetwork& network);

} // namespace numavp
