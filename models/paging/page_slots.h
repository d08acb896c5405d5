/// Places of pages by number: a table with open addressing, at most half full, whose slots keep the order in which
/// neighbouring pages are used together.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/values/types.h"

namespace numavp {

/// Place of a page. It never changes during a simulation, so callers may keep copies.
struct PageEntry {
    /// First line of the page: a physical line address (byte address / 128), or with interleaved lines the index
    /// of AddressLayout::interleaved. A multiple of the lines of a page.
    std::uint64_t first_line = 0;
};

class PageSlots {
  public:
    // The smallest page leaves twelve bits of a key beside a page's number, for a note of the table's owner.
    static constexpr unsigned kPageBits = 52;
    static constexpr std::uint64_t kPageMask = (std::uint64_t{1} << kPageBits) - 1;
    static constexpr std::uint64_t kNoPage = ~std::uint64_t{0};
    struct Slot {
        std::uint64_t key = kNoPage;
        PageEntry entry;
        std::uint64_t note() const { return key >> kPageBits; }
        void set_note(std::uint64_t note) { key = (key & kPageMask) | note << kPageBits; }
    };

    PageSlots() { resize(kFirstSlotBits); }
    /// Null if the page is not there.
    Slot* find(std::uint64_t page) {
        for (std::size_t i = first_slot(page);; i = (i + 1) & slot_mask_) {
            Slot& slot = slots_[i];
            if (slot.key == kNoPage) return nullptr;
            if ((slot.key & kPageMask) == page) return &slot;
        }
    }
    void insert(std::uint64_t page, std::uint64_t note, PageEntry entry) {
        if (2 * (pages_ + 1) > slots_.size()) resize(slot_bits_ + 1);
        ++pages_;
        place(page | note << kPageBits, entry);
    }
    /// Prefetches what find() will read.
    void prefetch(std::uint64_t page) const { __builtin_prefetch(&slots_[first_slot(page)]); }
    /// Number of pages.
    std::uint64_t size() const { return pages_; }

  private:
    static constexpr unsigned kFirstSlotBits = 10;
    /// Four neighbouring pages share 64 bytes; beyond that pages are scattered.
    std::size_t first_slot(std::uint64_t page) const {
        return (((page >> 2) * 0x9e3779b97f4a7c15ULL) >> group_shift_) << 2 | (page & 3);
    }
    void place(std::uint64_t key, PageEntry entry) {
        std::size_t i = first_slot(key & kPageMask);
        while (slots_[i].key != kNoPage) i = (i + 1) & slot_mask_;
        slots_[i] = {key, entry};
    }
    void resize(unsigned bits) {
        std::vector<Slot> old(std::size_t{1} << bits);
        old.swap(slots_);
        slot_bits_ = bits;
        slot_mask_ = slots_.size() - 1;
        group_shift_ = 64 - (bits - 2);
        for (const Slot& slot : old)
            if (slot.key != kNoPage) place(slot.key, slot.entry);
    }

    std::vector<Slot> slots_;
    std::size_t slot_mask_ = 0;
    unsigned slot_bits_ = 0;
    unsigned group_shift_ = 0;
    std::uint64_t pages_ = 0;
};

} // namespace numavp
