/// The rule by which ways through a machine are chosen, of simulated packets and of closed forms alike.
///
/// A way passes as few endpoints as there are ways to avoid, then as few CPUs; of those ways it has the fewest hops; of
/// those the fastest slowest link. Ways that are equal in all of this are left to the caller.
#pragma once

#include <cstdint>
#include <vector>

namespace numavp {

/// Whether ways lead on through a part, from one of its links to another.
enum class Transit : unsigned char {
    router,  ///< always
    cpu,     ///< where no way leads around it
    endpoint ///< where no way leads around it, and none through CPUs: a GPU below a switch
};

/// One direction of a link. Links side by side add up.
struct WayLink {
    unsigned from = 0, to = 0; ///< parts
    double gbytes_per_s = 1;
};

/// What a way costs: endpoints and CPUs that it passes, hops, and the rank of its slowest link. Less is better.
class WayCost {
  public:
    static constexpr unsigned kMostParts = 4096; ///< so that all counts fit

    bool exists() const { return packed_ != kNone; }
    unsigned endpoints() const { return static_cast<unsigned>(packed_ >> kEndpoints); }
    unsigned cpus() const { return static_cast<unsigned>(packed_ >> kCpus) & (kMostParts - 1); }
    unsigned hops() const { return static_cast<unsigned>(packed_ >> kHops) & kMostRank; }
    /// True if the way passes a part that is no transit.
    bool is_forced() const { return packed_ >> kCpus != 0; }

    /// Of no hop.
    static WayCost none_yet() { return WayCost(0); }
    /// Of the way that takes a link of speed rank `rank` to a part, and passes it if `passed`.
    WayCost after(unsigned rank, const Transit* passed) const;

    friend bool operator<(WayCost a, WayCost b) { return a.packed_ < b.packed_; }
    friend bool operator==(WayCost a, WayCost b) { return a.packed_ == b.packed_; }
    friend bool operator!=(WayCost a, WayCost b) { return a.packed_ != b.packed_; }

    WayCost() = default; ///< of no way

  private:
    explicit WayCost(std::uint64_t packed) : packed_(packed) {}
    static constexpr std::uint64_t kNone = ~std::uint64_t{0};
    static constexpr unsigned kHops = 16, kCpus = 32, kEndpoints = 44; ///< first bits; the rank's is 0
    static constexpr unsigned kMostRank = 0xffff;

    std::uint64_t packed_ = kNone;
};

class BestWays {
  public:
    /// A part that a link leads to, and the rank of its speed among all: 0 is the fastest.
    struct Next {
        unsigned part = 0, rank = 0;
    };

    /// `parts` says of each part whether it is transit; at most WayCost::kMostParts.
    BestWays(std::vector<Transit> parts, const std::vector<WayLink>& links);

    unsigned parts() const { return static_cast<unsigned>(transit_.size()); }
    Transit transit(unsigned part) const { return transit_[part]; }
    /// Parts that a link of `part` leads to, each once, in their order.
    const std::vector<Next>& next(unsigned part) const { return next_[part]; }
    /// Cost of the best way from each part to `target`.
    std::vector<WayCost> to(unsigned target) const;
    /// True if a best way from `from` to `target` begins with the link to `next`, by the costs that `to(target)` gave.
    bool begins(WayCost from, const Next& next, WayCost of_next, unsigned target) const {
        return of_next.exists() && cost_by(next, of_next, target) == from;
    }

  private:
    /// Of the way that goes to `next` and on.
    WayCost cost_by(const Next& next, WayCost of_next, unsigned target) const {
        return of_next.after(next.rank, next.part == target ? nullptr : &transit_[next.part]);
    }

    std::vector<Transit> transit_;
    std::vector<std::vector<Next>> next_;
    std::vector<std::vector<Next>> before_; ///< of each part those with a link to it, with that link's rank
};

} // namespace numavp
