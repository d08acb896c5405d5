/// Checks the pins of one direction of a link with credited flits edge by edge and reports the broken rule, the side
/// that broke it and the edge. No SystemC. rtl/flit_checker.sv has these rules, except those on headers, as assertions.
///
/// Transmitter: flits and returns only with a credit, flits only in run, returns only while the link is active;
/// activation begins in stop and ends in run, between packets; starts and ends frame packets, which have as many flits
/// as their headers say. Receiver: credits only in run, no more than it has places; the acknowledge follows the request
/// and stays until all credits are back. Liveness: an action that one side owes comes within a number of edges.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "rtl/cxs_pins.h"

namespace numavp {

class FlitMonitor {
  public:
    /// `most_credits`: places of the receiver. `patience`: edges for which one side may keep the other waiting.
    explicit FlitMonitor(unsigned most_credits = rtl::kCxsMostCredits, std::uint64_t patience = 10'000)
        : most_credits_(most_credits), patience_(patience) {}

    /// Checks the pins of both sides at an edge.
    void observe(const rtl::CxsTransmitterPins& t, const rtl::CxsReceiverPins& r);
    void observe(const rtl::CxsWires& wires) { observe(wires.tx, wires.rx); }
    /// Checks at the end that no packet, credit or handshake is left open.
    void finish();
    /// The first breaches, each "<edge>: <rule>"; empty if there were none. At most 16 are kept.
    const std::vector<std::string>& breaches() const { return breaches_; }
    std::uint64_t edges() const { return edge_; }
    std::uint64_t flits() const { return flits_; }
    /// By number of credits: edges in run at which the transmitter had that many.
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
