/// Natural order: a sorted list, of which each pair must compare as it stands.
#include <string_view>

#include <gtest/gtest.h>

#include "base/values/natural_order.h"

namespace numavp {
namespace {

TEST(NaturalOrder, EveryPairOfASortedListComparesAsItStands) {
    constexpr std::string_view sorted[] = {
        "",
        "007",
        "07",
        "7",
        "8",
        "10",
        "99999999999999999998",
        "99999999999999999999",
        "a",
        "a00b",
        "a0b",
        "a1",
        "a1b",
        "a01c",
        "a2",
        "a10",
        "aa",
        "l1.hits",
        "l2.hits",
        "socket2",
        "socket2.sm9",
        "socket2.sm10",
        "socket10",
        "socket10.sm1",
        "sockets",
        "z",
    };
    const auto sign = [](int v) { return v < 0 ? -1 : v > 0; };
    for (std::size_t i = 0; i < std::size(sorted); ++i)
        for (std::size_t j = 0; j < std::size(sorted); ++j)
            EXPECT_EQ(sign(compare_natural(sorted[i], sorted[j])), i < j ? -1 : i > j)
                << sorted[i] << " and " << sorted[j];
}

} // namespace
} // namespace numavp
