/// Interface between a socket's MMU and the load-store units of its SMs. Plain C++.
#pragma once

#include <cstdint>

#include "base/stats/histogram.h"
#include "models/mmu/mmu_config.h"
#include "models/mmu/translation.h"

namespace numavp {

/// Translation counts of the SMs of a socket.
struct TranslationCounts {
    std::uint64_t l1_hits = 0;   ///< line accesses that found their page
    std::uint64_t l1_misses = 0; ///< operations that had to wait for a page; once for each page
    std::uint64_t behind = 0;    ///< operations that waited behind one of their warp
    std::uint64_t full = 0;      ///< times that the head of a unit's queue found no place to wait
    Histogram wait_ps;           ///< of each operation for each page, from the look-up to the answer
};

/// An SM's load-store unit, as its MMU sees it.
class TranslationUser {
  public:
    /// The answer to `Translator::request()`, in arbitration: the user acts on it at its next edge.
    virtual void translated(std::uint64_t page, Translation entry) = 0;
    /// The page's entry is not valid any more: the user must drop it.
    virtual void forget(std::uint64_t page) = 0;
    /// Accesses from now on belong to a new epoch. True: some of the older epoch are under way, and the user calls
    /// `Translator::epoch_ended()` when they have ended. Must not be called again before.
    virtual bool new_epoch() = 0;
    /// Drops the lines [first, first + bytes) from the L1; none of them is on its way.
    virtual void drop_lines(PhysicalAddress first, std::uint64_t bytes) = 0;

  protected:
    ~TranslationUser() = default;
};

/// A socket's MMU, as its SMs see it.
class Translator {
  public:
    explicit Translator(const MmuConfig& config) : config_(config) {}
    /// Asks for a page; `TranslationUser::translated()` is called later. An SM has at most one open request for a page.
    /// The answer to one that writes may be read-only all the same, if it was on its way: then ask again.
    virtual void request(unsigned sm, std::uint64_t page, bool write) = 0;
    /// Ideal translation: finds the place of a page in no time; false if it has none.
    virtual bool at_once(std::uint64_t page, Translation& entry) = 0;
    /// Counts an access that an SM has sent to a page of another memory.
    virtual void sent_remote(std::uint64_t page) = 0;
    virtual void epoch_ended() = 0;

    const MmuConfig& config() const { return config_; }
    TranslationCounts counts;

  protected:
    ~Translator() = default;
    MmuConfig config_;
};

} // namespace numavp
