/// Merging of changed bytes into a line.
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

} // namespace numavp
