/// The lines that a slice holds and those on their way, without a slice.
#include <algorithm>
#include <array>
#include <cstring>

#include <gtest/gtest.h>

#include "tests/models/cache/plain_requests.h"

namespace numavp {
namespace {

using test::line_at;
using test::one_set;
using test::PlainTable;

using Bytes = std::array<unsigned char, kLineBytes>;
using State = PlainTable::State;
constexpr SectorSet kEverySector = SectorSet::all();

Bytes bytes_of(unsigned char value) {
    Bytes bytes;
    bytes.fill(value);
    return bytes;
}

/// A table with values that gets lines as a slice does.
struct Held {
    explicit Held(const L2Config& config, bool has_link = true) : table(config, has_link, true) {}
    /// Reads a line, which comes with this value in each byte.
    PlainTable::Arrived fetch(std::uint64_t line, unsigned char value, bool remote = false) {
        const unsigned entry = table.acquire(line, State::fill, false);
        table[entry].ask(kEverySector);
        Bytes bytes = bytes_of(value);
        evicted = PlainTable::Evicted();
        const PlainTable::Arrived came = table.arrive(entry, remote, ByteMask::full(), bytes.data(), evicted);
        table.release(entry);
        return came;
    }
    void write(std::uint64_t line, unsigned first, unsigned count, unsigned char value) {
        table.store(frame(line), ByteMask::range(first, count), bytes_of(value).data());
    }
    unsigned frame(std::uint64_t line) {
        EXPECT_TRUE(holds(line));
        return static_cast<unsigned>(table.tags().find(line));
    }
    bool holds(std::uint64_t line) { return table.tags().find(line) >= 0; }
    unsigned byte(std::uint64_t line, unsigned at) { return table.tags().data(frame(line))[at]; }
    PlainTable table;
    PlainTable::Evicted evicted;
};

TEST(LineTable, KeepsEntriesForOtherSockets) {
    for (const bool has_link : {true, false}) {
        PlainTable table(one_set(4, 4), has_link, false);
        unsigned own = 0;
        while (table.acquire(line_at(own), State::fill, false) != PlainTable::kNone) ++own;
        EXPECT_EQ(own, has_link ? 2U : 4U);
        EXPECT_EQ(table.acquire(line_at(9), State::fill, true) != PlainTable::kNone, has_link);
    }
}

TEST(LineTable, FindsTheEntryOfALineUntilItIsReleased) {
    PlainTable table(one_set(4), true, false);
    const unsigned entry = table.acquire(line_at(3), State::fill, false);
    EXPECT_EQ(table.pending(line_at(3)), entry);
    EXPECT_EQ(table.in_use(), 1U);
    table[entry].cut(0);
    table.rename(entry, line_at(7));
    EXPECT_EQ(table.pending(line_at(3)), PlainTable::kNone);
    EXPECT_EQ(table.pending(line_at(7)), entry);
    EXPECT_FALSE(table[entry].stale) << "that was the other line's";
    table.release(entry);
    EXPECT_EQ(table.pending(line_at(7)), PlainTable::kNone);
    EXPECT_EQ(table.in_use(), 0U);
    EXPECT_EQ(table[entry].state, State::idle);
}

TEST(LineTable, AFillGetsAFrameAndADirtyVictimsBytesAreHandedOut) {
    Held held(one_set(2));
    held.fetch(line_at(0), 1);
    held.write(line_at(0), 8, 4, 9);
    held.fetch(line_at(1), 2);
    EXPECT_FALSE(held.evicted.any);
    const PlainTable::Arrived came = held.fetch(line_at(2), 3);
    EXPECT_TRUE(came.last);
    ASSERT_GE(came.frame, 0);
    EXPECT_EQ(came.data[0], 3);
    ASSERT_TRUE(held.evicted.any);
    EXPECT_EQ(held.evicted.line, line_at(0));
    EXPECT_EQ(held.evicted.mask, ByteMask::range(8, 4));
    EXPECT_EQ(held.evicted.data[8], 9);
    EXPECT_FALSE(held.holds(line_at(0)));
    held.fetch(line_at(3), 4);
    EXPECT_FALSE(held.evicted.any) << "line 1 was clean";
}

TEST(LineTable, ALineIsNotKeptIfItsVictimIsOnItsWay) {
    Held held(one_set(1));
    held.fetch(line_at(0), 1);
    held.write(line_at(0), 0, 4, 9);
    const unsigned other = held.table.acquire(line_at(0), State::fill, false); // its other bytes
    EXPECT_TRUE(held.table.on_its_way(held.frame(line_at(0))));
    const PlainTable::Arrived came = held.fetch(line_at(1), 2);
    EXPECT_EQ(came.frame, -1);
    EXPECT_TRUE(held.holds(line_at(0)));
    held.table.release(other);
    EXPECT_GE(held.fetch(line_at(1), 2).frame, 0);
}

/// As of a line that a flush, a recall or its home's directory has met.
TEST(LineTable, KeepsNoLineThatMayBeOld) {
    Held held(one_set(4));
    const auto kept = [&](unsigned n, bool stale, bool passing, bool home) {
        const unsigned entry = held.table.acquire(line_at(n), State::fill, home);
        held.table[entry].ask(kEverySector);
        if (stale) held.table[entry].cut(0);
        held.table[entry].passing = passing;
        Bytes bytes = bytes_of(7);
        const PlainTable::Arrived came = held.table.arrive(entry, false, ByteMask::full(), bytes.data(), held.evicted);
        held.table.release(entry);
        EXPECT_EQ(came.data[0], 7) << "but those who wait are served";
        return held.holds(line_at(n));
    };
    EXPECT_FALSE(kept(0, true, false, false));
    EXPECT_FALSE(kept(1, false, true, false));
    EXPECT_TRUE(kept(2, false, false, true));
    EXPECT_TRUE(kept(3, false, false, false));
}

TEST(LineTable, KeepsNoLineForAnotherSocketIfTheConfigurationSaysSo) {
    L2Config config = one_set(4);
    config.incoming_allocate = false;
    PlainTable table(config, true, true);
    const unsigned entry = table.acquire(line_at(0), State::fill, true);
    table[entry].ask(kEverySector);
    Bytes bytes = bytes_of(7);
    PlainTable::Evicted evicted;
    EXPECT_EQ(table.arrive(entry, false, ByteMask::full(), bytes.data(), evicted).frame, -1);
}

TEST(LineTable, WhatWasWrittenHereIsNewerThanAFill) {
    Held held(one_set(2));
    held.table.tags().install(static_cast<unsigned>(held.table.victim(line_at(0), {})), line_at(0), false, SectorSet());
    held.write(line_at(0), 4, 4, 9);
    held.fetch(line_at(0), 1);
    EXPECT_EQ(held.byte(line_at(0), 3), 1U);
    EXPECT_EQ(held.byte(line_at(0), 4), 9U);
    EXPECT_EQ(held.byte(line_at(0), 8), 1U);
    EXPECT_TRUE(held.table.tags().readable(held.frame(line_at(0)), ByteMask::full()));
}

/// A table with sectors, one way, and a line of which sectors 0 and 1 are on their way apart.
struct TwoFills : Held {
    TwoFills() : Held(with_sectors()), entry(table.acquire(line_at(1), State::fill, false)) {
        table[entry].ask(SectorSet(1));
        table[entry].ask(SectorSet(2));
    }
    static L2Config with_sectors() {
        L2Config config = one_set(1);
        config.sectored = true;
        return config;
    }
    PlainTable::Arrived come(unsigned sectors, unsigned char value) {
        bytes = bytes_of(value);
        evicted = PlainTable::Evicted();
        return table.arrive(entry, false, SectorSet(sectors).bytes(), bytes.data(), evicted);
    }
    unsigned entry;
    Bytes bytes{};
};

TEST(LineTable, ADirtyVictimGoesWithTheLastFillOfALine) {
    TwoFills line;
    line.fetch(line_at(0), 1);
    line.write(line_at(0), 0, 4, 9);
    const PlainTable::Arrived first = line.come(2, 5);
    EXPECT_FALSE(first.last);
    EXPECT_EQ(first.frame, -1) << "its entry is needed for the other fill";
    EXPECT_FALSE(line.evicted.any);
    const PlainTable::Arrived last = line.come(1, 6);
    EXPECT_TRUE(last.last);
    ASSERT_GE(last.frame, 0);
    EXPECT_TRUE(line.evicted.any);
    EXPECT_EQ(last.data[0], 6);
    EXPECT_EQ(last.data[kSectorBytes], 5) << "what came first was kept in the entry";
}

TEST(LineTable, ACleanVictimGoesWithTheFirstFillOfALine) {
    TwoFills line;
    line.fetch(line_at(0), 1);
    EXPECT_GE(line.come(2, 5).frame, 0);
    EXPECT_EQ(line.table.tags().sectors(line.frame(line_at(1))), SectorSet(2));
    line.come(1, 6);
    EXPECT_EQ(line.table.tags().sectors(line.frame(line_at(1))), SectorSet(3));
    EXPECT_EQ(line.byte(line_at(1), 0), 6U);
    EXPECT_EQ(line.byte(line_at(1), kSectorBytes), 5U);
}

TEST(LineTable, SectorsOfTheFrameAreTakenIntoTheEntry) {
    TwoFills line;
    line.come(1, 6); // and the frame is lost before the other comes
    EXPECT_EQ(line.table.take_from_frame(line.entry, SectorSet(0b1001)), SectorSet(1));
    line.table.tags().invalidate(line.frame(line_at(1)));
    EXPECT_EQ(line.table.take_from_frame(line.entry, SectorSet(0b1001)), SectorSet());
    EXPECT_EQ(line.come(2, 5).data[0], 6);
}

TEST(LineTable, AbsentAreSectorsThatNeitherAFrameNorAnEntryHas) {
    TwoFills line;
    EXPECT_EQ(line.table.absent(line.table[line.entry]), SectorSet(0b1100));
    line.table[line.entry].wait(test::writes(0b0100));
    EXPECT_EQ(line.table.absent(line.table[line.entry]), SectorSet(0b1000));
    line.table.tags().install(static_cast<unsigned>(line.table.victim(line_at(1), {})), line_at(1), false,
                              SectorSet(0b1000));
    EXPECT_EQ(line.table.absent(line.table[line.entry]), SectorSet());
}

TEST(LineTable, ARecallDropsTheCopyAndTheFill) {
    Held held(one_set(2));
    held.fetch(line_at(0), 1, true);
    PlainTable::Dropped dropped = held.table.drop(line_at(0));
    EXPECT_TRUE(dropped.frame);
    EXPECT_FALSE(dropped.fill);
    EXPECT_FALSE(held.holds(line_at(0)));
    const unsigned entry = held.table.acquire(line_at(0), State::fill, false);
    held.table[entry].ask(kEverySector);
    test::PlainRequest waits{0, test::reads(15)};
    held.table[entry].targets.push(waits);
    dropped = held.table.drop(line_at(0));
    EXPECT_TRUE(dropped.fill);
    EXPECT_FALSE(dropped.frame);
    EXPECT_TRUE(held.table[entry].stale);
    EXPECT_EQ(held.table[entry].fresh, 1U) << "it asked before the recall";
    EXPECT_FALSE(held.table.drop(line_at(0)).fill) << "once";
}

/// A write through of bytes that the frame does not have whole: it would else read them from memory's older line.
TEST(LineTable, AWriteThroughChangesTheCopyAndLeavesItCleanWhereItIsWhole) {
    Held held(one_set(2));
    held.fetch(line_at(0), 1);
    held.table.store_through(held.frame(line_at(0)), ByteMask::range(0, 4), bytes_of(9).data());
    EXPECT_EQ(held.byte(line_at(0), 0), 9U);
    EXPECT_EQ(held.byte(line_at(0), 4), 1U);
    EXPECT_FALSE(held.table.tags().dirty(held.frame(line_at(0))));
    held.table.tags().install(static_cast<unsigned>(held.table.victim(line_at(1), {})), line_at(1), false, SectorSet());
    held.table.store_through(held.frame(line_at(1)), ByteMask::range(0, 4), bytes_of(9).data());
    EXPECT_EQ(held.table.tags().dirty_mask(held.frame(line_at(1))), ByteMask::range(0, 4));
}

TEST(LineTable, MemoryThatChangesInNoTimeChangesCopiesAndFillsOnTheirWay) {
    TwoFills line;
    const std::uint64_t word = 0x1111111111111111ULL * 0xb;
    line.come(1, 6);
    line.table.patch(line_at(1), word);                    // has come: the frame and the entry
    line.table.patch(line_at(1) + kSectorBytes + 8, word); // on its way: read before
    EXPECT_EQ(line.byte(line_at(1), 0), 0xbbU);
    line.come(2, 5);
    EXPECT_EQ(line.byte(line_at(1), 0), 0xbbU);
    EXPECT_EQ(line.byte(line_at(1), kSectorBytes), 5U);
    EXPECT_EQ(line.byte(line_at(1), kSectorBytes + 8), 0xbbU);
    line.table.release(line.entry);
    line.table.tags().invalidate(line.frame(line_at(1)));
    line.fetch(line_at(1), 7);
    EXPECT_EQ(line.byte(line_at(1), kSectorBytes + 8), 7U) << "a later fill reads the memory that was changed";
}

TEST(Atomic, AddsWordsAndReturnsThoseFromBefore) {
    Bytes line = bytes_of(1), operand = bytes_of(2), before = bytes_of(0);
    add_words(line.data(), operand.data(), before.data(), ByteMask::range(4, 8));
    for (unsigned i = 0; i < kLineBytes; ++i) {
        const bool added = i >= 4 && i < 12;
        EXPECT_EQ(line[i], added ? 3 : 1) << i;
        EXPECT_EQ(before[i], added ? 1 : 0) << i;
    }
    line = bytes_of(0xff);
    add_words(line.data(), operand.data(), before.data(), ByteMask::range(0, 4));
    EXPECT_EQ(line[0], 1);
    EXPECT_EQ(line[1], 2) << "with the carry";
    EXPECT_EQ(line[4], 0xff) << "which stays in its word";
}

} // namespace
} // namespace numavp
