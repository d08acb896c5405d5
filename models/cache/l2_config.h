/// A socket's L2 as data: one struct, one field list (base/config/config.h).
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/values/name_table.h"
#include "base/values/types.h"
#include "models/cache/cache_role.h"
#include "models/cache/set_index.h"

namespace numavp {

enum class WritePolicy : std::uint8_t { write_back, write_through };
enum class L2Coherence : std::uint8_t { flushes, directory };

inline constexpr NameTable<WritePolicy> kWritePolicies{
    "write policy",
    {
        {WritePolicy::write_back, "write_back", "dirty bytes stay until they are evicted or flushed"},
        {WritePolicy::write_through, "write_through", "every write goes on to the line's home memory"},
    }};
inline constexpr NameTable<L2Coherence> kL2Coherences{
    "L2 coherence",
    {
        {L2Coherence::flushes, "flushes", "kernel ends and fences drop copies of other sockets' lines"},
        {L2Coherence::directory, "directory", "homes know who has a copy and recall it when the line is written"},
    }};

struct L2Config {
    unsigned size_kib = 4096, slices = 32, ways = 16, hit_cycles = 120, miss_cycles = 20, fill_cycles = 20;
    unsigned bytes_per_cycle = 64, entries = 64, reserved_home_entries = 8, merges = 64;
    unsigned queue_depth = 16, wire_depth = 192, lookup_cycles = 0, interleave_lines = 1, pair_lines = 0;
    unsigned fetch_bytes = 0;
    double write_cycles = 0.0, atomic_cycles = 0.0;
    SetIndex set_index = SetIndex::folded;
    L2Organisation organisation = L2Organisation::memory_side;
    WritePolicy write_policy = WritePolicy::write_back;
    unsigned partial_lines = 0; // beside write_policy, which stores read too
    unsigned static_remote_ways = 8;
    bool incoming_allocate = true;
    bool invalidate = true;
    bool flush_local = true;
    L2Coherence coherence = L2Coherence::flushes;
    unsigned directory_lines = 0, directory_cycles = 20;

    // Values that follow from the machine.
    bool sectored = false;   ///< missing sectors are fetched, not whole lines
    bool replicas = false;   ///< slices may keep replicas (organisation replicating)
    bool flushes_all = true; ///< if replicas: a boundary flushes all lines; false: only replicas

