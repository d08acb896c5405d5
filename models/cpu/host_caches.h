/// Caches of the host's cores: an L1 for each, one L2 with all lines of the L1s, and its directory. Plain C++.
///
/// Lines have the platform's 128 bytes, replacement is true LRU. L1 lines have MOESI states (moesi.h). The directory is
/// exact and learns of evictions in no time: it is computed from the L1s' tags. A core asks it when its L1 misses, or
/// when it writes a line that others may have. That takes the L2's cycles; where other L1s must give or drop the
/// line, `transfer_cycles` more, in which no other core gets the line. With one core all lines are in E or M.
///
/// The L2 keeps the mask of a line's dirty bytes from the store on. The bytes themselves stay in the L1 that has the
/// line in M or O until the L2 or memory needs them. Only functional runs have bytes.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "models/cache/tag_array.h"
#include "models/cpu/host_core_config.h"
#include "models/cpu/moesi.h"

namespace numavp {

/// Time in fractions of a core cycle, one for each instruction that can be issued in it.
using Slot = std::uint64_t;

/// A dirty line that is to be written to memory.
struct CoreWrite {
    std::uint64_t line = 0;
    ByteMask mask;
    const unsigned char* data = nullptr; ///< null unless values are modelled; valid until the next call
};

/// Counts of coherence actions among several cores.
struct SharingCounts {
    std::uint64_t transfers = 0;     ///< lines that another L1 had in E, O or M
    std::uint64_t invalidations = 0; ///< lines that other L1s had to drop
    std::uint64_t upgrades = 0;      ///< stores to lines that the core had in S or O
};

class HostCaches {
  public:
    HostCaches(const HostCoreConfig& config, bool functional);

    struct Access {
        unsigned core = 0;
        std::uint64_t line = 0;
        bool store = false;
        ByteMask mask; ///< bytes that a store writes
    };
    struct Took {
        Slot begin = 0;                ///< later than requested while another core is getting the line
        Slot latency = 0;              ///< from `begin` on
        bool near = false;             ///< true if the core's L1 had the line
        unsigned char* data = nullptr; ///< bytes of the line in the core's L1, if values are modelled
    };
    bool holds(std::uint64_t line) const { return l2_.find(line) >= 0; }
    /// Performs a core's access at `at` to a line that the L2 has. The caller writes a store's bytes to `data`.
    Took access(const Access& access, Slot at);
    /// Removes the line that `line` will replace in the L2 from all L1s. True if it is dirty; `victim` is then set.
    bool make_room(std::uint64_t line, CoreWrite& victim);
    /// Puts a line that has come from memory into the L2 (call `make_room()` before) and into the core's L1.
    void install(unsigned core, std::uint64_t line, const unsigned char* data);
    /// Registers that `core` waits for a line from memory. True if the caller must fetch it: no other core waits.
    bool ask(unsigned core, std::uint64_t line);
    struct Arrived {
        std::vector<unsigned> cores; ///< that wait for the line, in the order of their requests
        /// Memory may have changed since the line was asked for: the caller must fetch it again, and they go on
        /// waiting.
        bool again = false;
    };
    /// Call when a line has come.
    Arrived arrived(std::uint64_t line);
    /// Takes the next dirty line that `core` has written since this function last returned false, and makes it clean.
    /// False if there is none.
    bool clean(unsigned core, CoreWrite& write);
    /// Drops all clean lines, or those of a range, those on their way too, and dirty ones as soon as they are clean.
    /// Call when kernels or copies have changed memory. Until then a dirty line's other bytes are the old ones.
    void forget();
    void forget(std::uint64_t first, std::uint64_t bytes);

    const SharingCounts& counts() const { return counts_; }
    LineState state(unsigned core, std::uint64_t line) const;

  private:
    struct Near {
        TagArray tags;
        std::vector<LineState> states; ///< by frame
        LineState& state(int frame) { return states[static_cast<unsigned>(frame)]; }
    };
    /// Lines that a core has written; some may be clean again.
    struct Written {
        std::vector<std::uint64_t> lines;
        std::size_t cleaned = 0;
    };
    struct Asked {
        std::vector<unsigned> cores;
        bool stale = false; ///< memory has changed since
    };
    bool others_hold(unsigned core, std::uint64_t line) const;
    bool visit_others(const Access& access, const unsigned char*& bytes);
    void ask_directory(const Access& access, Took& took, const unsigned char*& bytes);
    int install_near(unsigned core, std::uint64_t line, const unsigned char* bytes);
    void leave(Near& near, int frame);
    void gather(std::uint64_t line, LineEvent event);
    void outdate(const std::vector<std::uint32_t>& dirty);

    Slot l1_slots_, l2_slots_, transfer_slots_;
    std::vector<Near> near_; ///< by core
    TagArray l2_;
    std::vector<Slot> free_at_; ///< by frame of the L2: time when the next core may get the line; several cores only
    std::vector<Written> written_;
    std::unordered_map<std::uint64_t, Asked> asked_; ///< by line
    std::unordered_set<std::uint64_t> outdated_;     ///< dirty lines around which memory has changed
    bool holds_ = false;                             ///< false if there is certainly no line
    SharingCounts counts_;
};

} // namespace numavp
