/// The TLB against a model that keeps each set as a list; who waits for which page; a cache's lines of one page.
#include <algorithm>
#include <list>
#include <vector>

#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "models/cache/tag_array.h"
#include "models/mmu/tlb.h"
#include "models/mmu/waiting_operations.h"

namespace numavp {
namespace {

struct Shape {
    unsigned entries, ways;
};
class Tlbs : public ::testing::TestWithParam<Shape> {};

TEST_P(Tlbs, HoldWhatListsInOrderOfUseHold) {
    const auto [entries, ways] = GetParam();
    const unsigned sets = entries / ways;
    Tlb tlb(entries, ways);
    std::vector<std::list<std::uint64_t>> lists(sets); // most recent first
    Rng rng(entries, ways);
    unsigned hits = 0;
    for (unsigned i = 0; i < 20000; ++i) {
        const std::uint64_t page = rng.below(2 * entries + 1) + (rng.below(2) << 40);
        std::list<std::uint64_t>& list = lists[page % sets];
        const auto at = std::find(list.begin(), list.end(), page);
        const bool held = at != list.end();
        if (rng.below(8) == 0) {
            ASSERT_EQ(tlb.drop(page), held) << "step " << i;
            if (held) list.erase(at);
            continue;
        }
        const PageEntry* found = tlb.look_up(page);
        ASSERT_EQ(found != nullptr, held) << "step " << i;
        if (held) {
            ++hits;
            ASSERT_EQ(found->first_line, page * 3);
            list.erase(at);
        } else {
            tlb.insert(page, {{page * 3}});
            if (list.size() == ways) list.pop_back();
        }
        list.push_front(page);
    }
    EXPECT_GT(hits, 1000U);
    std::size_t all = 0;
    for (const auto& list : lists) all += list.size();
    EXPECT_EQ(tlb.held(), all);
}
INSTANTIATE_TEST_SUITE_P(Shapes, Tlbs,
                         ::testing::Values(Shape{1, 1}, Shape{2, 2}, Shape{128, 128}, Shape{512, 16}, Shape{24, 4},
                                           Shape{7, 1}));

TEST(Tlb, AnotherEntryForAPageThatIsHeldReplacesIt) {
    Tlb tlb(2, 2);
    tlb.insert(5, {{32}});
    tlb.insert(6, {{64}});
    tlb.insert(5, {{96}});
    tlb.insert(7, {{128}}); // 6 was the least recently used
    ASSERT_NE(tlb.look_up(5), nullptr);
    EXPECT_EQ(tlb.look_up(5)->first_line, 96U);
    EXPECT_EQ(tlb.look_up(6), nullptr);
}

class Room : public ::testing::Test {
  protected:
    WaitingOperations room{4, 8};
    std::vector<std::uint64_t> since;
    void arrive(std::uint64_t page) {
        room.arrived(page, {{page * 2}}, [this](std::uint64_t ps) { since.push_back(ps); });
    }
};

TEST_F(Room, AWarpsOperationsGoInOrderAndWarpsApart) {
    const unsigned first = room.enter(3);
    EXPECT_TRUE(room.wait(first, 10, 100));
    const unsigned behind = room.enter(3);
    const unsigned other = room.enter(5);
    EXPECT_TRUE(room.wait(other, 11, 200));
    const unsigned same_page = room.enter(6);
    EXPECT_FALSE(room.wait(same_page, 10, 300)) << "asked for already";
    EXPECT_TRUE(room.full());
    EXPECT_EQ(room.ready(), 0U);
    arrive(11);
    ASSERT_EQ(room.ready(), 1U);
    EXPECT_EQ(room.first_ready(), other);
    arrive(10);
    EXPECT_EQ(since, (std::vector<std::uint64_t>{200, 100, 300}));
    room.leave();
    EXPECT_FALSE(room.has(5));
    EXPECT_EQ(room.first_ready(), first);
    ASSERT_NE(room.answer(first, 10), nullptr);
    EXPECT_EQ(room.answer(first, 10)->first_line, 20U);
    EXPECT_EQ(room.answer(first, 11), nullptr);
    room.leave();
    EXPECT_TRUE(room.has(3)) << "its second operation is still there";
    EXPECT_EQ(room.first_ready(), same_page);
    room.leave();
    EXPECT_EQ(room.first_ready(), behind);
    EXPECT_EQ(room.answer(behind, 10), nullptr) << "it has asked for nothing yet";
    room.leave();
    EXPECT_EQ(room.held(), 0U);
}

TEST_F(Room, AnAnswerThatIsForgottenIsAskedForAgain) {
    const unsigned place = room.enter(0);
    room.wait(place, 10, 0);
    arrive(10);
    room.forget(10);
    EXPECT_EQ(room.answer(place, 10), nullptr);
    EXPECT_EQ(room.ready(), 1U);
    EXPECT_TRUE(room.wait_again(10, 50));
    EXPECT_EQ(room.ready(), 0U);
}

TEST(TagArray, SweepsTheLinesOfARangeAlone) {
    TagArray tags(4, 4, false);
    for (std::uint64_t line = 0; line < 16; ++line)
        tags.install(static_cast<unsigned>(tags.victim(line * kLineBytes, {})), line * kLineBytes, false,
                     SectorSet::all());
    tags.mark_dirty(static_cast<unsigned>(tags.find(5 * kLineBytes)), ByteMask::range(0, 4));
    tags.mark_dirty(static_cast<unsigned>(tags.find(9 * kLineBytes)), ByteMask::range(0, 4));
    std::vector<std::uint32_t> dirty;
    EXPECT_EQ(tags.sweep(4 * kLineBytes, 4 * kLineBytes, dirty), 4U);
    ASSERT_EQ(dirty.size(), 1U);
    EXPECT_EQ(tags.line_at(dirty[0]), 5 * kLineBytes);
    for (std::uint64_t line = 0; line < 16; ++line)
        EXPECT_EQ(tags.find(line * kLineBytes) >= 0, line < 4 || line == 5 || line > 7) << "line " << line;
}

} // namespace
} // namespace numavp