    const CacheRole& role() const { return role_of(organisation); }
    /// False if slices keep no line; they then order requests to a line and perform atomics, as a memory
    /// controller does.
    bool has_cache() const { return size_kib != 0; }
    /// Number of sets of each slice, at least one.
    unsigned sets() const {
        if (!has_cache()) return 1;
        return static_cast<unsigned>(std::uint64_t{size_kib} * 1024 / (std::uint64_t{slices} * ways * kLineBytes));
    }
    /// Bound on the cycles of an access of `packet_bytes` in a slice if nothing else is under way.
    double idle_cycles(double packet_bytes) const {
        return lookup_cycles + hit_cycles + miss_cycles + fill_cycles + packet_bytes / bytes_per_cycle +
               kLineSectors * std::max(write_cycles, atomic_cycles);
    }
    bool has_directory() const { return coherence == L2Coherence::directory; }
    unsigned ways_in_directory() const { return least_directory() < 16 ? least_directory() : 16; }
    /// Capacity of a slice's directory, in lines: whole sets.
    unsigned lines_in_directory() const {
        const unsigned ways_of_set = ways_in_directory();
        return (least_directory() + ways_of_set - 1) / ways_of_set * ways_of_set;
    }
    unsigned least_directory() const { return directory_lines != 0 ? directory_lines : 2 * sets() * ways; }
};

template <class V> void describe(V& v, L2Config& c) {
    v.integer("size_kib", c.size_kib, 0, 1048576, "KiB",
              "Size of a socket's L2 (NUMA-aware GPUs, Table 1: 4 MB); 0: slices keep no line and act as controllers "
              "of the memory.");
    v.integer("slices", c.slices, 1, 1024, "slices", "Number of banks; a multiple of the memory channels.");
    v.integer("ways", c.ways, 1, 64, "ways", "Associativity (Table 1: 16).");
    v.choice(
        "set_index", c.set_index, kSetIndices,
        "Rule by which a line finds its set in a slice: with even an array of nearly the L2's size stays in it, as on "
        "silicon (gpu-benches, latency of A100 and GH200 by footprint).");
    v.integer("lookup_cycles", c.lookup_cycles, 0, 10000, "cycles",
              "Length of a pipeline before the look-up, which takes a request a cycle (Accel-Sim, "
              "-gpgpu_l2_rop_latency: 160); 0: none.");
    v.integer("interleave_lines", c.interleave_lines, 1, 64, "lines",
              "Consecutive lines of a slice, a power of two (Accel-Sim's QV100: 2, dramid@8); 1 with memory.model "
              "axi4_rtl.");
    v.integer(
        "pair_lines", c.pair_lines, 0, 1024, "lines",
        "Consecutive lines that two slices share, interleave_lines in turns each, a power of two and at least twice "
        "that (H200: 8, measured); 0: each slice is on its own.");
    v.integer("hit_cycles", c.hit_cycles, 1, 10000, "cycles",
              "Latency of a hit, from request, or the end of the pipeline before the look-up, to response (NUBA, Table "
              "1: 120).");
    v.integer("miss_cycles", c.miss_cycles, 1, 10000, "cycles",
              "Latency from request to memory or link on a miss. A choice.");
    v.integer("fill_cycles", c.fill_cycles, 1, 10000, "cycles",
              "Latency from a line's arrival to the response. A choice.");
    v.integer("bytes_per_cycle", c.bytes_per_cycle, 1, 65536, "B/cycle",
              "Data bandwidth of a slice towards each side.");
    v.integer("fetch_bytes", c.fetch_bytes, 0, 128, "B",
              "Bytes that a miss reads from the socket's memory at least, with sectors: 64 or 128 (H200: 64, "
              "measured); 0: the sectors asked for.");
    v.real(
        "write_cycles", c.write_cycles, 0.0, 64.0, "cycles",
        "Time of a slice for each sector of a store or a write-back to it (H200: 1.6, measured), with a directory not "
        "of those that it passes on and keeps nothing of; 0: a request a cycle, whatever it writes.");
    v.real("atomic_cycles", c.atomic_cycles, 0.0, 64.0, "cycles",
           "Time of a slice for each sector of an atomic performed there (H200: 1.2, measured).");
    v.integer(
        "partial_lines", c.partial_lines, 0, 1048576, "lines",
        "Lines of a slice's own memory with sectors that stores wrote in part; for one more the rest of the oldest "
        "is read from memory, and it is written back (H200: 512, from its counters); 0: any number, of which "
        "nothing is read until a load asks.");
    v.integer("entries", c.entries, 2, 4096, "entries", "Lines of a slice that are on their way, in or out.");
    v.integer("reserved_home_entries", c.reserved_home_entries, 1, 4095, "entries",
              "Entries that only other sockets' requests may take.");
    v.integer("merges", c.merges, 1, 4096, "requests", "Requests that wait in one entry.");
    v.integer("queue_depth", c.queue_depth, 1, 4096, "packets", "Requests that a port holds.");
    v.integer("wire_depth", c.wire_depth, 1, 4096, "packets", "Packets on their way from a port.");
    v.choice("organisation", c.organisation, kL2Organisations,
             "Choice of the lines that the L2 caches (NUMA-aware GPUs, Figure 7).");
    v.choice("write_policy", c.write_policy, kWritePolicies,
             "Policy of writes (NUMA-aware GPUs, Table 1: write-back).");
    v.integer("static_remote_ways", c.static_remote_ways, 1, 63, "ways",
              "Ways of the remote cache in the static organisation (section 5.2: half).");
    v.boolean("incoming_allocate", c.incoming_allocate,
              "Whether reads by other sockets are kept in the home's L2; false: served, but not kept.");
    v.boolean(
        "invalidate", c.invalidate,
        "Whether flushes reach the L2; false: the hypothetical L2 that ignores them (NUMA-aware GPUs, Figure 9).");
    v.boolean("flush_local", c.flush_local,
              "Whether flushes reach lines of the own memory too, in the organisations coherent and numa_aware "
              "(NUMA-aware GPUs, Figures 7c, 7d); false: remote lines alone, for which coherence needs them.");
    v.choice("coherence", c.coherence, kL2Coherences,
             "Mechanism that keeps copies of other sockets' lines right in the organisation coherent; directory takes "
             "two sockets (NUBA, section 2: hardware coherence between two partitions).");
    v.integer("directory_lines", c.directory_lines, 0, 1048576, "lines",
              "Lines that a slice's directory has room for, in sets of 16; 0: twice those of a slice, since lines stay "
              "listed that the other socket has dropped. A choice.");
    v.integer("directory_cycles", c.directory_cycles, 1, 10000, "cycles",
              "Latency from the look-up of a write to its recall, and from a recall to its acknowledgement: the "
              "directory is looked up beside the tags, so as miss_cycles. A choice.");
}

} // namespace numavp
