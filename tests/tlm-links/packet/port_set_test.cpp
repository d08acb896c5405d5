/// Sets of a router's ports beside a list of them.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "tlm-links/packet/port_set.h"

namespace numavp {
namespace {

const std::vector<unsigned>& some_ports() {
    static const std::vector<unsigned> ports = {0, 1, 62, 63, 64, 65, 126, 127};
    return ports;
}

/// Each subset of ports at the ends of both words.
template <class Check> void for_each_set(const Check& check) {
    for (unsigned mask = 1; mask < 1U << some_ports().size(); ++mask) {
        PortSet set;
        std::vector<unsigned> ports;
        for (unsigned i = 0; i < some_ports().size(); ++i) {
            if ((mask >> i & 1U) == 0) continue;
            set.add(some_ports()[i]);
            ports.push_back(some_ports()[i]);
        }
        check(set, ports);
    }
}

TEST(PortSet, GivesThePortsInTurnFromAnyPort) {
    for_each_set([](const PortSet& set, const std::vector<unsigned>& ports) {
        for (unsigned turn = 0; turn < PortSet::kSize; ++turn) {
            const auto later = std::lower_bound(ports.begin(), ports.end(), turn);
            ASSERT_EQ(set.in_turn(turn), later != ports.end() ? *later : ports.front()) << turn;
        }
    });
}

TEST(PortSet, PopsInOrderAndIsEmptyAtTheEnd) {
    for_each_set([](PortSet set, const std::vector<unsigned>& ports) {
        for (const unsigned port : ports) {
            ASSERT_TRUE(set.has(port));
            ASSERT_EQ(set.first(), port);
            ASSERT_EQ(set.pop(), port);
            ASSERT_FALSE(set.has(port));
        }
        ASSERT_TRUE(set.empty());
    });
}

TEST(PortSet, IsJoinedAndReducedInBothWords) {
    const PortSet low = PortSet::of(3), high = PortSet::of(100), both = low.with(high);
    EXPECT_TRUE(both.has(3));
    EXPECT_TRUE(both.has(100));
    EXPECT_FALSE(both.without(low).has(3));
    EXPECT_TRUE(both.without(low).has(100));
    EXPECT_TRUE(both.without(both).empty());
    PortSet removed = both;
    removed.remove(100);
    EXPECT_FALSE(removed.has(100));
    EXPECT_TRUE(removed.has(3));
}

} // namespace
} // namespace numavp
