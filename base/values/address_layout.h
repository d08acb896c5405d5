/// Layout of physical addresses: the number of a memory in the upper bits, the offset in that memory below.
#pragma once

#include <cstdint>

#include "base/values/types.h"

namespace numavp {

/// Physical byte address: memory << socket_shift | offset, where 2^socket_shift is the smallest power of two that
/// holds one memory. Offsets from the capacity up to it are unused.
using PhysicalAddress = std::uint64_t;

/// Bits that `count` values need: the smallest b with 2^b >= count.
constexpr unsigned bits_for(std::uint64_t count) {
    unsigned bits = 0;
    while (bits < 64 && (std::uint64_t{1} << bits) < count) ++bits;
    return bits;
}

/// The layout of a system with equal memories. Line interleaving puts line i of the whole memory (i = offset of
/// the byte / 128, all memories taken together) into memory i mod n at line i div n; the inverse is
/// i = line * n + memory. Both ways are exact for every n, and i < n * lines of a memory on one side if and only
/// if line < lines of a memory on the other.
class AddressLayout {
  public:
    AddressLayout(unsigned memories, std::uint64_t capacity_bytes)
        : memories_(memories), memory_bits_(bits_for(memories)), socket_shift_(bits_for(capacity_bytes)) {}

    unsigned memories() const { return memories_; }
    unsigned socket_shift() const { return socket_shift_; }
    /// Width of the widest physical address.
    unsigned address_bits() const { return socket_shift_ + memory_bits_; }

    PhysicalAddress address(MemoryId memory, std::uint64_t offset) const {
        return (PhysicalAddress{memory.value} << socket_shift_) | offset;
    }
    MemoryId memory_of(PhysicalAddress address) const { return MemoryId(address >> socket_shift_); }
    std::uint64_t offset(PhysicalAddress address) const {
        return address & ((PhysicalAddress{1} << socket_shift_) - 1);
    }

    /// Address of the first byte of line `index` of the interleaved memory.
    PhysicalAddress interleaved(std::uint64_t index) const {
        if ((memories_ & (memories_ - 1)) == 0)
            return address(MemoryId(index & (memories_ - 1)), (index >> memory_bits_) << kLineShift);
        return address(MemoryId(index % memories_), (index / memories_) << kLineShift);
    }
    /// The inverse: index of the line that `address` lies in.
    std::uint64_t interleaved_index(PhysicalAddress address) const {
        return (offset(address) >> kLineShift) * memories_ + memory_of(address).value;
    }

  private:
    unsigned memories_;
    unsigned memory_bits_;
    unsigned socket_shift_;
};

} // namespace numavp
