/// Merging of changed bytes into a line, and the addition of an atomic.
#pragma once

#include <cstring>

#include "base/values/types.h"

namespace numavp {

inline void merge_bytes(unsigned char* into, const unsigned char* from, ByteMask mask) {
    if (mask.all()) {
        std::memcpy(into, from, kLineBytes);
        return;
    }
    for (unsigned i = 0; i < kLineBytes; ++i)
        if (mask.test(i)) into[i] = from[i];
}

/// Adds the operand's words of `mask` to those of the line; `before` gets the old ones.
inline void add_words(unsigned char* line, const unsigned char* operand, unsigned char* before, ByteMask mask) {
    for (unsigned i = 0; i < kLineBytes; i += 4) {
        if (!mask.test(i)) continue;
        std::uint32_t word, added;
        std::memcpy(&added, operand + i, 4);
        std::memcpy(&word, line + i, 4);
        const std::uint32_t sum = word + added;
        std::memcpy(before + i, &word, 4);
        std::memcpy(line + i, &sum, 4);
    }
}

} // namespace numavp
