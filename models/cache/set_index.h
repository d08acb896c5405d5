/// Rules by which lines of an L2 slice find their set (TagArray::spread_evenly).
#pragma once

#include <cstdint>

#include "base/values/name_table.h"

namespace numavp {

enum class SetIndex : std::uint8_t { folded, even };

inline constexpr NameTable<SetIndex> kSetIndices{
    "set index",
    {
        {SetIndex::folded, "folded", "the line's address, its higher bits folded in: sets fill unevenly"},
        {SetIndex::even, "even", "the line's place among those of its slice: consecutive lines fill all sets alike"},
    }};

} // namespace numavp
