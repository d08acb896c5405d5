/// Routing of packets through a network: a relation between a packet's router, its target and the channels that it may
/// take next.
#pragma once

#include <vector>

#include "tlm-links/topology/graph/network_graph.h"

namespace numavp {

/// Virtual channels [first, end) of a packet's message class.
struct VcRange {
    unsigned first = 0;
    unsigned end = 0;
};

/// A channel that a packet may take next, and the virtual channels on it that it may use.
struct RouteStep {
    unsigned channel = 0;
    VcRange vcs;
};

/// A leg of a packet's route: minimal routing has one, routing by way of an intermediate router has two.
enum class RouteLeg : unsigned char { to_intermediate, to_destination };

/// Routers that packets may pass straight through: from the end of a channel to another one, past the router's buffers
/// and stages and past the serialisation of the channel.
struct PassThrough {
    struct Pass {
        unsigned in = 0, out = 0; ///< channels; of each channel one pass at most begins and one ends
    };
    std::vector<Pass> passes;
    unsigned virtual_channel = 0; ///< of a message class, the one on which packets pass
    unsigned cycles = 1;          ///< from the end of the one channel to the end of the other
};

/// Result of `Routing::hops` if there is no route.
inline constexpr unsigned kNoWay = ~0U;

/// The routing relation of a topology. Contract (tests/tlm-links/topology): from every router every target that must be
/// reachable is reached in `hops` channels whichever steps are drawn; the dependencies between channels, for each
/// virtual channel, have no circle; if a route has two legs these use different virtual channels.
class Routing {
  public:
    virtual ~Routing() = default;

    /// Steps that a packet at `router` may take next towards another router, `target`. One of them is drawn for each
    /// packet, with equal probability. Empty: there is no route.
    virtual std::vector<RouteStep> steps(unsigned router, unsigned target, RouteLeg leg) const = 0;
    /// Number of channels from `router` to `target` on a minimal route; 0 to itself, kNoWay if there is none.
    virtual unsigned hops(unsigned router, unsigned target) const = 0;
    /// Intermediate routers for a packet that enters at `router` and goes to `target`; empty if routing is minimal.
    virtual std::vector<unsigned> intermediates(unsigned router, unsigned target) const = 0;
    /// Terminals of `endpoint` at which a packet to a terminal of the router `target` may enter; one of them is drawn.
    virtual std::vector<unsigned> entries(unsigned endpoint, unsigned target) const = 0;
    /// True if packets from terminals at the router `from` to those at `to` use an overlay: they go on the leg to an
    /// intermediate, which is their target.
    virtual bool overlaid(unsigned /*from*/, unsigned /*to*/) const { return false; }
    /// Routers that packets of an overlay may pass straight through; null: none.
    virtual const PassThrough* pass_through() const { return nullptr; }
};

} // namespace numavp
