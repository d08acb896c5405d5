/// Configuration of a socket's address translation.
#pragma once

#include <cstdint>

#include "base/values/name_table.h"
#include "base/values/types.h"

namespace numavp {

enum class TranslationMode : std::uint8_t { off, ideal, full };
enum class TableHome : std::uint8_t { sockets, host };

inline constexpr NameTable<TranslationMode> kTranslationModes{
    "translation mode",
    {{TranslationMode::off, "off", "addresses are translated in no time, pages placed at their first touch"},
     {TranslationMode::ideal, "ideal", "a mapped page takes no time, an unmapped one faults"},
     {TranslationMode::full, "full", "TLBs, and walks of a page table in memory"}}};
inline constexpr NameTable<TableHome> kTableHomes{
    "home of page tables",
    {{TableHome::sockets, "sockets", "table pages go round the sockets' memories"},
     {TableHome::host, "host", "all table pages lie in the host's memory"}}};

/// One struct, one field list (base/config/config.h).
struct MmuConfig {
    TranslationMode mode = TranslationMode::off;
    unsigned l1_entries = 128, l1_cycles = 1, waiting = 64;
    unsigned l2_entries = 512, l2_ways = 16, l2_cycles = 10, l2_ports = 2;
    unsigned walkers = 64;
    TableHome tables = TableHome::sockets;
    bool shared = false;
    unsigned shared_at = 0, shared_cycles = 8;

    // Values that follow from the machine.
    unsigned wire_depth = 8;       ///< walks on the wire to the crossbar
    std::uint64_t bytes_per_s = 0; ///< of that wire
    unsigned note_threshold = 0;   ///< accesses of a socket to a remote page that make a note; 0: none
    bool replicates = false;       ///< the driver makes replicas of pages, which are read-only
    unsigned memories = 1;         ///< that may hold pages: sockets, then the host
    bool sectored = false;         ///< a walk reads the sector of its word, not the line
    bool faults = false;           ///< a driver places pages: look-ups may find none, in every mode

    /// Bound on the cycles of a look-up if nothing else is under way; a walk is accesses to memory.
    unsigned idle_cycles() const {
        if (mode != TranslationMode::full) return 0;
        return l1_cycles + l2_cycles + (shared ? 2 * shared_cycles : 0);
    }
    bool on() const { return mode != TranslationMode::off; }
    /// True if an operation may have to wait for its page.
    bool waits() const { return mode == TranslationMode::full || faults; }
};

template <class V> void describe(V& v, MmuConfig& c) {
    v.choice("mode", c.mode, kTranslationModes, "Translation of addresses in SMs.");
    v.integer("l1_entries", c.l1_entries, 1, 4096, "pages",
              "Entries of the L1 TLB of an SM, fully associative (NUBA, Table 1: 128).");
    v.integer(
        "l1_cycles", c.l1_cycles, 0, 1000, "cycles",
        "Latency that the L1 TLB adds to every access (NUBA, Table 1: 1). It has a port for each line of the L1.");
    v.integer("waiting", c.waiting, 1, 64, "instructions",
              "Memory instructions of an SM that wait for a page while others go on. A choice: one a warp.");
    v.integer("l2_entries", c.l2_entries, 1, 65536, "pages", "Entries of the L2 TLB of a socket (NUBA, Table 1: 512).");
    v.integer("l2_ways", c.l2_ways, 1, 64, "ways", "Associativity of the L2 TLB (NUBA, Table 1: 16).");
    v.integer("l2_cycles", c.l2_cycles, 1, 10000, "cycles",
              "Latency from a miss in an L1 TLB to its answer (NUBA, Table 1: 10).");
    v.integer("l2_ports", c.l2_ports, 1, 64, "look-ups", "Look-ups of the L2 TLB a cycle (NUBA, Table 1: 2).");
    v.integer("walkers", c.walkers, 1, 1024, "walks", "Page-table walks of a socket at once (NUBA, Table 1: 64).");
    v.boolean("shared", c.shared,
              "Whether one L2 TLB, with its ports and walkers, serves the SMs of all sockets (NUBA, Table 1); false: "
              "each socket has them.");
    v.integer("shared_at", c.shared_at, 0, kMaxSockets - 1, "socket",
              "Socket of the L2 TLB that serves all sockets, if there is one. A choice.");
    v.integer("shared_cycles", c.shared_cycles, 1, 10000, "cycles",
              "Latency from an SM to the shared L2 TLB, and as much back: two stages of crossbars (NUBA, section 6). "
              "That requests take such a way, and no bandwidth of it, is a choice.");
    v.choice("tables", c.tables, kTableHomes, "Memories that hold the page table. A choice.");
}

} // namespace numavp
