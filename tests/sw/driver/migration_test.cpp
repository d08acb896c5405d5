/// Migration by access counts: when a page moves, when it doesn't.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/sw/driver/driver_bench.h"

namespace numavp::driver_test {
namespace {

Setting migrating(std::uint64_t frames = 8) {
    Setting setting = small("first_touch", frames);
    setting.migration_threshold = 64;
    return setting;
}

TEST(Migration, MovesAPageToTheSocketThatKeepsAccessingIt) {
    Bench bench(migrating());
    bench.serve(kBase, 0);
    bench.platform.data({0, 0}) = 5;
    bench.platform.writes.clear();
    bench.serve_note(kBase, 3);
    EXPECT_EQ(bench.platform.where(kBase), (Place{3, 0}));
    EXPECT_EQ(bench.platform.data({3, 0}), 5U);
    EXPECT_EQ(bench.names_of_writes(),
              (Names{"fault_unit.note_pop", "system.watchdog", "entry", "fault_unit.control", "fault_unit.invalidate",
                     "copy_engine.source", "copy_engine.target", "copy_engine.bytes", "copy_engine.command", "entry",
                     "fault_unit.done", "fault_unit.control"}));
    EXPECT_EQ(bench.driver.view.pages[0], 0U);
    EXPECT_EQ(bench.driver.view.pages[3], 1U);
    bench.serve(kBase + 1, 0);
    EXPECT_EQ(bench.platform.where(kBase + 1), (Place{0, 0})) << "the frame that it left is free";
}

TEST(Migration, EachFurtherMoveNeedsTwiceTheNotesInARowAndThereAreThree) {
    Bench bench(migrating());
    bench.serve(kBase, 0);
    bench.serve_note(kBase, 1); // move 0: one note
    EXPECT_EQ(bench.platform.where(kBase)->memory, 1U);
    bench.serve_note(kBase, 2);
    bench.serve_note(kBase, 3); // two sockets in turn: not two in a row
    bench.serve_note(kBase, 2);
    EXPECT_EQ(bench.platform.where(kBase)->memory, 1U);
    bench.serve_note(kBase, 2); // move 1: two notes
    EXPECT_EQ(bench.platform.where(kBase)->memory, 2U);
    for (int i = 0; i < 3; ++i) bench.serve_note(kBase, 0);
    EXPECT_EQ(bench.platform.where(kBase)->memory, 2U);
    bench.serve_note(kBase, 0); // move 2: four notes
    EXPECT_EQ(bench.platform.where(kBase)->memory, 0U);
    for (int i = 0; i < 1000; ++i) bench.serve_note(kBase, 1);
    EXPECT_EQ(bench.platform.where(kBase)->memory, 0U) << "it stays for good";
    EXPECT_EQ(bench.driver.counts.migrated, 3U);
}

TEST(Migration, NeverFillsAFullMemoryAndTakesItsChanceLater) {
    Bench bench(migrating(1));
    bench.serve(kBase, 0);
    bench.serve(kBase + 1, 1);
    bench.serve_note(kBase, 1);
    EXPECT_EQ(bench.platform.where(kBase), (Place{0, 0}));
    bench.serve_note(kBase + 1, 2); // makes room on 1
    bench.serve_note(kBase, 1);
    EXPECT_EQ(bench.platform.where(kBase), (Place{1, 0}));
    EXPECT_EQ(bench.driver.counts.evicted, 0U);
}

TEST(Migration, IgnoresNotesThatAreStaleOrAbsurd) {
    Setting setting = migrating(1);
    setting.sockets = 2;
    Bench bench(setting);
    bench.serve(kBase, 0);
    bench.serve(kBase + 1, 1);
    bench.serve(kBase + 2, 0); // kBase is on the host now
    bench.platform.writes.clear();
    bench.serve_note(kBase, 1);       // evicted since
    bench.serve_note(kBase + 2, 0);   // at home since
    bench.serve_note(kBase + 3, 0);   // never mapped, in a table that is there
    bench.serve_note(kBase << 12, 0); // in one that isn't
    bench.serve_note(~std::uint64_t{0}, 0);
    bench.serve_note(kBase + 2, 9);
    Names expected;
    for (int i = 0; i < 6; ++i) expected.insert(expected.end(), {"fault_unit.note_pop", "system.watchdog"});
    EXPECT_EQ(bench.names_of_writes(), expected);
}

TEST(Migration, ServesFaultsBeforeNotes) {
    Bench bench(migrating());
    bench.serve(kBase, 0);
    bench.platform.note(kBase, 1);
    bench.platform.fault(kBase + 1, 2);
    bench.platform.writes.clear();
    driver_interrupt(&bench.driver);
    const Names names = bench.names_of_writes();
    EXPECT_TRUE(std::equal(kPlainFault.begin(), kPlainFault.end(), names.begin()));
    EXPECT_EQ(names[4], "fault_unit.note_pop");
}

TEST(Migration, AFaultWhileThePageMovesIsAnsweredWithDone) {
    Bench bench(migrating());
    bench.serve(kBase, 0);
    bool struck = false;
    bench.platform.while_waiting = [&] {
        if (!struck) bench.platform.fault(kBase, 2);
        struck = true;
    };
    bench.serve_note(kBase, 3);
    EXPECT_EQ(bench.platform.where(kBase), (Place{3, 0}));
    EXPECT_EQ(bench.platform.done, (std::vector<std::uint64_t>{kBase, kBase}));
    EXPECT_EQ(bench.driver.counts.mapped, 1U);
}

TEST(Migration, APageStaysWhenTheCopyEngineRefuses) {
    Bench bench(migrating());
    bench.serve(kBase, 0);
    bench.platform.data({0, 0}) = 5;
    bench.platform.refuse_pages = true;
    bench.serve_note(kBase, 3);
    EXPECT_EQ(bench.platform.where(kBase), (Place{0, 0}));
    EXPECT_EQ(bench.platform.data({0, 0}), 5U);
    EXPECT_EQ(bench.driver.view.pages[3], 0U);
    bench.platform.refuse_pages = false;
    bench.serve(kBase + 1, 3);
    EXPECT_EQ(bench.platform.where(kBase + 1), (Place{3, 0}));
}

} // namespace
} // namespace numavp::driver_test
