/// Replication by access counts: when a page gets replicas, when it loses them, and what the driver does for it.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/sw/driver/driver_bench.h"

namespace numavp::driver_test {
namespace {

Setting replicating(std::uint64_t frames = 8) {
    Setting setting = small("first_touch", frames);
    setting.migration_threshold = 64;
    setting.replicates = true;
    return setting;
}

TEST(Replication, GivesASocketThatKeepsAccessingAPageItsOwnCopy) {
    Bench bench(replicating());
    bench.serve(kBase, 0);
    bench.platform.data({0, 0}) = 5;
    bench.platform.writes.clear();
    bench.serve_note(kBase, 3);
    EXPECT_EQ(bench.platform.where(kBase), (Place{0, 0})) << "its home stays";
    EXPECT_EQ(bench.platform.read_by(kBase, 3), (Place{3, 0}));
    EXPECT_EQ(bench.platform.read_by(kBase, 1), (Place{0, 0}));
    EXPECT_EQ(bench.platform.data({3, 0}), 5U);
    EXPECT_EQ(bench.driver.view.pages[3], 0U) << "policies count pages";
    EXPECT_EQ(
        bench.names_of_writes(),
        (Names{"fault_unit.note_pop", "system.watchdog", "entry", "entry", "entry", "entry", "entry",
               "fault_unit.control", "fault_unit.invalidate", "copy_engine.source", "copy_engine.target",
               "copy_engine.bytes", "copy_engine.command", "entry", "entry", "fault_unit.done", "fault_unit.control"}));
    EXPECT_EQ(bench.platform.writes[6].value, bench.platform.physical({0, 0}) | 4) << "moving before it is copied";
}

TEST(Replication, ASecondReplicaHoldsUpItsSocketAlone) {
    Bench bench(replicating());
    bench.serve(kBase, 0);
    bench.serve_note(kBase, 3);
    bench.platform.writes.clear();
    bool others_read = true;
    bench.platform.while_waiting = [&] { others_read &= bench.platform.replicated(kBase); };
    bench.serve_note(kBase, 1);
    EXPECT_TRUE(others_read);
    EXPECT_EQ(bench.platform.read_by(kBase, 1), (Place{1, 0}));
    EXPECT_EQ(bench.platform.read_by(kBase, 3), (Place{3, 0}));
    EXPECT_EQ(bench.names_of_writes(),
              (Names{"fault_unit.note_pop", "system.watchdog", "copy_engine.source", "fault_unit.control",
                     "copy_engine.target", "copy_engine.bytes", "copy_engine.command", "entry", "fault_unit.invalidate",
                     "entry", "fault_unit.done", "fault_unit.control"}));
    bench.serve_note(kBase, 1);
    bench.serve_note(kBase, 0);
    EXPECT_EQ(bench.driver.counts.replicated, 2U) << "one is enough, and the home needs none";
}

TEST(Replication, AStoreEndsItAndReadsDoNot) {
    Bench bench(replicating());
    bench.serve(kBase, 0);
    bench.platform.data({0, 0}) = 5;
    bench.serve_note(kBase, 3);
    bench.serve_note(kBase, 1);
    bench.serve(kBase, 2, false);
    EXPECT_TRUE(bench.platform.replicated(kBase));
    EXPECT_EQ(bench.driver.counts.mapped, 1U);
    const std::uint64_t invalidations = bench.platform.invalidations;
    bench.serve(kBase, 3, true);
    EXPECT_FALSE(bench.platform.replicated(kBase));
    EXPECT_EQ(bench.platform.invalidations, invalidations + 1) << "one for all frames";
    for (unsigned s = 0; s < 4; ++s) EXPECT_EQ(bench.platform.read_by(kBase, s), (Place{0, 0}));
    bench.serve(kBase + 1, 3);
    bench.serve(kBase + 2, 1);
    EXPECT_EQ(bench.platform.where(kBase + 1), (Place{3, 0})) << "the frames are free again";
    EXPECT_EQ(bench.platform.where(kBase + 2), (Place{1, 0}));
}

TEST(Replication, WaitsTwiceAsLongAfterEachCollapseAndEndsAfterThree) {
    Bench bench(replicating());
    bench.serve(kBase, 0);
    for (unsigned k = 0; k < 3; ++k) {
        for (unsigned i = 1; i < 1U << k; ++i) bench.serve_note(kBase, 1 + i % 3);
        EXPECT_FALSE(bench.platform.replicated(kBase)) << k;
        bench.serve_note(kBase, 1);
        EXPECT_TRUE(bench.platform.replicated(kBase)) << k;
        bench.serve(kBase, 2, true);
    }
    for (unsigned i = 0; i < 1000; ++i) bench.serve_note(kBase, 1);
    EXPECT_FALSE(bench.platform.replicated(kBase)) << "it stays single";
    EXPECT_EQ(bench.driver.counts.collapsed, 3U);
}

TEST(Replication, TakesOnlyFramesThatAreFree) {
    Bench bench(replicating(1));
    bench.serve(kBase, 0);
    bench.serve(kBase + 1, 1);
    bench.serve_note(kBase, 1);
    EXPECT_FALSE(bench.platform.replicated(kBase));
    bench.serve_note(kBase, 2);
    bench.serve_note(kBase + 1, 2);
    EXPECT_EQ(bench.platform.read_by(kBase, 2), (Place{2, 0}));
    EXPECT_FALSE(bench.platform.replicated(kBase + 1)) << "a replica displaces no other";
}

/// Pages come first: of four frames in each memory all are pages' before one is evicted.
TEST(Replication, ReplicasMakeRoomForPagesTheOldestFirst) {
    Bench bench(replicating(2));
    for (std::uint64_t i = 0; i < 2; ++i) bench.serve(kBase + i, 0);
    bench.serve_note(kBase + 1, 3);
    bench.serve_note(kBase, 3);
    bench.serve_note(kBase, 2);
    bench.serve(kBase + 2, 3); // memory 3 has two replicas
    EXPECT_EQ(bench.platform.where(kBase + 2), (Place{3, 0}));
    EXPECT_FALSE(bench.platform.replicated(kBase + 1)) << "the older one went, its page's last";
    EXPECT_EQ(bench.platform.read_by(kBase, 3), (Place{3, 1}));
    bench.serve(kBase + 3, 3);
    EXPECT_TRUE(bench.platform.replicated(kBase)) << "the one in memory 2 stays";
    EXPECT_EQ(bench.platform.read_by(kBase, 3), (Place{0, 0}));
    for (std::uint64_t i = 4; i < 8; ++i) bench.serve(kBase + i, i % 2 + 1);
    EXPECT_FALSE(bench.platform.replicated(kBase));
    EXPECT_EQ(bench.driver.counts.dropped, 3U);
    EXPECT_EQ(bench.driver.counts.evicted, 0U);
    bench.serve(kBase + 8, 0);
    EXPECT_EQ(bench.driver.counts.evicted, 1U);
    EXPECT_EQ(bench.platform.where(kBase), std::nullopt) << "it went to the host, single";
    bench.serve(kBase, 0);
    EXPECT_EQ(bench.driver.counts.returned, 1U);
}

TEST(Replication, StaysSingleWhenTheCopyEngineRefuses) {
    Bench bench(replicating());
    bench.serve(kBase, 0);
    bench.platform.refuse_pages = true;
    bench.serve_note(kBase, 3);
    EXPECT_EQ(bench.platform.where(kBase), (Place{0, 0}));
    EXPECT_FALSE(bench.platform.replicated(kBase));
    bench.platform.refuse_pages = false;
    bench.serve_note(kBase, 3);
    bench.platform.refuse_pages = true;
    bench.serve_note(kBase, 1);
    EXPECT_EQ(bench.platform.read_by(kBase, 1), (Place{0, 0}));
    bench.serve(kBase, 0, true);
    bench.platform.refuse_pages = false;
    bench.serve(kBase + 1, 3);
    EXPECT_EQ(bench.platform.where(kBase + 1), (Place{3, 0})) << "no frame was lost";
}

TEST(Replication, TablesOfReplicasAreUsedAgainAndLeaveRoomForPages) {
    Setting setting = replicating(256);
    setting.table_frames = 3; // 12 in all: 4 for the first pages, 6 for replicas, 16 tables in each
    Bench bench(setting);
    for (std::uint64_t i = 0; i < 100; ++i) bench.serve(kBase + i, 0);
    for (std::uint64_t round = 0; round < 3; ++round)
        for (std::uint64_t i = 0; i < 50; ++i) {
            for (unsigned k = 0; k < 1U << round; ++k) bench.serve_note(kBase + i, 1);
            ASSERT_TRUE(bench.platform.replicated(kBase + i));
            bench.serve(kBase + i, 1, true);
        }
    EXPECT_EQ(bench.driver.table.replicas_pages, 1U);
    for (std::uint64_t i = 0; i < 100; ++i) bench.serve(kBase + 100 + i, 0);
    for (std::uint64_t i = 50; i < 200; ++i) bench.serve_note(kBase + i, 1);
    EXPECT_EQ(bench.driver.table.replicas_pages, 6U);
    EXPECT_EQ(bench.driver.counts.replicated, 3 * 50U + 96);
    for (std::uint64_t i = 1; i < 3; ++i) bench.serve(kBase + 512 * i, 0);
    EXPECT_EQ(bench.driver.counts.refused, 0U);
    EXPECT_EQ(bench.driver.table.tables, 12U);
}

TEST(Replication, IgnoresNotesThatAreStaleOrAbsurd) {
    Setting setting = replicating(1);
    setting.sockets = 2;
    Bench bench(setting);
    bench.serve(kBase, 0);
    bench.serve(kBase + 1, 1);
    bench.serve(kBase + 2, 0); // kBase is on the host now
    bench.platform.writes.clear();
    bench.serve_note(kBase, 1);
    bench.serve_note(kBase + 2, 0);
    bench.serve_note(kBase + 3, 0);
    bench.serve_note(kBase << 12, 0);
    bench.serve_note(~std::uint64_t{0}, 0);
    bench.serve_note(kBase + 2, 9);
    Names expected;
    for (int i = 0; i < 6; ++i) expected.insert(expected.end(), {"fault_unit.note_pop", "system.watchdog"});
    EXPECT_EQ(bench.names_of_writes(), expected);
}

TEST(Replication, AStoreThatFaultsWhileThePageIsCopiedEndsItAtOnce) {
    Bench bench(replicating());
    bench.serve(kBase, 0);
    bool struck = false;
    bench.platform.while_waiting = [&] {
        if (!struck) bench.platform.fault(kBase, 2, true);
        struck = true;
    };
    bench.serve_note(kBase, 3);
    EXPECT_EQ(bench.driver.counts.replicated, 1U);
    EXPECT_EQ(bench.driver.counts.collapsed, 1U);
    EXPECT_FALSE(bench.platform.replicated(kBase));
}

} // namespace
} // namespace numavp::driver_test
