/// 4 KiB of RAM in decoded form, as far as it has been executed: one entry per half-word.
#pragma once

#include <array>

#include "models/riscv/rv64_core.h"

namespace numavp {

struct Rv64Core::CodePage {
    static constexpr unsigned kShift = 12;
    static constexpr unsigned kHalfWords = 1U << (kShift - 1);
    /// Two places more than half-words: an encoding of four bytes may end behind the first half-word of the next page.
    std::array<Decoded, kHalfWords + 2> at;

    CodePage() { forget(); }
    void forget() {
        at.fill(Decoded{});
        at[kHalfWords].set(RvOp::page_end, 2);
        at[kHalfWords + 1].set(RvOp::page_end, 2);
    }
};

inline Rv64Core::CodePage* Rv64Core::page_at(std::uint64_t offset) {
    const std::uint64_t number = offset >> CodePage::kShift;
    CodePage* const page = pages_[number].get();
    return page != nullptr ? page : new_page(number);
}

} // namespace numavp
