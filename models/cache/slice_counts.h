/// What an L2 slice counts.
#pragma once

#include <cstdint>

namespace numavp {

struct SliceCounts {
    struct Class {
        std::uint64_t hits = 0, misses = 0, merged = 0;
        std::uint64_t reads() const { return hits + misses + merged; }
    };
    // A slice that serves its own memory counts in the first eight: a cache line.
    /// Reads and atomics that this slice serves, each counted at its first look-up: `local` and `remote` are requests
    /// of the socket's own SMs by the line's home, `incoming` those of other sockets.
    Class local;
    std::uint64_t hit_sectors = 0, write_sectors = 0; ///< of reads that hit or are merged; of writes
    std::uint64_t writes = 0;                         ///< stores and write-backs taken
    std::uint64_t fills = 0;                          ///< lines, or sets of sectors, read from memory or the link
    std::uint64_t fill_sectors = 0;                   ///< sectors of the fills
    std::uint64_t write_misses = 0;
    std::uint64_t stalls = 0; ///< times that a request at the head of a queue had to wait
    Class remote, incoming;
    std::uint64_t atomics = 0, atomic_sectors = 0;       ///< performed here; that they touched
    std::uint64_t forwarded = 0;                         ///< atomics passed on to their home
    std::uint64_t written_local = 0, written_remote = 0; ///< lines written to memory, over the link
    std::uint64_t outgoing_reads = 0;                    ///< fills over the link
    std::uint64_t outgoing_bytes = 0;                    ///< of the packets that answer these
    std::uint64_t flushes = 0;
    std::uint64_t invalidated = 0; ///< lines dropped by flushes
    std::uint64_t completed = 0;   ///< lines whose rest was read for want of room for lines written in part
    // With a directory.
    std::uint64_t recalls = 0;        ///< sent
    std::uint64_t recalled = 0;       ///< copies dropped at another home's word
    std::uint64_t recalled_fills = 0; ///< of lines on their way
    std::uint64_t passing = 0;        ///< fills of the other socket that it may not keep
    std::uint64_t upgrades = 0;       ///< writes to a copy here, passed on to its home
};

} // namespace numavp
