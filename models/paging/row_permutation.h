/// Address map that permutes memories by rows (PAE of Liu et al., "Get Out of the Valley", ISCA 2018; NUBA, section 2):
/// the bits that select a memory are XORed with the bits of the row above them, so that pages and strides of any power
/// of two are spread over all memories, and the lines of a row stay together.
///
/// Not modelled: the paper's search for a matrix. It draws which bits of the row enter each bit of the memory; here all
/// of them do, folded. Banks are permuted in the same way by the device's address map ("scatter").
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/values/address_layout.h"
#include "base/values/types.h"

namespace numavp {

class RowPermutation {
  public:
    /// `memories` and `row_lines` are powers of two.
    RowPermutation(unsigned memories, unsigned row_lines)
        : memory_bits_(bits_for(memories)), line_bits_(bits_for(row_lines)) {}

    /// Memory of the line with this index in all memories taken together.
    MemoryId memory_of(std::uint64_t line) const {
        const std::uint64_t row = line >> line_bits_;
        return MemoryId((row & mask()) ^ folded(row >> memory_bits_));
    }
    /// Index of the line in its memory.
    std::uint64_t line_in_memory(std::uint64_t line) const {
        const std::uint64_t below = line & ((std::uint64_t{1} << line_bits_) - 1);
        return ((line >> line_bits_ >> memory_bits_) << line_bits_) | below;
    }
    /// The inverse of both.
    std::uint64_t line_of(MemoryId memory, std::uint64_t line_in_memory) const {
        const std::uint64_t row = line_in_memory >> line_bits_;
        const std::uint64_t below = line_in_memory & ((std::uint64_t{1} << line_bits_) - 1);
        return ((row << memory_bits_ | (memory.value ^ folded(row))) << line_bits_) | below;
    }

    /// Number of lines below `line` that lie in the memory.
    std::uint64_t lines_below(std::uint64_t line, MemoryId memory) const {
        const std::uint64_t row_lines = std::uint64_t{1} << line_bits_;
        std::uint64_t count = line >> line_bits_ >> memory_bits_ << line_bits_; // rounds in which each memory has a row
        for (std::uint64_t first = count << memory_bits_; first < line; first += row_lines)
            if (memory_of(first) == memory) count += std::min(row_lines, line - first);
        return count;
    }

  private:
    std::uint64_t mask() const { return (std::uint64_t{1} << memory_bits_) - 1; }
    std::uint64_t folded(std::uint64_t row) const {
        std::uint64_t bits = 0;
        for (; memory_bits_ != 0 && row != 0; row >>= memory_bits_) bits ^= row;
        return bits & mask();
    }

    unsigned memory_bits_;
    unsigned line_bits_;
};

} // namespace numavp
