/// Routes of the switch between sockets, and counts of the bytes between each pair of sockets.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "models/base/model_part.h"
#include "tlm-links/crossbar.h"

namespace numavp {

/// A request leaves the switch towards its home. Its bytes and those of its response are counted then.
class SwitchRoute final : public RouteIf, public ModelPart {
  public:
    /// `ports`: the sockets and, if there is one, a host as the last port; statistics are of the sockets.
    SwitchRoute(unsigned ports, unsigned sockets)
        : ports_(ports), sockets_(sockets), bytes_(std::size_t{ports} * ports, 0) {}
    unsigned ports() const { return ports_; }
    unsigned egress(unsigned ingress, const Txn& txn) const override {
        bytes_[std::size_t{ingress} * ports_ + txn.home.value] += txn.request_bytes;
        bytes_[std::size_t{txn.home.value} * ports_ + ingress] += txn.response_bytes;
        return txn.home.value;
    }
    std::uint64_t sent_by(unsigned from) const {
        const auto first = bytes_.begin() + std::ptrdiff_t{from} * ports_;
        return std::accumulate(first, first + ports_, std::uint64_t{0});
    }
    void add_statistics(StatGroup& machine) const override;

  private:
    unsigned ports_, sockets_;
    mutable std::vector<std::uint64_t> bytes_; ///< [from * ports + to]
};

} // namespace numavp
