/// Home socket and L2 slice of a physical line, and sizes of its packets. Plain data;
/// tlm-links/protocol/resolved_address.h sets the members of a record by them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/values/types.h"

namespace numavp {

struct Txn;

/// Sizes of packets on crossbars and links: NUBA, sections 5.2 and 6.
struct PacketSizes {
    unsigned header_bytes = 8; ///< a request without data, an acknowledgement, and the header of a data packet
    unsigned flit_bytes = 1;   ///< packets take whole ones on wires
    bool sectored = false;     ///< reads bring the sectors of their mask; follows from the machine
    unsigned padded(unsigned bytes) const { return (bytes + flit_bytes - 1) / flit_bytes * flit_bytes; }
    /// Data bytes of a packet: a whole line, or the sectors that a partial access touches.
    unsigned with_data(ByteMask mask) const {
        return header_bytes + (mask.all() ? kLineBytes : mask.sectors() * kSectorBytes);
    }
    /// Bytes of the smallest packet that brings data.
    unsigned least_with_data() const { return padded(header_bytes + (sectored ? kSectorBytes : kLineBytes)); }
    /// Sets the sizes of a record's packets from its kind and mask (tlm-links/protocol/resolved_address.h).
    inline void apply(Txn& txn) const;
};

template <class V> void describe(V& v, PacketSizes& c) {
    v.integer(
        "header_bytes", c.header_bytes, 1, 128, "B",
        "Size of a request or acknowledgement, and of the header of a data packet (NUBA, sections 5.2 and 6: 8).");
    v.integer("flit_bytes", c.flit_bytes, 1, 128, "B",
              "Bytes that a wire carries at a time: packets are padded to whole ones (NUBA, section 6: links of 16).");
}

/// Distribution of lines over the L2 slices of a socket.
struct Slicing {
    unsigned slices = 32;
    unsigned shift = 0;      ///< log2 of the lines from the first of a slice to the first of the next
    unsigned pair_shift = 0; ///< log2 of such groups that two slices share, a group each in turns; 0: one slice each

    /// Slice of a line. Consecutive lines (or groups of lines) go round the slices; each round starts at a scattered
    /// slice, so that no power-of-two stride stays on one slice.
    unsigned slice_of(std::uint64_t line) const {
        const std::uint64_t group = line >> (kLineShift + shift);
        if (pair_shift != 0) return 2 * place(group >> pair_shift, slices / 2) + static_cast<unsigned>(group & 1);
        return place(group, slices);
    }
    /// Of its slice's lines (or groups of lines), the how-manieth it is.
    std::uint64_t round_of(std::uint64_t line) const {
        const std::uint64_t group = line >> (kLineShift + shift);
        if (pair_shift == 0) return round(group, slices);
        const std::uint64_t of_slice = (group & ((1U << pair_shift) - 1)) >> 1;
        return round(group >> pair_shift, slices / 2) << (pair_shift - 1) | of_slice;
    }

  private:
    /// A number of places that is a power of two takes no division, for which a record would wait.
    static bool is_power(unsigned places) { return (places & (places - 1)) == 0; }
    static std::uint64_t round(std::uint64_t n, unsigned places) {
        return is_power(places) ? n >> __builtin_ctz(places) : n / places;
    }
    static unsigned place(std::uint64_t n, unsigned places) {
        const std::uint64_t mixed = (round(n, places) * 0x9e3779b97f4a7c15ULL) >> 32;
        return static_cast<unsigned>(is_power(places) ? (n + mixed) & (places - 1) : (n + mixed) % places);
    }
};

/// Physical addresses: the number of a memory in the high bits, then the line within it. A memory belongs to one
/// socket, its home, or to several: then consecutive lines go round these.
struct AddressMap {
    unsigned memories = 1;
    unsigned socket_shift = 34;      ///< 16 GiB a memory
    Slicing slicing;                 ///< of each socket
    unsigned parts_shift = 0;        ///< log2 of the sockets to which a memory belongs
    std::vector<SocketId> homes;     ///< of each memory, of all its parts; empty: own_memory()
    std::vector<Slicing> of_sockets; ///< instead of `slicing`, where sockets differ
    PacketSizes packets;

    const Slicing& slicing_of(SocketId socket) const { return of_sockets.empty() ? slicing : of_sockets[socket.value]; }
    SocketId home_of(std::uint64_t line) const {
        const std::uint64_t memory = line >> socket_shift;
        const std::uint64_t part = (line >> kLineShift) & ((1U << parts_shift) - 1);
        const std::uint64_t home = (memory << parts_shift) + part;
        return home < homes.size() ? homes[home] : SocketId(memory);
    }
    /// The slice of `socket` that caches a line.
    unsigned slice_of(std::uint64_t line, SocketId socket) const { return slicing_of(socket).slice_of(line); }
    /// The same for a record to which resolve() was applied.
    inline unsigned slice_in(SocketId socket, const Txn& txn) const;
    bool contains(std::uint64_t line) const { return (line >> socket_shift) < memories; }
    /// Sets a record's home, slice there, and packet sizes from its line, kind and mask.
    inline void resolve(Txn& txn) const;
};

} // namespace numavp
