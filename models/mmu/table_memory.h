/// The present content of the page table: its words by physical address, and functions to read and change entries.
///
/// Walks are timed as transactions; they take a word from here when its read is answered. A module that changes the
/// table (the driver's stores, a placement in no time) writes here when the store is performed.
#pragma once

#include <cstdint>
#include <functional>

#include "base/values/types.h"
#include "models/mmu/radix_layout.h"
#include "models/mmu/translation.h"
#include "tlm-links/protocol/flat_memory.h"

namespace numavp {

class TableMemory {
  public:
    TableWord read(PhysicalAddress word) const;
    void write(PhysicalAddress word, TableWord value);
    /// Called for every write, so that the data of a functional run can follow.
    std::function<void(PhysicalAddress word, TableWord value)> on_write;

  private:
    FlatMemory memory_;
};

/// Place of table pages: page k in allocation order lies in memory `first + k mod memories`, from `base` upwards.
struct TableRegion {
    MemoryId first;            ///< memory of the root
    unsigned memories = 1;     ///< that take turns
    unsigned socket_shift = 0; ///< of physical addresses
    std::uint64_t base = 0;    ///< offset in each of these memories
    std::uint64_t frames = 0;  ///< table pages in each of them
    std::uint64_t pages() const { return frames * memories; }
    PhysicalAddress page(std::uint64_t k) const {
        return (PhysicalAddress{first.value + k % memories} << socket_shift) + base +
               k / memories * RadixLayout::kTableBytes;
    }
    PhysicalAddress root() const { return page(0); }
    bool contains(PhysicalAddress address) const {
        const std::uint64_t memory = address >> socket_shift;
        const std::uint64_t offset = address - (memory << socket_shift);
        return memory >= first.value && memory < first.value + memories && offset >= base &&
               offset - base < frames * RadixLayout::kTableBytes;
    }
};

/// Reads the table in no time; also writes it, in systems where no driver does.
class RadixTable {
  public:
    RadixTable(const RadixLayout& layout, const TableRegion& region, TableMemory& memory)
        : layout_(layout), region_(region), memory_(memory) {}
    const RadixLayout& layout() const { return layout_; }
    const TableRegion& region() const { return region_; }
    TableMemory& memory() { return memory_; }
    const TableMemory& memory() const { return memory_; }

    /// True if the address is that of a word of the table.
    bool contains(PhysicalAddress word) const { return region_.contains(word); }
    /// Address of the leaf entry of a page; 0 if no table for the page exists.
    PhysicalAddress slot(std::uint64_t page) const;
    /// The leaf entry of a page, valid or not; zero if no table for the page exists.
    TableWord leaf(std::uint64_t page) const {
        const PhysicalAddress at = slot(page);
        return at == 0 ? TableWord{} : memory_.read(at);
    }
    /// The word of a page's table of replicas that a socket uses, by its leaf.
    TableWord replica(TableWord leaf, unsigned socket) const { return memory_.read(leaf.replica_at(socket)); }
    /// Finds the place that a page has for a socket; false if the page has no valid leaf.
    bool find(std::uint64_t page, SocketId reader, Translation& entry) const;
    /// Finds the place of a page that a driver has evicted to the host: its leaf is invalid and has the place there.
    bool find_on_host(std::uint64_t page, PageEntry& entry) const;
    /// Maps a page and creates missing tables above it. False if there is no room for one of these.
    bool map(std::uint64_t page, PhysicalAddress frame) { return write_leaf(page, TableWord::page(frame)); }
    /// The same with any word as the leaf.
    bool write_leaf(std::uint64_t page, TableWord leaf);
    /// Number of table pages that are in use, with the root.
    std::uint64_t table_pages() const { return table_pages_; }

  private:
    RadixLayout layout_;
    TableRegion region_;
    TableMemory& memory_;
    std::uint64_t table_pages_ = 1;
};

} // namespace numavp
