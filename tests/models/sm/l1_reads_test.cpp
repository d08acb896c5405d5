/// Reads of an L1 on their way, without an SM.
#include <vector>

#include <gtest/gtest.h>

#include "models/sm/l1_reads.h"

namespace numavp {
namespace {

constexpr unsigned kMerges = 3;
constexpr SectorSet in_sectors(unsigned bits) { return SectorSet(bits); }

/// Loads by number that read sectors of lines by number, as a unit with room on its wire makes them.
struct LoadsOfL1 {
    enum class Result { merged, read, refused };
    Result load(unsigned line, unsigned sectors, bool keep = true) {
        const unsigned first = reads.find(address(line));
        SectorSet ask = in_sectors(sectors);
        if (!reads.mergeable(first, in_sectors(sectors), ask)) return Result::refused;
        if (ask.any() && reads.full()) return Result::refused;
        const ByteMask mask = in_sectors(sectors).bytes();
        joined = reads.merge(first, next, mask, in_sectors(sectors));
        if (ask.any()) last = reads.begin(address(line), ask, keep, {next, mask & ask.bytes()});
        asked = ask;
        ++next;
        return ask.any() ? Result::read : Result::merged;
    }
    std::vector<unsigned> end(unsigned entry) {
        std::vector<unsigned> served;
        masks.clear();
        reads.end(entry, [&](const L1Reads::Waiter& w) {
            served.push_back(w.load);
            masks.push_back(w.mask);
        });
        return served;
    }
    static std::uint64_t address(unsigned line) { return std::uint64_t{line} * kLineBytes; }
    TagArray tags{4, 4, false};
    L1Reads reads{4, kMerges, tags};
    unsigned next = 0, last = 0, joined = 0; ///< the next load, the last entry, the entries that the last load joined
    SectorSet asked;
    std::vector<ByteMask> masks;
};
using Result = LoadsOfL1::Result;
using Loads = std::vector<unsigned>;

TEST(L1Reads, LoadsOfALineOnItsWayWaitForItInOrder) {
    LoadsOfL1 l1;
    EXPECT_EQ(l1.load(1, 15), Result::read);
    EXPECT_EQ(l1.load(1, 1), Result::merged);
    EXPECT_EQ(l1.load(1, 2), Result::merged);
    EXPECT_EQ(l1.load(1, 1), Result::refused) << "three wait";
    EXPECT_EQ(l1.load(2, 1), Result::read) << "another line";
    const unsigned first = l1.reads.find(LoadsOfL1::address(1));
    EXPECT_EQ(l1.reads.kept(first), SectorSet::all());
    EXPECT_EQ(l1.end(first), (Loads{0, 1, 2}));
    EXPECT_EQ(l1.masks[2], in_sectors(2).bytes());
    EXPECT_EQ(l1.reads.find(LoadsOfL1::address(1)), L1Reads::kNone);
    EXPECT_EQ(l1.load(1, 1), Result::read) << "and nobody of the last time waits";
    EXPECT_EQ(l1.end(l1.last), (Loads{4}));
}

TEST(L1Reads, ALoadAsksForTheSectorsThatAreNotOnTheirWay) {
    LoadsOfL1 l1;
    l1.load(1, 0b0001);
    const unsigned first = l1.last;
    EXPECT_EQ(l1.load(1, 0b0011), Result::read);
    EXPECT_EQ(l1.asked, in_sectors(0b0010));
    EXPECT_EQ(l1.joined, 1U);
    const unsigned second = l1.last;
    EXPECT_EQ(l1.load(1, 0b0011), Result::merged);
    EXPECT_EQ(l1.joined, 2U);
    EXPECT_EQ(l1.end(first), (Loads{0, 1, 2}));
    EXPECT_EQ(l1.masks[1], in_sectors(0b0001).bytes());
    EXPECT_EQ(l1.end(second), (Loads{1, 2}));
}

TEST(L1Reads, EntriesOfALineEndInAnyOrder) {
    const std::vector<std::vector<unsigned>> orders = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                                       {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (const std::vector<unsigned>& order : orders) {
        LoadsOfL1 l1;
        Loads entries;
        for (unsigned sector = 0; sector < 3; ++sector) {
            l1.load(1, 1U << sector);
            entries.push_back(l1.last);
        }
        unsigned left = 0b0111;
        for (const unsigned ended : order) {
            EXPECT_EQ(l1.end(entries[ended]), (Loads{ended}));
            left &= ~(1U << ended);
            SectorSet ask = SectorSet::all();
            EXPECT_TRUE(l1.reads.mergeable(l1.reads.find(LoadsOfL1::address(1)), SectorSet::all(), ask));
            EXPECT_EQ(ask, ~in_sectors(left)) << "the others are still found";
        }
        EXPECT_EQ(l1.reads.find(LoadsOfL1::address(1)), L1Reads::kNone);
    }
}

TEST(L1Reads, SectorsThatAreWrittenOnTheirWayAreUsedByThoseWhoWaitAndNotKept) {
    LoadsOfL1 l1;
    l1.load(1, 0b0011);
    l1.reads.written(LoadsOfL1::address(1), in_sectors(0b0110));
    EXPECT_EQ(l1.load(1, 0b0010), Result::refused) << "it must see the write";
    EXPECT_EQ(l1.load(1, 0b0001), Result::merged);
    EXPECT_EQ(l1.load(1, 0b0100), Result::read);
    EXPECT_EQ(l1.reads.kept(0), in_sectors(0b0001));
    EXPECT_EQ(l1.reads.kept(1), in_sectors(0b0100)) << "asked for after the write";
    EXPECT_EQ(l1.end(0), (Loads{0, 1}));
}

TEST(L1Reads, AFlushMakesAllOfThemStale) {
    LoadsOfL1 l1;
    l1.load(1, 1);
    l1.load(2, 1);
    l1.end(1);
    l1.reads.flush();
    EXPECT_FALSE(l1.reads.kept(0).any());
    EXPECT_EQ(l1.load(1, 1), Result::refused);
    EXPECT_EQ(l1.load(3, 1), Result::read) << "in an entry that was free";
    EXPECT_EQ(l1.reads.kept(l1.last), in_sectors(1));
}

TEST(L1Reads, ReadsPastTheL1AreNotKept) {
    LoadsOfL1 l1;
    l1.load(1, 1, false);
    EXPECT_FALSE(l1.reads.kept(l1.last).any());
}

TEST(L1Reads, AreRefusedWithoutAnEntryAndMergedAllTheSame) {
    LoadsOfL1 l1;
    for (unsigned n = 0; n < 4; ++n) EXPECT_EQ(l1.load(n, 1), Result::read);
    EXPECT_TRUE(l1.reads.full());
    EXPECT_EQ(l1.load(9, 1), Result::refused);
    EXPECT_EQ(l1.load(3, 1), Result::merged);
}

} // namespace
} // namespace numavp
