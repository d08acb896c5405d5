/// A memory-side cache as data: one struct, one field list (base/config/config.h).
#pragma once

#include <cstdint>

#include "base/values/types.h"
#include "models/cache/l2_config.h"

namespace numavp {

/// Settings of the cache between a socket's L2 slices, or memory controllers, and its memory channels.
struct SideCacheConfig {
    unsigned size_kib = 0, ways = 16, hit_cycles = 60, miss_cycles = 20, fill_cycles = 20;
    unsigned bytes_per_cycle = 64, entries = 128, merges = 64, queue_depth = 16, wire_depth = 192;
    double read_pj = 69, fill_pj = 135, write_pj = 270;

    bool given() const { return size_kib != 0; }
    /// Bound on the cycles, of the L2's clock, of an access of `packet_bytes` if nothing else is under way.
    double idle_cycles(double packet_bytes) const {
        return given() ? hit_cycles + miss_cycles + fill_cycles + 2 * packet_bytes / bytes_per_cycle : 0.0;
    }
    /// A bank of it, as an L2 slice of a socket with `slices`: it keeps lines of its own memory alone, and a write
    /// takes its data port as long as a read of as many bytes.
    L2Config bank(unsigned slices, bool sectored) const {
        L2Config c;
        c.size_kib = size_kib;
        c.slices = slices;
        c.ways = ways;
        c.hit_cycles = hit_cycles;
        c.miss_cycles = miss_cycles;
        c.fill_cycles = fill_cycles;
        c.bytes_per_cycle = bytes_per_cycle;
        c.entries = entries;
        c.merges = merges;
        c.queue_depth = queue_depth;
        c.wire_depth = wire_depth;
        c.write_cycles = static_cast<double>(kSectorBytes) / bytes_per_cycle;
        c.set_index = SetIndex::even;
        c.organisation = L2Organisation::memory_side;
        c.sectored = sectored;
        return c;
    }
};

template <class V> void describe(V& v, SideCacheConfig& c) {
    constexpr double kMostPj = 1e9;
    v.integer("size_kib", c.size_kib, 0, 16777216, "KiB",
              "Size of a socket's memory-side cache, in a bank for each L2 slice (AMD CDNA 3 white paper: 256 MB, 2 MB "
              "in each of 128); 0: none.");
    v.integer("ways", c.ways, 1, 64, "ways", "Associativity of the memory-side cache (CDNA 3: 16).");
    v.integer("hit_cycles", c.hit_cycles, 1, 10000, "cycles",
              "Latency of a hit, from request to response, in the L2's clock. A choice: half of an L2's.");
    v.integer("miss_cycles", c.miss_cycles, 1, 10000, "cycles",
              "Latency from a request that misses to the memory channel. A choice, as the L2's.");
    v.integer("fill_cycles", c.fill_cycles, 1, 10000, "cycles",
              "Latency from a line's arrival from memory to the response. A choice, as the L2's.");
    v.integer("bytes_per_cycle", c.bytes_per_cycle, 1, 4096, "B/cycle",
              "Bandwidth of a bank, read or written (CDNA 3: 64).");
    v.integer("entries", c.entries, 2, 4096, "entries",
              "Lines of a bank that are on their way from or to memory. A choice: more than an L2 slice has.");
    v.integer("merges", c.merges, 1, 4096, "requests", "Requests that wait in one entry.");
    v.integer("queue_depth", c.queue_depth, 1, 4096, "packets", "Requests that a bank's port holds.");
    v.integer("wire_depth", c.wire_depth, 1, 4096, "packets", "Packets on their way from a bank's port.");
    v.real("read_pj", c.read_pj, 0.0, kMostPj, "pJ",
           "Energy of a sector read from the cache. A choice: as of an L2 (AccelWattch).");
    v.real("fill_pj", c.fill_pj, 0.0, kMostPj, "pJ",
           "Energy of a sector filled into the cache. A choice: as of an L2 (AccelWattch).");
    v.real("write_pj", c.write_pj, 0.0, kMostPj, "pJ",
           "Energy of a sector written into the cache. A choice: as of an L2 (AccelWattch).");
}

} // namespace numavp
