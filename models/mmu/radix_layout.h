/// Layout of the page table: a radix tree of 4 KiB table pages, 512 words of 8 bytes, 9 page-number bits a level.
///
/// Plain C++. The driver's sources have the same in C; a test compares the two.
#pragma once

#include <cstdint>

#include "base/values/address_layout.h"

namespace numavp {

/// A word of the table: bit 0 valid, bit 1 leaf, bit 2 moving (the page is on its way to another memory; not valid),
/// bit 3 replicated, from bit 12 on the physical byte address of the page or of the next table page.
///
/// A leaf that is replicated has from bit 8 on the address of the page's table of replicas: a word for each socket, a
/// leaf with the frame that this socket reads. In such a word, replicated says that the frame is the socket's own.
struct TableWord {
    static constexpr std::uint64_t kValid = 1, kLeaf = 2, kMoving = 4, kReplicated = 8, kAddress = ~std::uint64_t{4095},
                                   kReplicas = ~std::uint64_t{255};
    std::uint64_t bits = 0;
    static constexpr TableWord table(PhysicalAddress next) { return {(next & kAddress) | kValid}; }
    static constexpr TableWord page(PhysicalAddress frame) { return {(frame & kAddress) | kValid | kLeaf}; }
    constexpr bool valid() const { return (bits & kValid) != 0; }
    constexpr bool leaf() const { return (bits & kLeaf) != 0; }
    constexpr bool moving() const { return (bits & kMoving) != 0; }
    constexpr bool replicated() const { return (bits & kReplicated) != 0; }
    constexpr PhysicalAddress address() const { return bits & kAddress; }
    /// Address of a socket's word, by the leaf of a page with replicas.
    constexpr PhysicalAddress replica_at(unsigned socket) const {
        return (bits & kReplicas) + 8 * PhysicalAddress{socket};
    }
};

class RadixLayout {
  public:
    static constexpr unsigned kBits = 9;
    static constexpr std::uint64_t kTableBytes = 4096;

    RadixLayout(unsigned address_bits, unsigned page_shift)
        : page_bits_(address_bits - page_shift), page_shift_(page_shift), levels_((page_bits_ + kBits - 1) / kBits) {}

    unsigned levels() const { return levels_; }
    unsigned address_bits() const { return page_bits_ + page_shift_; }
    unsigned page_shift() const { return page_shift_; }
    std::uint64_t page_bytes() const { return std::uint64_t{1} << page_shift_; }
    /// True if the page number is within the virtual addresses.
    bool contains(std::uint64_t page) const { return page >> page_bits_ == 0; }
    /// Index of a page's word in its table page at a level; level 0 has the leaves, `levels() - 1` is the root, which
    /// takes the remaining bits.
    static constexpr unsigned index(unsigned level, std::uint64_t page) {
        return static_cast<unsigned>(page >> (kBits * level)) & ((1U << kBits) - 1);
    }
    static constexpr PhysicalAddress word_at(PhysicalAddress table, unsigned level, std::uint64_t page) {
        return table + 8 * index(level, page);
    }

  private:
    unsigned page_bits_, page_shift_, levels_;
};

} // namespace numavp
