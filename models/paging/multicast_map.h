/// Multicast arrays: virtual ranges that stand for several arrays of one size, one in each member's memory.
///
/// A page of such an array has a physical address of a reduction unit, as if the unit were a memory: its number in the
/// high bits, then a frame. Consecutive pages go round the units. The unit asks here which lines a line stands for; the
/// members' lines have their own places in the page table.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/values/types.h"
#include "models/paging/page_slots.h"
#include "sw/work/workload.h"

namespace numavp {

/// One of the arrays that a multicast array stands for.
struct MulticastMember {
    std::uint64_t base = 0; ///< virtual byte address
    SocketId socket;        ///< that it was given to
};

struct MulticastArray {
    std::uint64_t base = 0; ///< virtual byte address, as its members' the first of a page
    std::uint64_t bytes = 0;
    SumElement element = SumElement::fp32;
    std::vector<MulticastMember> members{};
};

class MulticastMap {
  public:
    struct Units {
        unsigned first = 0;        ///< number, as that of a memory, of the first unit
        unsigned count = 0;        ///< 0: the machine has none
        unsigned socket_shift = 0; ///< of physical addresses
    };
    MulticastMap(const Units& units, std::uint64_t page_bytes);

    /// Adds an array; only if there are units.
    void add(MulticastArray array);
    bool empty() const { return arrays_.empty(); }
    /// Physical place of a virtual page; nothing if no multicast array has it.
    std::optional<PageEntry> place(std::uint64_t virtual_page) const;

    /// What a physical line of a unit stands for.
    struct Target {
        const MulticastArray* array = nullptr;
        std::uint64_t offset = 0; ///< bytes from the array's first
        /// Virtual line number (byte address / 128) of a member's line.
        std::uint64_t line_of(unsigned member) const { return (array->members[member].base + offset) >> kLineShift; }
    };
    /// ModelError if the line lies in no array.
    Target target(std::uint64_t physical) const;

  private:
    struct Placed {
        MulticastArray array;
        std::uint64_t first_page = 0, pages = 0; ///< virtual
        std::uint64_t number = 0;                ///< of the first page, among all pages of multicast arrays
    };
    Units units_;
    std::uint64_t page_bytes_;
    std::vector<Placed> arrays_;
    std::uint64_t pages_ = 0;
};

} // namespace numavp
