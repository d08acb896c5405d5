/// A machine for bulk transfers: parts, links with a format and a bandwidth each way, and the ways between parts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/transfer/fluid_network.h"
#include "models/transfer/link_format.h"

namespace numavp {

enum class TransferPartKind : std::uint8_t { cpu, gpu, router };

struct TransferPart {
    std::string name;
    TransferPartKind kind = TransferPartKind::router;
};

/// One direction.
struct TransferLink {
    unsigned from = 0, to = 0;
    std::string kind; ///< "nvlink"
    double gbytes_per_s = 1, latency_ns = 0;
    LinkFormat format;
};

class TransferGraph {
  public:
    unsigned add_part(TransferPart part);
    /// Both directions; that of `a` to `b` is the even one, the other the next. `back` may be slower.
    void join(unsigned a, unsigned b, const TransferLink& there, double back_gbytes_per_s);

    /// All links of a kind, both ways; false if there are none.
    bool scale(const std::string& kind, double factor);
    /// Gives all links of a kind the name, latency and format of `other`, and bandwidths times its `gbytes_per_s` and
    /// `back_factor`; false if there are none.
    bool replace(const std::string& kind, const TransferLink& other, double back_factor);

    const std::vector<TransferPart>& parts() const { return parts_; }
    const std::vector<TransferLink>& links() const { return links_; }
    static unsigned reverse(unsigned link) { return link ^ 1U; }

    /// Links of the way with the fewest hops that goes through no GPU; of equal ones that whose first different link
    /// was joined first. Empty if there is none, or both are one.
    std::vector<unsigned> way(unsigned from, unsigned to) const;
    /// What a byte uses of the links along a way, data and requests; resource n is link n. A write's data goes along
    /// with its packets, a read is asked for by the part at the end.
    std::vector<FluidNetwork::Use> uses(const std::vector<unsigned>& way, BulkOperation operation) const;
    double latency_ns(const std::vector<unsigned>& way) const;
    /// GB/s that one copy alone gets; 0 if there are no links.
    double alone_gbytes_per_s(const std::vector<FluidNetwork::Use>& uses) const;
    /// A network whose first resources are the links.
    FluidNetwork network() const;

  private:
    std::vector<TransferPart> parts_;
    std::vector<TransferLink> links_;
};

/// Puts the second's uses behind the first's: a flow over both, as if passed on packet by packet.
std::vector<FluidNetwork::Use> joined_uses(std::vector<FluidNetwork::Use> first,
                                           const std::vector<FluidNetwork::Use>& second);

} // namespace numavp
