/// Flushes and recalls of a slice, without a slice.
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "models/cache/copy_coherence.h"
#include "models/cache/slice_flush.h"
#include "tests/models/cache/plain_requests.h"

namespace numavp {
namespace {

using test::line_at;
using test::one_set;
using test::PlainTable;
using Step = SliceFlush::Step;
using State = PlainTable::State;

/// Lines of which those from kRemoteLines on are remote.
struct FlushedTable {
    static constexpr unsigned kRemoteLines = 100;
    explicit FlushedTable(unsigned ways = 8, unsigned entries = 8) : table(one_set(ways, entries), true, false) {}
    static bool is_remote(std::uint64_t line) { return line >= line_at(kRemoteLines); }
    void put(unsigned n, bool dirty) {
        const auto frame = static_cast<unsigned>(table.victim(line_at(n), {}));
        table.tags().install(frame, line_at(n), n >= kRemoteLines, SectorSet::all());
        if (dirty) table.tags().mark_dirty(frame, ByteMask::full());
    }
    bool holds(unsigned n) { return table.tags().find(line_at(n)) >= 0; }
    std::uint64_t begin(FlushScope scope, std::uint64_t first = 0, std::uint64_t bytes = 0) {
        EXPECT_TRUE(flush.ask({first, bytes, [] {}}));
        return flush.begin(scope, table, is_remote);
    }
    /// Number of the line that the next step writes; kNone: none.
    static constexpr unsigned kNone = ~0U;
    Step step() {
        wrote = kNone;
        return flush.step(table, [&](unsigned frame, unsigned entry) {
            wrote = static_cast<unsigned>(table.tags().line_at(frame) / kLineBytes);
            begin_write(entry);
            table.tags().invalidate(frame);
        });
    }
    void begin_write(unsigned entry) {
        table[entry].state = State::write;
        flush.write_begins(table[entry]);
    }
    void end_write(unsigned n) {
        const unsigned entry = table.pending(line_at(n));
        flush.write_ended(table[entry]);
        table.release(entry);
    }
    PlainTable table;
    SliceFlush flush;
    unsigned wrote = kNone;
};

TEST(SliceFlush, DropsCleanLinesAtOnceAndWritesDirtyOnesRemoteFirst) {
    FlushedTable f;
    f.put(1, true);
    f.put(2, false);
    f.put(101, true);
    f.put(102, false);
    EXPECT_EQ(f.begin(FlushScope::all), 4U);
    EXPECT_FALSE(f.holds(2));
    EXPECT_FALSE(f.holds(102));
    EXPECT_EQ(f.step(), Step::wrote);
    EXPECT_EQ(f.wrote, 101U);
    EXPECT_EQ(f.step(), Step::wrote);
    EXPECT_EQ(f.wrote, 1U);
    EXPECT_EQ(f.step(), Step::waits) << "for both writes";
    f.end_write(101);
    EXPECT_EQ(f.step(), Step::waits);
    f.end_write(1);
    EXPECT_EQ(f.step(), Step::over);
    f.flush.end();
    EXPECT_FALSE(f.flush.running());
}

TEST(SliceFlush, OfRemoteLinesLeavesLocalOnesAndTheirFills) {
    FlushedTable f;
    f.put(1, true);
    f.put(101, false);
    const unsigned local = f.table.acquire(line_at(3), State::fill, false);
    const unsigned remote = f.table.acquire(line_at(103), State::fill, false);
    EXPECT_EQ(f.begin(FlushScope::remote), 1U);
    EXPECT_TRUE(f.holds(1));
    EXPECT_FALSE(f.holds(101));
    EXPECT_FALSE(f.table[local].stale);
    EXPECT_TRUE(f.table[remote].stale);
    EXPECT_EQ(f.step(), Step::over);
}

TEST(SliceFlush, OfARangeTakesItsLinesWhateverTheScope) {
    FlushedTable f;
    for (const unsigned n : {1U, 2U, 3U, 4U}) f.put(n, n == 2);
    const unsigned inside = f.table.acquire(line_at(20), State::fill, false);
    const unsigned below = f.table.acquire(line_at(0), State::fill, false);
    EXPECT_EQ(f.begin(FlushScope::none, line_at(2), 2 * kLineBytes), 2U);
    EXPECT_TRUE(f.holds(1));
    EXPECT_FALSE(f.holds(3));
    EXPECT_TRUE(f.holds(4));
    EXPECT_FALSE(f.table[inside].stale);
    EXPECT_FALSE(f.table[below].stale);
    EXPECT_EQ(f.step(), Step::wrote);
    EXPECT_EQ(f.wrote, 2U);
}

TEST(SliceFlush, OfNothingIsOverAtOnceThoughWritesAreUnderWay) {
    FlushedTable f;
    f.put(1, true);
    f.begin_write(f.table.acquire(line_at(5), State::write, false));
    EXPECT_EQ(f.begin(FlushScope::none), 0U);
    EXPECT_EQ(f.step(), Step::over);
    EXPECT_TRUE(f.holds(1));
}

TEST(SliceFlush, WaitsForWritesUnderWayAndNotForLaterOnes) {
    FlushedTable f;
    f.begin_write(f.table.acquire(line_at(5), State::write, false));
    f.put(1, true);
    f.begin(FlushScope::all);
    // Before the flush has come to all frames a write may carry bytes of one of them.
    f.begin_write(f.table.acquire(line_at(6), State::write, false));
    EXPECT_EQ(f.step(), Step::wrote);
    f.begin_write(f.table.acquire(line_at(7), State::write, false)); // later
    f.end_write(1);
    f.end_write(5);
    EXPECT_EQ(f.step(), Step::waits);
    f.end_write(6);
    EXPECT_EQ(f.step(), Step::over);
    f.end_write(7);
    EXPECT_EQ(f.step(), Step::over);
}

TEST(SliceFlush, WaitsForTheFillOfALineBeforeItWritesIt) {
    FlushedTable f;
    f.put(1, true);
    const unsigned fill = f.table.acquire(line_at(1), State::fill, false);
    f.begin(FlushScope::all);
    EXPECT_EQ(f.step(), Step::waits);
    EXPECT_TRUE(f.holds(1));
    f.table.release(fill);
    EXPECT_EQ(f.step(), Step::wrote);
}

TEST(SliceFlush, WaitsForAnEntryThatIsNotReserved) {
    FlushedTable f(8, 3); // two are reserved
    f.put(1, true);
    f.begin(FlushScope::all);
    const unsigned taken = f.table.acquire(line_at(9), State::fill, false);
    EXPECT_EQ(f.step(), Step::waits);
    f.table.release(taken);
    EXPECT_EQ(f.step(), Step::wrote);
}

TEST(SliceFlush, LeavesAFrameThatAnotherLineHasGot) {
    FlushedTable f(1);
    f.put(1, true);
    f.begin(FlushScope::none, line_at(1), kLineBytes);
    f.put(7, true); // line 1 has been evicted
    EXPECT_EQ(f.step(), Step::over);
    EXPECT_TRUE(f.holds(7));
}

TEST(SliceFlush, FollowsTheOneThatRuns) {
    FlushedTable f;
    int done = 0;
    EXPECT_TRUE(f.flush.ask({0, 0, [&] { done += 1; }}));
    EXPECT_FALSE(f.flush.ask({0, 0, [&] { done += 10; }}));
    EXPECT_FALSE(f.flush.ask({line_at(1), kLineBytes, [&] { done += 100; }}));
    f.flush.begin(FlushScope::all, f.table, FlushedTable::is_remote);
    ASSERT_EQ(f.step(), Step::over);
    f.flush.end()();
    EXPECT_EQ(done, 1);
    std::vector<SliceFlush::Request> next = f.flush.take_queued();
    ASSERT_EQ(next.size(), 2U);
    EXPECT_EQ(next[1].first, line_at(1));
    EXPECT_TRUE(f.flush.ask(std::move(next[0])));
    EXPECT_FALSE(f.flush.ask(std::move(next[1])));
}

TEST(SliceFlush, ScopesFollowFromTheOrganisation) {
    L2Config config;
    const auto scope = [&](L2Organisation organisation) {
        config.organisation = organisation;
        return flush_scope_of(config);
    };
    EXPECT_EQ(scope(L2Organisation::memory_side), FlushScope::none);
    EXPECT_EQ(scope(L2Organisation::static_split), FlushScope::remote);
    EXPECT_EQ(scope(L2Organisation::coherent), FlushScope::all);
    EXPECT_EQ(scope(L2Organisation::numa_aware), FlushScope::all);
    EXPECT_EQ(scope(L2Organisation::replicating), FlushScope::none) << "without replicas";
    config.replicas = true;
    EXPECT_EQ(scope(L2Organisation::replicating), FlushScope::all);
    config.flushes_all = false;
    EXPECT_EQ(scope(L2Organisation::replicating), FlushScope::remote);
    config.flush_local = false;
    EXPECT_EQ(scope(L2Organisation::numa_aware), FlushScope::remote);
    config.invalidate = false;
    EXPECT_EQ(scope(L2Organisation::numa_aware), FlushScope::none);
}

/// A home with a directory of 4 lines, of which the other slice has so many.
struct LentLines {
    explicit LentLines(unsigned lent) : copies(config()) {
        for (unsigned n = 0; n < lent; ++n) EXPECT_TRUE(copies.lend(line_at(n)));
    }
    static L2Config config() {
        L2Config config = one_set(4, 2);
        config.directory_lines = 4;
        return config;
    }
    CopyCoherence copies;
};

TEST(CopyCoherence, RecallsWhatWasWrittenUnlessTheOtherSliceWroteIt) {
    LentLines home(2);
    EXPECT_FALSE(home.copies.changed(line_at(0), true)) << "it has changed its copy before";
    EXPECT_FALSE(home.copies.changed(line_at(3), false)) << "nobody has it";
    EXPECT_TRUE(home.copies.changed(line_at(1), false));
    ASSERT_EQ(home.copies.waiting(), 1U);
    EXPECT_EQ(home.copies.send().line, line_at(1));
    EXPECT_EQ(home.copies.waiting(), 0U);
    EXPECT_EQ(home.copies.under_way(), 1U);
}

TEST(CopyCoherence, AFlushWaitsForTheRecallsOfWritesBeforeItAndForNoLaterOnes) {
    LentLines home(4);
    home.copies.changed(line_at(0), false);
    home.copies.changed(line_at(1), false);
    const bool sent_before = home.copies.send().epoch;
    home.copies.begin_flush();
    home.copies.changed(line_at(2), false); // while it runs
    EXPECT_TRUE(home.copies.flush_waits());
    const bool left_later = home.copies.send().epoch;
    const bool of_next = home.copies.send().epoch;
    EXPECT_EQ(left_later, sent_before);
    EXPECT_NE(of_next, sent_before);
    home.copies.acknowledged(sent_before);
    EXPECT_TRUE(home.copies.flush_waits());
    home.copies.acknowledged(left_later);
    EXPECT_FALSE(home.copies.flush_waits());
    EXPECT_EQ(home.copies.under_way(), 1U);
    home.copies.begin_flush(); // the next one waits for it
    EXPECT_TRUE(home.copies.flush_waits());
    home.copies.acknowledged(of_next);
    EXPECT_FALSE(home.copies.flush_waits());
}

TEST(CopyCoherence, AFlushWaitsForARecallThatHasNotLeft) {
    LentLines home(1);
    home.copies.changed(line_at(0), false);
    home.copies.begin_flush();
    EXPECT_TRUE(home.copies.flush_waits());
    home.copies.acknowledged(home.copies.send().epoch);
    EXPECT_FALSE(home.copies.flush_waits());
}

TEST(CopyCoherence, LendsNoLineWithoutAPlaceForIt) {
    LentLines home(4);
    for (unsigned n = 0; n < 4; ++n) home.copies.changed(line_at(n), false);
    EXPECT_FALSE(home.copies.lend(line_at(9))) << "recalls of the whole set wait";
    home.copies.send();
    EXPECT_TRUE(home.copies.lend(line_at(9)));
}

} // namespace
} // namespace numavp
