/// Size of packets on the wires of a channel: their bytes with an overhead, in whole granules.
#pragma once

#include <algorithm>
#include <cstdint>

namespace numavp {

struct WireFormat {
    static constexpr std::int64_t kFlit = 1 << 16; ///< a flit, in the unit of `extra`

    unsigned overhead_bytes = 0; ///< of each packet: framing, sequence number, check
    unsigned granule_bytes = 0;  ///< a packet takes whole ones; 0: whole flits
    unsigned flit_bytes = 32;    ///< of the network

    bool operator==(const WireFormat& o) const {
        return overhead_bytes == o.overhead_bytes && granule_bytes == o.granule_bytes && flit_bytes == o.flit_bytes;
    }
    /// True if a packet takes its flits and no more.
    bool plain() const { return overhead_bytes == 0 && granule_bytes == 0; }
    unsigned wire_bytes(unsigned bytes) const {
        const unsigned granule = granule_bytes != 0 ? granule_bytes : flit_bytes;
        return (bytes + overhead_bytes + granule - 1) / granule * granule;
    }
    /// What a packet takes beyond its flits, in 1/65536 of one. Negative where granules pad it less than flits do, but
    /// by less than a flit.
    std::int64_t extra(unsigned bytes, unsigned flits) const {
        if (plain()) return 0;
        return (std::int64_t{wire_bytes(bytes)} - std::int64_t{flits} * flit_bytes) * kFlit / flit_bytes;
    }
    /// The same as time on a channel that takes a flit each `interval` / 65536 cycles, in 1/65536 of a cycle.
    static std::int64_t time(std::int64_t extra, std::uint32_t interval) { return extra * interval / kFlit; }
    /// Whole cycles by which the overhead delays the head of a packet.
    static unsigned delay_cycles(std::int64_t extra, std::uint32_t interval) {
        return static_cast<unsigned>(std::max<std::int64_t>(0, time(extra, interval)) / kFlit);
    }
};

} // namespace numavp
