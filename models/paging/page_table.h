/// Maps virtual pages to physical lines; pages are placed at first touch, in no simulated time.
///
/// Not modelled here: walks, faults and their latency, pages that move or are freed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/values/address_layout.h"
#include "base/values/types.h"
#include "models/paging/page_slots.h"
#include "models/paging/placement_kind.h"
#include "models/paging/row_permutation.h"

namespace numavp {

class MulticastMap;
class PagePlacement;

struct PageTableParams {
    unsigned memories = 1;
    std::uint64_t capacity_bytes = 0; ///< of each memory, or of the largest
    std::uint64_t page_bytes = 65536; ///< a power of two from 4 KB to 2 MB
    unsigned address_bits = 48;       ///< of virtual and physical addresses, 32 to 64
    std::uint64_t reserved_bytes = 0; ///< at the end of each memory, for page tables; whole pages
    /// For each socket, the memories in which its own pages should lie; empty: each socket's own_memory().
    std::vector<std::vector<MemoryId>> near{};
    /// Of each memory, where they differ; empty: all have `capacity_bytes`. Lines can't go round such memories.
    std::vector<std::uint64_t> own_bytes{};
    std::uint64_t bytes_of(std::size_t memory) const { return own_bytes.empty() ? capacity_bytes : own_bytes[memory]; }
    /// For pages, of these memories together.
    std::uint64_t room(const std::vector<MemoryId>& some) const {
        std::uint64_t sum = 0;
        for (const MemoryId memory : some) sum += bytes_of(memory.value) - reserved_bytes;
        return sum;
    }

    /// Describes the first contradiction between the parameters, in one sentence; empty if there is none.
    std::string check() const;
};

/// Reason for which a page has no place.
enum class PageFailure : std::uint8_t { none, memories_full, address_too_wide };

/// Frames are given out in ascending order, in each memory or, with interleaved lines, in all memories as one: there
/// the k-th page touched has the lines [k, k + 1) times the lines of a page.
class PageTable {
  public:
    /// Throws ConfigError with the sentence of params.check() if that is not empty.
    PageTable(const PageTableParams& params, PagePlacement& placement);

    /// Physical byte address of virtual line `virtual_line` (virtual byte address / 128). A page that was never touched
    /// is placed for `toucher`. Sets `failed` to true if there is no place, else leaves it as it is.
    PhysicalAddress translate(std::uint64_t virtual_line, SocketId toucher, bool& failed) {
        return address(entry(page_of(virtual_line), toucher, failed), virtual_line);
    }

    /// The two halves of translate(), for a caller that keeps entries by page.
    PageEntry entry(std::uint64_t virtual_page, SocketId toucher, bool& failed) {
        if (__builtin_expect(!views_.empty(), 0)) return entry_in_turn(virtual_page, toucher, failed);
        return look_up(virtual_page, toucher, failed);
    }
    /// Prefetches the memory that entry() will read.
    void prefetch(std::uint64_t virtual_page) const {
        if (views_.empty()) slots_.prefetch(virtual_page);
    }
    /// From now on touchers of several workers look up pages at a time, each those of its own number below `touchers`:
    /// what one has not seen before is asked for when the workers before it have ended the pass (Team::await_turn()).
    void share(unsigned touchers) { views_.resize(touchers); }
    PhysicalAddress address(PageEntry entry, std::uint64_t virtual_line) const {
        const std::uint64_t line = entry.first_line | (virtual_line & line_mask_);
        return interleaves_ ? interleaved(line) : line << kLineShift;
    }
    std::uint64_t page_of(std::uint64_t virtual_line) const { return virtual_line >> page_line_bits_; }

    /// Pages of multicast arrays have the places that the map gives them, in no memory; before the simulation starts.
    void set_multicast(const MulticastMap& arrays) { multicast_ = &arrays; }

    const AddressLayout& layout() const { return layout_; }
    /// Number of pages that have been touched.
    std::uint64_t pages() const { return slots_.size(); }
    /// Of these, the pages that more than one toucher has met. Who keeps entries by page is seen at the first look-up
    /// alone.
    std::uint64_t shared_pages() const { return shared_pages_; }
    /// Bytes of a memory that are taken by pages.
    std::uint64_t allocated_bytes(MemoryId memory) const;
    /// The first failure so far, and a sentence for the user: which page has no place, and the limit it hits.
    PageFailure failure() const { return failure_; }
    const std::string& failure_sentence() const { return failure_sentence_; }

  private:
    static constexpr std::uint64_t kShared = 0xffe; ///< in the place of a toucher
    PhysicalAddress interleaved(std::uint64_t line) const {
        if (!permutes_) return layout_.interleaved(line);
        return layout_.address(rows_.memory_of(line), rows_.line_in_memory(line) << kLineShift);
    }
    /// Touchers from 4,093 on count as one.
    static std::uint64_t toucher_of(SocketId toucher) { return std::min<std::uint64_t>(toucher.value, kShared - 1); }
    void note_sharing(PageSlots::Slot& slot) {
        if (slot.note() == kShared) return;
        slot.set_note(kShared);
        ++shared_pages_;
    }
    PageEntry look_up(std::uint64_t virtual_page, SocketId toucher, bool& failed) {
        PageSlots::Slot* const slot = slots_.find(virtual_page);
        if (!slot) return touch(virtual_page, toucher, failed);
        if (slot->note() != toucher_of(toucher)) note_sharing(*slot);
        return slot->entry;
    }
    PageEntry entry_in_turn(std::uint64_t virtual_page, SocketId toucher, bool& failed);
    PageEntry touch(std::uint64_t virtual_page, SocketId toucher, bool& failed);
    MemoryId near_memory(SocketId toucher) const;
    bool frame_for(std::uint64_t virtual_page, SocketId toucher, PageEntry& entry);
    bool fail(PageFailure failure, std::uint64_t virtual_page);
    std::string why_full() const;

    PageTableParams params_;
    AddressLayout layout_;
    PagePlacement& placement_;
    const MulticastMap* multicast_ = nullptr; ///< null: there is no multicast array
    bool interleaves_, permutes_;
    RowPermutation rows_;     ///< if it permutes
    unsigned page_line_bits_; ///< log2 of the lines of a page
    std::uint64_t line_mask_;
    std::uint64_t shared_pages_ = 0;
    MemoryUse use_;
    PageSlots slots_;              ///< noted: who touched the page first
    std::vector<PageSlots> views_; ///< what each toucher has seen; empty with one worker
    PageFailure failure_ = PageFailure::none;
    std::string failure_sentence_;
};

} // namespace numavp
