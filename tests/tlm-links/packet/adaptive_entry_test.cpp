/// The routing adaptive_entry: by which terminal a request enters, with what waits at each given as numbers.
#include <algorithm>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "base/values/error.h"
#include "base/values/types.h"
#include "tests/tlm-links/packet/named_networks.h"
#include "tlm-links/packet/adaptive_entry.h"

namespace numavp::test {
namespace {

constexpr unsigned kRoom = 64, kFlits = 9;

/// gpu[0] of 4 with 4 cubes each, 2 terminals at each of its cubes: terminals 0 and 1 are at cube[0], 6 and 7 at
/// cube[3]. In a distributed flattened butterfly cube[4] is 2 routers away from cube[0] and 3 from the other cubes.
class AdaptiveEntries : public ::testing::Test {
  protected:
    explicit AdaptiveEntries(std::uint64_t seed = 1) : entry_(graph_, *system_.topology.routing, 0, Rng(seed)) {}

    unsigned terminal_of_cube(unsigned cube) const { return graph_.endpoints[4 + cube].terminals[0]; }
    unsigned send(std::uint64_t line, unsigned cube = 4) {
        return entry_.send({line * kLineBytes, terminal_of_cube(cube), kFlits}, room_, kRoom);
    }
    std::set<unsigned> taken(unsigned cube, unsigned lines = 200) {
        std::set<unsigned> found;
        for (unsigned i = 0; i < lines; ++i) found.insert(send(next_line_++, cube));
        return found;
    }

    NetworkSystem system_ = network("dfbfly-4g16h-random-entry");
    const NetworkGraph& graph_ = system_.topology.graph;
    AdaptiveEntry entry_;
    std::vector<unsigned> room_ = std::vector<unsigned>(8, kRoom);
    std::uint64_t next_line_ = 1000;
};

TEST_F(AdaptiveEntries, GoTheShortestWayWhereNobodyWaits) {
    EXPECT_EQ(taken(4), (std::set<unsigned>{0, 1}));
    EXPECT_EQ(taken(6), (std::set<unsigned>{4, 5}));
    EXPECT_EQ(taken(3), (std::set<unsigned>{6, 7})) << "a cube of its own";
}

TEST_F(AdaptiveEntries, TakeTheFewestRoutersTimesWaitingFlits) {
    std::fill(room_.begin(), room_.end(), kRoom - 20);
    room_[0] = kRoom - 15, room_[1] = kRoom - 16; // 2 x 15
    room_[5] = kRoom - 11;                        // 3 x 11
    EXPECT_EQ(taken(4), std::set<unsigned>{0});
    room_[5] = kRoom - 9; // 3 x 9
    EXPECT_EQ(taken(4), std::set<unsigned>{5});
    room_[5] = kRoom - 10; // both 30: the shorter way
    EXPECT_EQ(taken(4), std::set<unsigned>{0});
    room_[1] = room_[0];
    EXPECT_EQ(taken(4), (std::set<unsigned>{0, 1}));
}

TEST_F(AdaptiveEntries, EnterOnlyWhereThereIsRoomForAllFlits) {
    std::fill(room_.begin(), room_.end(), kFlits - 1);
    EXPECT_EQ(send(1), AdaptiveEntry::kNone);
    EXPECT_EQ(entry_.lines(), 0U) << "who waits is not on its way";
    room_[7] = kFlits;
    EXPECT_EQ(send(1), 7U);
}

TEST_F(AdaptiveEntries, DrawAmongEqualsByTheirOwnStream) {
    AdaptiveEntry same(graph_, *system_.topology.routing, 0, Rng(1));
    AdaptiveEntry other(graph_, *system_.topology.routing, 0, Rng(2));
    unsigned second = 0, differ = 0;
    for (std::uint64_t line = 0; line < 1000; ++line) {
        const AdaptiveEntry::Request request{line * kLineBytes, terminal_of_cube(4), kFlits};
        const unsigned terminal = entry_.send(request, room_, kRoom);
        ASSERT_EQ(same.send(request, room_, kRoom), terminal);
        second += terminal;
        differ += other.send(request, room_, kRoom) != terminal ? 1 : 0;
    }
    EXPECT_NEAR(second, 500, 60);
    EXPECT_NEAR(differ, 500, 60);
}

TEST_F(AdaptiveEntries, FollowARequestThatHasNoResponse) {
    const unsigned first = send(1);
    room_[first] = kRoom - 40;
    EXPECT_EQ(send(1), first) << "though more wait there";
    room_[first] = kFlits - 1;
    EXPECT_EQ(send(1), AdaptiveEntry::kNone) << "though others have room";
    room_[first] = kRoom - 40;
    EXPECT_NE(send(2), first) << "another line";
    EXPECT_EQ(entry_.lines(), 2U);
    entry_.answered(kLineBytes, graph_.endpoints[4 + 4].terminals[3]); // whatever terminal it comes from
    EXPECT_EQ(send(1), first) << "of two one has its response";
    entry_.answered(kLineBytes, terminal_of_cube(4));
    entry_.answered(kLineBytes, terminal_of_cube(4));
    EXPECT_EQ(entry_.lines(), 1U);
    EXPECT_NE(send(1), first);
}

TEST_F(AdaptiveEntries, FollowOnlyToTheSameEndpoint) {
    send(1, 4);
    const unsigned other = send(1, 6);
    EXPECT_TRUE(other == 4 || other == 5);
    entry_.answered(kLineBytes, terminal_of_cube(6));
    EXPECT_EQ(entry_.lines(), 1U);
    EXPECT_THROW(entry_.answered(kLineBytes, terminal_of_cube(6)), ModelError);
}

TEST(AdaptiveEntryOfASlice, ChoosesBetweenItsChannelsAlone) {
    const NetworkSystem system = network("sfbfly-4g16h");
    const NetworkGraph& graph = system.topology.graph;
    AdaptiveEntry entry(graph, *system.topology.routing, 1, Rng(1));
    std::vector<unsigned> room(8, kRoom);
    room[4] = kRoom - 1; // of cube[6], terminals 12 and 13
    for (std::uint64_t line = 0; line < 50; ++line)
        ASSERT_EQ(entry.send({line * kLineBytes, graph.endpoints[4 + 2].terminals[0], kFlits}, room, kRoom), 13U);
    room[5] = kFlits - 1;
    EXPECT_EQ(entry.send({50 * kLineBytes, graph.endpoints[4 + 2].terminals[0], kFlits}, room, kRoom), 12U);
    room[4] = 0;
    EXPECT_EQ(entry.send({51 * kLineBytes, graph.endpoints[4 + 2].terminals[0], kFlits}, room, kRoom),
              AdaptiveEntry::kNone);
}

} // namespace
} // namespace numavp::test
