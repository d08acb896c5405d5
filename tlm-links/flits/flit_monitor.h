/// Watches the pins of one direction of a link with credited flits edge by edge and says which rule was broken, by whom
/// and when. No SystemC. rtl/flit_checker.sv has the same rules as assertions, but for those on headers.
///
/// Transmitter: flits and returns only with a credit, flits only in run, returns only while the link is active;
/// activation is asked for in stop and ended in run, between packets; starts and ends frame packets, which have the
/// flits of their headers. Receiver: credits only in run, no more than there can be; the acknowledge follows the
/// request and stays until all credits are back. Liveness: what one side owes comes within a number of edges.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "rtl/cxs_pins.h"

namespace numavp {

class FlitMonitor {
  public:
    /// `most_credits`: that the receiver has places for. `patience`: edges that one side may wait for the other.
    explicit FlitMonitor(unsigned most_credits = rtl::kCxsMostCredits, std::uint64_t patience = 10'000)
        : most_credits_(most_credits), patience_(patience) {}

    /// What both sides drive at an edge.
    void observe(const rtl::CxsTransmitterPins& t, const rtl::CxsReceiverPins& r);
    void observe(const rtl::CxsWires& wires) { observe(wires.tx, wires.rx); }
    /// The end: nothing may be left.
    void finish();
    /// The first breaches, each "<edge>: <rule>"; none is good. At most 16 are kept.
    const std::vector<std::string>& breaches() const { return breaches_; }
    std::uint64_t edges() const { return edge_; }
    std::uint64_t flits() const { return flits_; }
    /// Edges in run at which the transmitter had so many credits.
    const std::array<std::uint64_t, rtl::kCxsMostCredits + 1>& credit_edges() const { return credit_edges_; }

  private:
    void require(bool holds, const char* rule);
    void check_activation(const rtl::CxsTransmitterPins& t, const rtl::CxsReceiverPins& r);
    void check_credits(const rtl::CxsTransmitterPins& t, const rtl::CxsReceiverPins& r);
    void check_packets(const rtl::CxsTransmitterPins& t);
    void check_patience(const rtl::CxsTransmitterPins& t, const rtl::CxsReceiverPins& r);

    unsigned most_credits_;
    std::uint64_t patience_;
    std::uint64_t edge_ = 0;
    std::vector<std::string> breaches_;
    bool before_req_ = false; ///< at the edge before
    bool before_ack_ = false;
    unsigned credits_ = 0;         ///< that the transmitter has
    bool in_packet_ = false;       ///< it has begun and not ended
    std::uint64_t flits_left_ = 0; ///< of that packet, by its header
    std::uint64_t waited_[4] = {}; ///< edges: activation, deactivation, credits, the rest of a packet
    std::uint64_t flits_ = 0;
    std::array<std::uint64_t, rtl::kCxsMostCredits + 1> credit_edges_{};
};

} // namespace numavp
