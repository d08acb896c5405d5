/// Configuration of clock crossings as data: one struct, one field list (base/config/config.h).
#pragma once

namespace numavp {

struct CrossingConfig {
    unsigned edges = 1; ///< of the receiving clock, after the first one that follows an arrival
    unsigned depth = 64;

    /// Bound on the edges of the receiving clock from an arrival to its sight.
    unsigned idle_edges() const { return edges + 1; }
};

template <class V> void describe(V& v, CrossingConfig& c) {
    v.integer("edges", c.edges, 1, 32, "edges",
              "Edges of the receiving clock between the first one after an arrival and the one at which it is seen. A "
              "choice: the second flip-flop of a synchroniser takes what the first one took an edge before.");
    v.integer("depth", c.depth, 1, 65535, "packets",
              "Places of each direction. A place is free again when the news that it was read has come back through "
              "the synchroniser of the other direction. A choice: 8 packets a cycle, the most that a link takes of "
              "requests, over both synchronisers, twice.");
}

} // namespace numavp
