/// Where a physical line lives, and how large its packets are.
#pragma once

#include <cstdint>

#include "models/base/types.h"
#include "tlm-links/txn.h"

namespace numavp {

/// Sizes of packets on crossbars and links: NUBA, sections 5.2 and 6.
struct PacketSizes {
    unsigned header_bytes = 8; ///< a request without data, an acknowledgement, and the header of a data packet
    /// Data of a packet: a whole line, or the sectors that a partial write or an atomic touches.
    unsigned with_data(ByteMask mask) const {
        return header_bytes + (mask.all() ? kLineBytes : mask.sectors() * kSectorBytes);
    }
    void apply(Txn& txn) const {
        unsigned request = header_bytes, response = header_bytes;
        switch (txn.kind) {
        case Kind::load:
        case Kind::fill:
        case Kind::walk: response += kLineBytes; break;
        case Kind::store:
        case Kind::write: request = with_data(txn.mask); break;
        case Kind::atomic:
            request = with_data(txn.mask);
            if (!txn.no_return) response = request;
            break;
        }
        txn.request_bytes = static_cast<std::uint16_t>(request);
        txn.response_bytes = static_cast<std::uint16_t>(response);
    }
};

template <class V> void describe(V& v, PacketSizes& c) {
    v.integer("header_bytes", c.header_bytes, 1, 128, "B",
              "A request or acknowledgement, and what a data packet has besides data (NUBA, sections 5.2 and 6: 8).");
}

/// Physical addresses: socket in the high bits, then the line within the socket's memory.
struct AddressMap {
    unsigned sockets = 1;
    unsigned socket_shift = 34; ///< 16 GiB a socket
    unsigned slices = 32;       ///< of each socket
    unsigned slice_shift = 0;   ///< log2 of the consecutive lines of a slice
    PacketSizes packets;

    SocketId home_of(std::uint64_t line) const { return SocketId(line >> socket_shift); }
    /// Consecutive lines (or groups of lines) go round the slices; from one round to the next the start is scattered,
    /// so that no power-of-two stride stays on one slice.
    unsigned slice_of(std::uint64_t line) const {
        const std::uint64_t n = line >> (kLineShift + slice_shift);
        const std::uint64_t round = n / slices;
        const std::uint64_t mixed = (round * 0x9e3779b97f4a7c15ULL) >> 32;
        return static_cast<unsigned>((n + mixed) % slices);
    }
    bool contains(std::uint64_t line) const { return (line >> socket_shift) < sockets; }
    /// Fills in home, slice and packet sizes from line, kind and mask.
    void resolve(Txn& txn) const {
        txn.home = home_of(txn.line);
        txn.slice = static_cast<std::uint16_t>(slice_of(txn.line));
        packets.apply(txn);
    }
};

} // namespace numavp
