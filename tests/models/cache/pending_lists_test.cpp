/// Lists of the entries of lines on their way, a word for each.
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "models/cache/pending_lists.h"

namespace numavp {
namespace {

struct LineOnItsWay {
    std::uint64_t line = 0;
    std::uint16_t behind = 0;
};

TEST(PendingLists, EntriesOfASetAreFoundByLineUntilTheyLeaveInAnyOrder) {
    constexpr std::uint64_t kFirst = 0x1000, kSecond = 0x9000, kNever = 0x5000;
    for (const unsigned leaves : {0U, 1U, 2U}) {
        std::vector<LineOnItsWay> entries(3);
        std::uint64_t set = 0;
        const std::vector<std::uint64_t> lines{kFirst, kSecond, kFirst}; // two entries of one line
        EXPECT_EQ(PendingLists::find(set, entries, kFirst), PendingLists::kNone);
        for (unsigned i = 0; i < 3; ++i) {
            entries[i].line = lines[i];
            PendingLists::insert(set, entries, i);
        }
        const unsigned newest = PendingLists::find(set, entries, kFirst);
        EXPECT_EQ(newest, 2U);
        EXPECT_EQ(PendingLists::find_behind(newest, entries), 0U);
        EXPECT_EQ(PendingLists::find_behind(0, entries), PendingLists::kNone);
        EXPECT_EQ(PendingLists::find(set, entries, kSecond), 1U);
        EXPECT_EQ(PendingLists::find(set, entries, kNever), PendingLists::kNone);

        PendingLists::remove(set, entries, leaves);
        for (const std::uint64_t line : {kFirst, kSecond}) {
            unsigned found = PendingLists::find(set, entries, line), count = 0;
            for (; found != PendingLists::kNone; found = PendingLists::find_behind(found, entries), ++count)
                EXPECT_NE(found, leaves);
            EXPECT_EQ(count, (line == kFirst ? 2U : 1U) - (lines[leaves] == line ? 1U : 0U));
        }
        for (unsigned i = 0; i < 3; ++i)
            if (i != leaves) PendingLists::remove(set, entries, i);
        EXPECT_EQ(set, 0U) << "nothing is left of an empty set";
    }
}

} // namespace
} // namespace numavp
