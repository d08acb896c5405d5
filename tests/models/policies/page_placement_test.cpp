/// Page placement: homes as a table, then the contract over every policy.
#include <algorithm>
#include <numeric>
#include <string>

#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "models/paging/page_placement.h"
#include "tests/support/fast_build.h"

namespace numavp {
namespace {

struct Touch {
    std::uint64_t page;
    unsigned toucher;
};

/// Places each page, books it, and returns the homes; -1 where there was none.
std::vector<int> homes(PlacementKind kind, unsigned sockets, std::uint64_t capacity,
                       const std::vector<Touch>& touches) {
    const auto placement = make_page_placement(kind);
    MemoryUse use{std::vector<std::uint64_t>(sockets, 0), capacity};
    std::vector<int> result;
    for (const Touch& t : touches) {
        const auto home = placement->place(t.page, MemoryId(t.toucher), use);
        if (home) ++use.pages[home->value];
        result.push_back(home ? home->value : -1);
    }
    return result;
}

TEST(PagePlacement, HomesOfAListOfTouches) {
    const std::vector<Touch> touches = {{8, 3}, {9, 3}, {4, 2}, {3, 2}, {0, 3}, {7, 0}, {5, 1}};
    struct {
        const char* what;
        PlacementKind kind;
        std::uint64_t capacity;
        std::vector<int> homes;
    } const rows[] = {
        {"page number modulo sockets", PlacementKind::page_interleave, 9, {0, 1, 0, 3, 0, 3, 1}},
        {"in the order of touch", PlacementKind::round_robin, 9, {0, 1, 2, 3, 0, 1, 2}},
        {"who touches first", PlacementKind::first_touch, 9, {3, 3, 2, 2, 3, 0, 1}},
        // Two pages each: the overflow goes to the memory with the fewest pages, the lowest index among equals.
        {"first touch, full memories", PlacementKind::first_touch, 2, {3, 3, 2, 2, 0, 0, 1}},
        {"page interleave, full memories", PlacementKind::page_interleave, 2, {0, 1, 0, 3, 2, 3, 1}},
        {"drawn by the page's number", PlacementKind::random, 9, {1, 1, 3, 0, 2, 0, 0}},
        {"one page each", PlacementKind::first_touch, 1, {3, 0, 2, 1, -1, -1, -1}},
        {"one page each in turn", PlacementKind::round_robin, 1, {0, 1, 2, 3, -1, -1, -1}},
    };
    for (const auto& row : rows) EXPECT_EQ(homes(row.kind, 4, row.capacity, touches), row.homes) << row.what;
}

/// A block has 32 leaves. Each range of two, four, .. of which more than 51 % lie in a memory follows there.
TEST(PagePlacement, TheTreeTakesNeighboursAlong) {
    const std::vector<Touch> touches = {
        {32, 3}, {33, 0},                  // one of two: the other is free
        {35, 3}, {34, 1},                  // two of four
        {0, 3},  {1, 3},  {2, 3},  {3, 0}, // three of four: the fourth came along
        {4, 3},  {7, 1},                   // five of eight
        {8, 1},  {9, 3},  {15, 0},         // nine of 16
    };
    EXPECT_EQ(homes(PlacementKind::first_touch_tree, 4, 100, touches),
              (std::vector<int>{3, 0, 3, 1, 3, 3, 3, 3, 3, 3, 1, 3, 3}));
}

/// What lies elsewhere counts for its own memory; 16 of 32 are not enough, and 17 are.
TEST(PagePlacement, TheTreeLeavesWhatLiesElsewhere) {
    const std::vector<Touch> touches = {
        {0, 3},  {1, 3},  {2, 3},  {4, 3},  // the first eight
        {8, 1},  {9, 3},                    // of the second eight all but one
        {16, 2}, {17, 3}, {18, 0},          // 16 of memory 3: free
        {19, 3}, {31, 0}, {30, 1}, {20, 2}, // 17: the rest came along
    };
    EXPECT_EQ(homes(PlacementKind::first_touch_tree, 4, 100, touches),
              (std::vector<int>{3, 3, 3, 3, 1, 3, 2, 3, 0, 3, 3, 3, 3}));
}

/// A leaf holds 16 pages of 4 KiB, a block 512.
TEST(PagePlacement, LeavesOfTheTreeHoldSmallPages) {
    const MemoryUse use{std::vector<std::uint64_t>(2, 0), 100};
    FirstTouchTreePlacement tree(4096);
    EXPECT_EQ(tree.place(5, MemoryId(1), use), MemoryId(1));
    EXPECT_EQ(tree.place(15, MemoryId(0), use), MemoryId(1)) << "of the same leaf";
    for (const std::uint64_t page : {16U, 32U}) EXPECT_EQ(tree.place(page, MemoryId(1), use), MemoryId(1));
    EXPECT_EQ(tree.place(63, MemoryId(0), use), MemoryId(1)) << "three leaves of four";
    EXPECT_EQ(tree.place(512, MemoryId(0), use), MemoryId(0)) << "another block";
    EXPECT_EQ(tree.place(511, MemoryId(0), use), MemoryId(0));
}

/// Where there is no room the tree grows in the memory that the page went to.
TEST(PagePlacement, TheTreeGrowsWhereThereWasRoom) {
    FirstTouchTreePlacement tree(65536);
    MemoryUse use{{100, 7, 9}, 100};
    for (const std::uint64_t page : {0U, 1U, 2U, 4U}) EXPECT_EQ(tree.place(page, MemoryId(0), use), MemoryId(1));
    EXPECT_EQ(tree.place(3, MemoryId(2), use), MemoryId(1));
    use.pages = {3, 100, 9};
    EXPECT_EQ(tree.place(5, MemoryId(2), use), MemoryId(0)) << "came along, and its memory is full since";
    use.pages = {100, 100, 100};
    EXPECT_FALSE(tree.place(40, MemoryId(2), use));
}

/// Equation 1 of NUBA with a threshold of 50 %: the mean number of pages, over the largest. At the threshold memories
/// count as unbalanced, and the page goes to the least; above it to its toucher.
TEST(PagePlacement, LocalAndBalancedComparesTheMeanWithTheLargest) {
    const auto home = [](std::vector<std::uint64_t> pages, unsigned near, unsigned percent = 50) {
        return LabPlacement(percent).place(7, MemoryId(near), {std::move(pages), 100})->value;
    };
    EXPECT_EQ(home({0, 0}, 1), 1U) << "none has a page";
    EXPECT_EQ(home({4, 0}, 0), 1U) << "a mean of 2, half of 4";
    EXPECT_EQ(home({4, 1}, 0), 0U);
    EXPECT_EQ(home({9, 3, 3, 3}, 0), 1U) << "18 of 36: the first of the least";
    EXPECT_EQ(home({9, 4, 3, 3}, 0), 0U);
    EXPECT_EQ(home({9, 4, 3, 3}, 0, 53), 2U) << "19 of 36 are 52.8 %";
    EXPECT_EQ(home({3, 4, 9, 3}, 2, 52), 2U);
}

/// Arrays lie in memories 1 and 3 of four, the host's buffers, pages from 100 on, in memory 2.
TEST(ChosenMemories, KeepArraysAndBuffersApart) {
    const auto chosen = [](PlacementKind kind) {
        return ChosenMemories(make_page_placement(kind), {MemoryId(1), MemoryId(3)}, {MemoryId(2)}, 100);
    };
    MemoryUse use{std::vector<std::uint64_t>(4, 0), 2};
    const auto place = [&use](ChosenMemories& placement, std::uint64_t page, unsigned toucher) {
        const auto home = placement.place(page, MemoryId(toucher), use);
        if (home) ++use.pages[home->value];
        return home ? static_cast<int>(home->value) : -1;
    };
    ChosenMemories touched = chosen(PlacementKind::first_touch);
    EXPECT_EQ(place(touched, 5, 3), 3) << "its toucher's";
    EXPECT_EQ(place(touched, 6, 0), 1) << "a toucher without one: by its number";
    EXPECT_EQ(place(touched, 100, 3), 2) << "a buffer, whoever touches it";
    EXPECT_EQ(place(touched, 101, 1), 2);
    EXPECT_EQ(place(touched, 102, 1), -1) << "buffers do not go where arrays are";
    EXPECT_EQ(place(touched, 7, 3), 3);
    EXPECT_EQ(place(touched, 8, 3), 1) << "the memory is full: the next of the chosen ones";
    EXPECT_EQ(place(touched, 9, 3), -1);
    use.pages.assign(4, 0);
    ChosenMemories turns = chosen(PlacementKind::page_interleave);
    EXPECT_EQ(place(turns, 4, 0), 1);
    EXPECT_EQ(place(turns, 5, 0), 3);
    ChosenMemories arrays_alone(make_page_placement(PlacementKind::first_touch), {MemoryId(1)}, {}, 100);
    EXPECT_EQ(place(arrays_alone, 200, 0), 1) << "without buffers all pages are those of arrays";
}

/// Pages 10 to 12 lie in memories 0 and 3 in turn, whoever touches them, and nowhere else.
TEST(ChosenMemories, KeepGivenPagesWhereTheyAreGiven) {
    ChosenMemories given(make_page_placement(PlacementKind::first_touch), {MemoryId(1), MemoryId(2)}, {MemoryId(2)},
                         100, {{10, 13, {MemoryId(0), MemoryId(3)}}});
    MemoryUse use{std::vector<std::uint64_t>(4, 0), 1};
    const auto place = [&](std::uint64_t page) {
        const auto home = given.place(page, MemoryId(1), use);
        if (home) ++use.pages[home->value];
        return home ? static_cast<int>(home->value) : -1;
    };
    EXPECT_EQ(place(9), 1) << "before them";
    EXPECT_EQ(place(10), 0);
    EXPECT_EQ(place(11), 3);
    EXPECT_EQ(place(12), -1) << "both are full";
    EXPECT_EQ(place(13), 2) << "behind them";
    EXPECT_EQ(place(100), -1) << "the host's, which is full";
}

TEST(PagePlacement, RandomIsEvenAndLooksAtThePageAlone) {
    constexpr unsigned kSockets = 5, kPages = 5000; // 1,000 each
    std::vector<Touch> touches;
    for (unsigned page = 0; page < kPages; ++page) touches.push_back({page, page % kSockets});
    const std::vector<int> ascending = homes(PlacementKind::random, kSockets, kPages, touches);
    std::vector<unsigned> counts(kSockets, 0);
    for (const int home : ascending) ++counts[static_cast<unsigned>(home)];
    for (const unsigned count : counts) EXPECT_NEAR(count, 1000.0, 130) << "4.5 standard deviations";
    for (Touch& t : touches) t.toucher = 0;
    std::reverse(touches.begin(), touches.end());
    std::vector<int> descending = homes(PlacementKind::random, kSockets, kPages, touches);
    std::reverse(descending.begin(), descending.end());
    EXPECT_EQ(ascending, descending);
}

TEST(PagePlacement, RandomFollowsItsSeed) {
    PlacementConfig config;
    config.policy = PlacementKind::random;
    const auto homes_of = [&](std::uint64_t seed) {
        config.seed = seed;
        const auto placement = make_page_placement(config);
        std::vector<unsigned> found;
        for (std::uint64_t page = 0; page < 64; ++page)
            found.push_back(placement->place(page, MemoryId(0), {{0, 0, 0, 0}, 64})->value);
        return found;
    };
    EXPECT_EQ(homes_of(1), homes_of(1));
    EXPECT_NE(homes_of(0), homes_of(1));
}

TEST(PagePlacement, OnlyLineInterleavingSpreadsPages) {
    for (const auto& entry : kPlacements)
        EXPECT_EQ(make_page_placement(entry.value)->interleaves_lines(),
                  entry.value == PlacementKind::line_interleave || entry.value == PlacementKind::row_permutation)
            << entry.name;
}

TEST(PagePlacementContract, EveryPolicyFillsAllMemoriesAndThenAnswersNothing) {
    constexpr unsigned kPages = test::kFastBuild ? 20 : 4;
    Rng random(5);
    for (const auto& entry : kPlacements) {
        for (const unsigned sockets : {1U, 2U, 3U, 5U, 8U, 15U, 16U, 33U, kMaxPairedSockets}) {
            if (!test::kFastBuild && sockets == kMaxPairedSockets) continue;
            const bool dense = sockets % 3 != 0; // pages side by side, else anywhere
            SCOPED_TRACE(std::string(entry.name) + " on " + std::to_string(sockets) + " sockets");
            const auto placement = make_page_placement(entry.value);
            const auto twin = make_page_placement(entry.value);
            MemoryUse use{std::vector<std::uint64_t>(sockets, 0), kPages};
            for (unsigned i = 0; i < kPages * sockets; ++i) {
                const std::uint64_t page = dense ? i : random.next();
                const MemoryId near(random.next() % sockets);
                const auto home = placement->place(page, near, use);
                ASSERT_EQ(twin->place(page, near, use), home);
                ASSERT_TRUE(home.has_value());
                ASSERT_LT(home->value, sockets);
                ASSERT_FALSE(use.full(*home));
                ++use.pages[home->value];
            }
            EXPECT_FALSE(placement->place(kPages * sockets, MemoryId(0), use).has_value());
        }
    }
}

} // namespace
} // namespace numavp
