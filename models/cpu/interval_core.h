/// An out-of-order core and its caches as intervals between cache misses. Plain C++; its caller has the clock.
///
/// A fixed number of instructions per cycle enters and leaves the reorder buffer, in order. One waits for room in the
/// buffer, its operands and a miss register, so independent misses within a buffer length overlap, up to the registers.
/// An item of a phase (sw/work/host_phase.h) reads, computes, writes: arithmetic waits for its reads, writes for its
/// arithmetic, items for each other as the phase says. A store leaves the buffer when its line is there or requested;
/// one that misses fetches its line first.
///
/// Its L1 and the L2 are in HostCaches, which several cores may share. Dirty lines go to memory when they are evicted,
/// and all lines that a phase has written go there after the phase.
///
/// Not modelled: fetch of instructions and branches, functional units beyond the issue width and a flop's latency,
/// bandwidth of the caches, prefetching, the TLB, forwarding of stores (a load may see the bytes before an older item's
/// store to them). A store waits for another core only while that core is getting the line.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "models/cpu/host_caches.h"
#include "models/cpu/host_cursor.h"
#include "models/sm/load_store.h"

namespace numavp {

struct HostCoreCounts {
    std::uint64_t phases = 0, instructions = 0, flops = 0;
    std::uint64_t loads = 0, stores = 0; ///< lines
    std::uint64_t l1_hits = 0, l2_hits = 0, merged = 0, fetched = 0, written = 0;
};

class IntervalCore {
  public:
    class Memory {
      public:
        /// Asks for a line, not before `at`; call `fill()` then for each core that HostCaches::arrived() returns, or
        /// `fetch_again()` for one of them.
        virtual void fetch(std::uint64_t line, Slot at) = 0;
        /// Writes a line back for a core, not before `at`; call the core's `written()` when the line is in memory.
        virtual void write_back(unsigned core, const CoreWrite& write, Slot at) = 0;

      protected:
        ~Memory() = default;
    };
    /// Cookie of the first core's accesses for data hooks; core c has kCookie - c.
    static constexpr std::uint64_t kCookie = ~std::uint64_t{0};

    struct Resources {
        Memory& memory;
        HostCaches& caches;
        DataHooks* hooks = nullptr; ///< null unless values are modelled
        unsigned core = 0;          ///< number
    };
    IntervalCore(const HostCoreConfig& config, const Resources& resources);

    /// Begins a phase at `now`; all its lines have `marker` in their addresses. `phase` must outlive its execution.
    void begin(const HostPhase& phase, Slot now, std::uint64_t marker);
    /// Simulates as far as answers are known, but not beyond `until`. Returns when to call it again; kNever if not
    /// before a fill or a finished write-back.
    Slot advance(Slot until);
    void fill(std::uint64_t line, Slot now, const unsigned char* data);
    void fetch_again(std::uint64_t line, Slot now);
    void written(Slot now);
    /// True if all instructions have ended and all lines have come; `end()` is then the time of the end.
    bool done() const { return done_; }
    Slot end() const { return end_; }
    /// Takes out the next dirty line, which becomes clean; false if there is none.
    bool clean(CoreWrite& write);

    const HostCoreCounts& counts() const { return counts_; }
    bool drained() const { return open_.empty() && writes_out_ == 0 && (done_ || phase_ == nullptr); }

  private:
    static constexpr std::uint64_t kNone = ~std::uint64_t{0};
    /// An operation in the reorder buffer. Its number identifies it; numbers count on over all phases.
    struct Entry {
        HostOperation operation;
        bool known = false; ///< true if `done` is known
        unsigned waits = 0; ///< number of operands whose time is not known
        Slot earliest = 0, done = 0;
        std::vector<std::uint64_t> dependants;
    };
    struct Waiting {
        std::uint64_t entry;
        bool store;
        ByteMask mask;
    };

    void issue(const HostOperation& operation, Slot at);
    Entry& entry(std::uint64_t id) { return window_[id - first_]; }
    void depend(std::uint64_t id, std::uint64_t on);
    void start(std::uint64_t id);
    void look_up(std::uint64_t id, Slot now, bool again);
    void resolve(std::uint64_t id, Slot at);
    void settle();
    bool retire_to(std::uint64_t number, Slot& at);
    bool can_fetch() const { return open_.size() < config_.miss_registers && writes_out_ < config_.write_buffer; }
    void feed_starved(Slot now);
    void install(std::uint64_t line, Slot now, const unsigned char* data);
    HostCaches::Took use(std::uint64_t line, bool store, ByteMask mask, Slot at);

    HostCoreConfig config_;
    Memory& memory_;
    HostCaches& caches_;
    DataHooks* hooks_;
    unsigned core_;
    Slot cycle_; ///< slots in a cycle

    const HostPhase* phase_ = nullptr;
    std::uint64_t marker_ = 0;
    HostCursor cursor_;
    std::deque<Entry> window_;
    std::uint64_t first_ = 0;                        ///< number of the window's first entry
    std::uint64_t dispatched_ = 0, retired_ = 0;     ///< numbers of instructions of the phase
    Slot dispatched_at_ = 0, retired_at_ = 0;        ///< times of the last of them
    std::vector<std::uint64_t> item_loads_;          ///< of the item that enters
    std::uint64_t last_load_ = kNone, node_ = kNone; ///< of all items so far
    std::deque<std::uint64_t> starts_;
    std::deque<std::uint64_t> starved_;                            ///< entries that wait for a miss register
    std::unordered_map<std::uint64_t, std::vector<Waiting>> open_; ///< lines being fetched, with the entries that wait
    unsigned writes_out_ = 0;
    bool done_ = true;
    Slot end_ = 0;
    HostCoreCounts counts_;
};

} // namespace numavp
