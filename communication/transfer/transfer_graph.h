/// A machine for bulk transfers: parts, links with a format and a bandwidth each way, and the ways between parts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "communication/transfer/fluid_network.h"
#include "communication/transfer/link_format.h"
#include "tlm-links/topology/graph/best_ways.h"

namespace numavp {

enum class TransferPartKind : std::uint8_t { cpu, gpu, router };

constexpr Transit usual_transit(TransferPartKind kind) {
    return kind == TransferPartKind::cpu   ? Transit::cpu
           : kind == TransferPartKind::gpu ? Transit::endpoint
                                           : Transit::router;
}

struct TransferPart {
    std::string name;
    TransferPartKind kind = TransferPartKind::router;
    Transit transit = usual_transit(kind);
};

/// One direction of a link.
struct TransferLink {
    unsigned from = 0, to = 0;
    std::string kind; ///< "nvlink"
    double gbytes_per_s = 1, latency_ns = 0;
    LinkFormat format;
};

class TransferGraph {
  public:
    unsigned add_part(TransferPart part);
    /// Adds a link with both directions: from `a` to `b` gets an even number, the other the next. `back` may be slower.
    void join(unsigned a, unsigned b, const TransferLink& there, double back_gbytes_per_s);

    /// Multiplies the bandwidth of all links of a kind, both ways; false if there are none.
    bool scale(const std::string& kind, double factor);
    /// Gives all links of a kind the name, latency and format of `other`, and multiplies their bandwidths by its
    /// `gbytes_per_s` and, back, by `back_factor`; false if there are none.
    bool replace(const std::string& kind, const TransferLink& other, double back_factor);

    const std::vector<TransferPart>& parts() const { return parts_; }
    const std::vector<TransferLink>& links() const { return links_; }
    static unsigned reverse(unsigned link) { return link ^ 1U; }

    /// Links of the best way (`BestWays`, by the bandwidths of the links); among equal ones that whose first different
    /// link was joined first. Empty if there is no way, or `from` is `to`.
    std::vector<unsigned> way(unsigned from, unsigned to) const;
    /// True if the best way passes no CPU, and nothing that is no transit.
    bool joined_without_cpu(unsigned from, unsigned to) const;
    /// Resources that a flow along a path uses, for data and requests; resource n is link n. A write's data goes along
    /// the path with its packets; for a read the part at the end sends requests.
    std::vector<FluidNetwork::Use> uses(const std::vector<unsigned>& way, BulkOperation operation) const;
    double latency_ns(const std::vector<unsigned>& way) const;
    /// Bandwidth in GB/s of the slowest link of a way, without its format; 0 if there are no links.
    double narrowest_gbytes_per_s(const std::vector<unsigned>& way) const;
    /// Bandwidth in GB/s of a copy that is alone; 0 if it uses no links.
    double alone_gbytes_per_s(const std::vector<FluidNetwork::Use>& uses) const;
    /// Makes a network whose first resources are the graph's links, in their order.
    FluidNetwork network() const;

  private:
    const BestWays& ways() const;

    std::vector<TransferPart> parts_;
    std::vector<TransferLink> links_;
    mutable std::optional<BestWays> ways_; ///< made when they are asked for, anew after a change
};

/// Uses of a flow over both, as if the part between passed packets on: those of `second` behind those of `first`.
std::vector<FluidNetwork::Use> joined_uses(std::vector<FluidNetwork::Use> first,
                                           const std::vector<FluidNetwork::Use>& second);

} // namespace numavp
