/// The caches of the host's cores: an L1 each, one L2 with all lines of the L1s, and its directory. Plain C++.
///
/// Lines of the platform's 128 bytes, true LRU. The L1s' lines have MOESI states (moesi.h). The directory is exact and
/// told of evictions in no time: what it knows is what the L1s hold. A core that misses its L1, or writes a line that
/// others may have, asks it, which takes the L2's cycles; where other L1s must give the line or drop it,
/// `transfer_cycles` more, in which nobody else gets the line. With one core nothing of this is seen: lines are E or M.
///
/// Which bytes of a line are dirty is kept in the L2 from the store on; the bytes themselves are in the L1 that has it
/// in M or O until they are needed below. Only functional runs have bytes.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/cache/tag_array.h"
#include "models/host_core/host_core_config.h"
#include "models/host_core/moesi.h"

namespace numavp {

/// Time in fractions of a core cycle, one for each instruction that can be issued in it.
using Slot = std::uint64_t;

/// A line that leaves the caches.
struct CoreWrite {
    std::uint64_t line = 0;
    ByteMask mask;
    const unsigned char* data = nullptr; ///< null unless values are modelled; until the next call
};

/// What several cores have asked of each other.
struct SharingCounts {
    std::uint64_t transfers = 0;     ///< lines that another L1 had in E, O or M
    std::uint64_t invalidations = 0; ///< of lines in other L1s
    std::uint64_t upgrades = 0;      ///< stores to lines that the core had in S or O
};

class HostCaches {
  public:
    HostCaches(const HostCoreConfig& config, bool functional);

    struct Access {
        unsigned core = 0;
        std::uint64_t line = 0;
        bool store = false;
        ByteMask mask; ///< of a store
    };
    struct Took {
        Slot begin = 0;   ///< later than asked where another core is getting the line
        Slot latency = 0; ///< from `begin` on
        bool near = false;
        unsigned char* data = nullptr; ///< of the line in the core's L1, if values are modelled
    };
    bool holds(std::uint64_t line) const { return l2_.find(line) >= 0; }
    /// A core's access at `at` to a line that the L2 has. A store's bytes are the caller's to put into `data`.
    Took access(const Access& access, Slot at);
    /// Takes the line that has to go before `line` can come out of the L1s. True if it is dirty: `victim`, then.
    bool make_room(std::uint64_t line, CoreWrite& victim);
    /// Puts a line that has come from memory into the L2, where there is room, and into the core's L1.
    void install(unsigned core, std::uint64_t line, const unsigned char* data);
    /// A line is to come from memory for `core`; true unless it is on its way for another one already.
    bool ask(unsigned core, std::uint64_t line);
    /// A line has come: the cores that wait for it, in the order in which they asked.
    std::vector<unsigned> arrived(std::uint64_t line);
    /// The next line that `core` has written since its last call of this that said no, and that is dirty still; it is
    /// clean then. False if there is none.
    bool clean(unsigned core, CoreWrite& write);
    /// Others have changed memory: all clean lines are dropped, or those of a range.
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
    /// What a core has written: lines that may be dirty.
    struct Written {
        std::vector<std::uint64_t> lines;
        std::size_t cleaned = 0;
    };
    bool others_hold(unsigned core, std::uint64_t line) const;
    bool visit_others(const Access& access, const unsigned char*& bytes);
    void ask_directory(const Access& access, Took& took, const unsigned char*& bytes);
    int install_near(unsigned core, std::uint64_t line, const unsigned char* bytes);
    void leave(Near& near, int frame);
    void gather(std::uint64_t line, LineEvent event);

    Slot l1_slots_, l2_slots_, transfer_slots_;
    std::vector<Near> near_; ///< by core
    TagArray l2_;
    std::vector<Slot> free_at_; ///< of the L2's frames, when nobody is getting the line; of several cores
    std::vector<Written> written_;
    std::unordered_map<std::uint64_t, std::vector<unsigned>> asked_; ///< cores, by line
    bool holds_ = false;                                             ///< lines, perhaps
    SharingCounts counts_;
};

} // namespace numavp
