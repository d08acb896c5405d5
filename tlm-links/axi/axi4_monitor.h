/// Checks AXI4 pins edge by edge and reports each broken rule with the side that broke it and the edge. No SystemC.
///
/// Both sides: a payload that is valid and not taken stays unchanged. Manager: bursts are legal and stay within 4 KB,
/// write data has as many beats as its address says and WLAST on the last, strobes only lanes of the burst.
/// Subordinate: responses only to ids that wait, to writes only after their last beat, reads with the right number of
/// beats and RLAST on the last, no EXOKAY, since no access is exclusive. Liveness: each request is served within a
/// number of edges. State is per instance. Rules of IHI 0022 for pins that numavp does not have are left out.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "rtl/axi4_pins.h"

namespace numavp {

class Axi4Monitor {
  public:
    /// `patience`: edges that a valid may wait for its ready, or a request for the next sign of its answer.
    explicit Axi4Monitor(std::uint64_t patience = 10'000) : patience_(patience) {}

    /// Checks the pins of both sides at an edge.
    void observe(const rtl::AxiManagerPins& m, const rtl::AxiSubordinatePins& s);
    /// Checks at the end that no burst or handshake is left open.
    void finish();
    /// The first breaches, each "<edge>: <rule>"; empty if there were none. At most 16 are kept.
    const std::vector<std::string>& breaches() const { return breaches_; }
    std::uint64_t edges() const { return edge_; }

  private:
    struct Burst {
        rtl::AxiAddressPins address;
        unsigned beats = 0;     ///< so far
        bool data_done = false; ///< of a write
    };

    void require(bool holds, const char* rule);
    void check_stable(const rtl::AxiManagerPins& m, const rtl::AxiSubordinatePins& s);
    void check_address(const rtl::AxiAddressPins& address);
    void take_addresses(const rtl::AxiManagerPins& m, const rtl::AxiSubordinatePins& s);
    void take_write_data(const rtl::AxiManagerPins& m, const rtl::AxiSubordinatePins& s);
    void match_write_data();
    void take_write_response(const rtl::AxiManagerPins& m, const rtl::AxiSubordinatePins& s);
    void take_read_data(const rtl::AxiManagerPins& m, const rtl::AxiSubordinatePins& s);
    void check_patience(const rtl::AxiManagerPins& m, const rtl::AxiSubordinatePins& s);

    std::uint64_t patience_;
    std::uint64_t edge_ = 0;
    std::vector<std::string> breaches_;
    rtl::AxiManagerPins before_m_; ///< at the edge before
    rtl::AxiSubordinatePins before_s_;
    std::deque<Burst> writes_;                ///< in the order of their addresses
    std::deque<Burst> reads_;                 ///< of one id: in order
    std::deque<std::uint64_t> early_strobes_; ///< of beats whose address was not taken yet
    std::deque<bool> early_last_;             ///< of the same
    std::uint64_t waited_[6] = {};            ///< edges: aw, w, b, ar, r, any answer
};

} // namespace numavp
