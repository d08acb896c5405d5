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
#include "models/paging/placement_kind.h"
#include "models/paging/row_permutation.h"

namespace numavp {

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

/// Place of a page. It never changes during a simulation, so callers may keep copies.
struct PageEntry {
    /// First line of the page: a physical line address (byte address / 128), or with interleaved lines the index
    /// of AddressLayout::interleaved. A multiple of the lines of a page.
    std::uint64_t first_line = 0;
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
        for (std::size_t i = first_slot(virtual_page);; i = (i + 1) & slot_mask_) {
            Slot& slot = slots_[i];
            if (slot.key == kNoPage) return touch(virtual_page, toucher, failed);
            if ((slot.key & kPageMask) != virtual_page) continue;
            if (slot.key >> kPageBits != toucher_of(toucher)) note_sharing(slot);
            return slot.entry;
        }
    }
    /// Prefetches the memory that entry() will read.
    void prefetch(std::uint64_t virtual_page) const { __builtin_prefetch(&slots_[first_slot(virtual_page)]); }
    PhysicalAddress address(PageEntry entry, std::uint64_t virtual_line) const {
        const std::uint64_t line = entry.first_line | (virtual_line & line_mask_);
        return interleaves_ ? interleaved(line) : line << kLineShift;
    }
    std::uint64_t page_of(std::uint64_t virtual_line) const { return virtual_line >> page_line_bits_; }

    const AddressLayout& layout() const { return layout_; }
    /// Number of pages that have been touched.
    std::uint64_t pages() const { return pages_; }
    /// Of these, the pages that more than one toucher has met. Who keeps entries by page is seen at the first look-up
    /// alone.
    std::uint64_t shared_pages() const { return shared_pages_; }
    /// Bytes of a memory that are taken by pages.
    std::uint64_t allocated_bytes(MemoryId memory) const;
    /// The first failure so far, and a sentence for the user: which page has no place, and the limit it hits.
    PageFailure failure() const { return failure_; }
    const std::string& failure_sentence() const { return failure_sentence_; }

  private:
    // The smallest page leaves twelve bits of a key beside a page's number: for who touched it first.
    static constexpr unsigned kPageBits = 52;
    static constexpr std::uint64_t kPageMask = (std::uint64_t{1} << kPageBits) - 1;
    static constexpr std::uint64_t kNoPage = ~std::uint64_t{0};
    static constexpr std::uint64_t kShared = 0xffe; ///< in the place of a toucher
    struct Slot {
        std::uint64_t key = kNoPage;
        PageEntry entry;
    };
    PhysicalAddress interleaved(std::uint64_t line) const {
        if (!permutes_) return layout_.interleaved(line);
        return layout_.address(rows_.memory_of(line), rows_.line_in_memory(line) << kLineShift);
    }
    /// Touchers from 4,093 on count as one.
    static std::uint64_t toucher_of(SocketId toucher) { return std::min<std::uint64_t>(toucher.value, kShared - 1); }
    void note_sharing(Slot& slot) {
        if (slot.key >> kPageBits == kShared) return;
        slot.key = (slot.key & kPageMask) | kShared << kPageBits;
        ++shared_pages_;
    }

    /// Four neighbouring pages share 64 bytes; beyond that pages are scattered.
    std::size_t first_slot(std::uint64_t page) const {
        return (((page >> 2) * 0x9e3779b97f4a7c15ULL) >> group_shift_) << 2 | (page & 3);
    }
    PageEntry touch(std::uint64_t virtual_page, SocketId toucher, bool& failed);
    MemoryId near_memory(SocketId toucher) const;
    bool frame_for(std::uint64_t virtual_page, SocketId toucher, PageEntry& entry);
    bool fail(PageFailure failure, std::uint64_t virtual_page);
    std::string why_full() const;
    void resize(unsigned bits);
    void insert(std::uint64_t key, PageEntry entry);

    PageTableParams params_;
    AddressLayout layout_;
    PagePlacement& placement_;
    bool interleaves_, permutes_;
    RowPermutation rows_;     ///< if it permutes
    unsigned page_line_bits_; ///< log2 of the lines of a page
    std::uint64_t line_mask_;
    std::uint64_t pages_ = 0, shared_pages_ = 0;
    MemoryUse use_;
    std::vector<Slot> slots_; ///< open addressing, at most half full
    std::size_t slot_mask_ = 0;
    unsigned group_shift_ = 0;
    PageFailure failure_ = PageFailure::none;
    std::string failure_sentence_;
};

} // namespace numavp
