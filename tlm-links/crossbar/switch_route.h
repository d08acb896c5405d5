/// Routes of the switch between sockets, and counts of the bytes between each pair of sockets, or of each in a larger
/// system.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "base/stats/model_part.h"
#include "tlm-links/crossbar/crossbar.h"

namespace numavp {

/// A request leaves the switch towards its home. Its bytes and those of its response are counted then.
class SwitchRoute final : public RouteIf, public ModelPart {
  public:
    /// `ports`: the sockets and, if there is one, a host as the last port; statistics are of the sockets.
    SwitchRoute(unsigned ports, unsigned sockets)
        : ports_(ports), sockets_(sockets), pairs_(sockets <= kMaxPairedSockets), counts_(pairs_ ? ports : 1),
          bytes_(std::size_t{ports} * counts_, 0) {}
    unsigned ports() const { return ports_; }
    /// From now on several workers ask at a time. Their sums do not depend on the order in which they count.
    void share() { shared_ = true; }
    unsigned egress(unsigned ingress, const Txn& txn) const override {
        count(bytes_[at(ingress, txn.home.value)], txn.request_bytes);
        count(bytes_[at(txn.home.value, ingress)], txn.response_bytes);
        return txn.home.value;
    }
    std::uint64_t sent_by(unsigned from) const {
        const auto first = bytes_.begin() + std::ptrdiff_t{from} * counts_;
        return std::accumulate(first, first + counts_, std::uint64_t{0});
    }
    void add_statistics(StatGroup& machine) const override;

  private:
    void count(std::uint64_t& bytes, std::uint64_t more) const {
        if (__builtin_expect(shared_, 0))
            __atomic_fetch_add(&bytes, more, __ATOMIC_RELAXED);
        else
            bytes += more;
    }
    std::size_t at(unsigned from, unsigned to) const { return std::size_t{from} * counts_ + (pairs_ ? to : 0); }

    unsigned ports_, sockets_;
    bool shared_ = false;
    bool pairs_;                               ///< each two sockets have a counter
    unsigned counts_;                          ///< of a sender: one a port, or a single total
    mutable std::vector<std::uint64_t> bytes_; ///< [from * counts + to]
};

} // namespace numavp
