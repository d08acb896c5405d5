/// What a socket's address translation is made of.
#pragma once

#include <cstdint>

#include "models/base/name_table.h"

namespace numavp {

enum class TranslationMode : std::uint8_t { off, ideal, full };
enum class TableHome : std::uint8_t { sockets, host };

struct MmuConfig {
    TranslationMode mode = TranslationMode::off;
    unsigned l1_entries = 128; ///< of each SM's TLB, fully associative
    unsigned l1_cycles = 1;    ///< that an L1 TLB adds to every access
    unsigned waiting = 64;     ///< operations of an SM that wait for a translation
    unsigned l2_entries = 512;
    unsigned l2_ways = 16;
    unsigned l2_cycles = 10; ///< from an L1 TLB's miss to the answer of a free L2 TLB
    unsigned l2_ports = 2;   ///< look-ups a cycle
    unsigned walkers = 64;
    unsigned wire_depth = 8;                    ///< walks on the wire to the crossbar
    std::uint64_t bytes_per_s = 64'000'000'000; ///< of that wire
    unsigned migration_threshold = 0;           ///< accesses of a socket to a remote page that make a note; 0: none
    unsigned memories = 1;                      ///< that may hold pages: sockets, then the host
    bool faults = false;                        ///< a driver places pages: look-ups may find none, in every mode
    bool on() const { return mode != TranslationMode::off; }
    /// An operation may have to wait for its page.
    bool waits() const { return mode == TranslationMode::full || faults; }
};

inline constexpr NameTable<TranslationMode> kTranslationModes{
    "translation mode",
    {{TranslationMode::off, "off", "addresses are translated in no time, pages placed at their first touch"},
     {TranslationMode::ideal, "ideal", "a mapped page takes no time, an unmapped one faults"},
     {TranslationMode::full, "full", "TLBs, and walks of a page table in memory"}}};
inline constexpr NameTable<TableHome> kTableHomes{
    "home of page tables",
    {{TableHome::sockets, "sockets", "table pages go round the sockets' memories"},
     {TableHome::host, "host", "all table pages lie in the host's memory"}}};

} // namespace numavp
