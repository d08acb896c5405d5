/// The driver over a fake platform: each of its ways, one at a time.
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sw/driver/driver.h"
#include "tests/sw/driver/driver_bench.h"

namespace numavp::driver_test {
namespace {

TEST(Driver, SaysWhatItIsWhenItStarts) {
    Bench bench(small("lab", 64, 32));
    EXPECT_EQ(bench.wrong, nullptr);
    EXPECT_EQ(bench.platform.console, "driver: lab, 4 sockets of 64 pages, host of 32 pages\n");
    EXPECT_FALSE(bench.platform.interrupt_line());
}

TEST(Driver, PlacesAFaultAndLetsItReplay) {
    Bench bench;
    bench.serve(kBase, 2);
    bench.platform.writes.clear(); // those of the first page's tables
    bench.serve(kBase + 1, 3);
    EXPECT_EQ(bench.names_of_writes(), kPlainFault);
    EXPECT_EQ(bench.platform.where(kBase), (Place{2, 0}));
    EXPECT_EQ(bench.platform.where(kBase + 1), (Place{3, 0}));
    EXPECT_EQ(bench.platform.done, (std::vector<std::uint64_t>{kBase, kBase + 1}));
    EXPECT_EQ(bench.driver.counts.placed, 2U);
    EXPECT_EQ(bench.platform.waits, bench.driver.table.tables) << "a wait for each table page that is cleared";
}

TEST(Driver, ServesAStormInItsOrderAtOneInterrupt) {
    Setting setting = small("round_robin", 2000);
    setting.sockets = 8;
    Bench bench(setting);
    std::vector<std::uint64_t> pages(10000);
    std::iota(pages.begin(), pages.end(), kBase);
    for (const std::uint64_t page : pages) bench.platform.fault(page, page % 8);
    driver_interrupt(&bench.driver);
    EXPECT_EQ(bench.platform.done, pages);
    for (std::uint64_t i = 0; i < pages.size(); ++i) {
        ASSERT_EQ(bench.platform.where(pages[i]), (Place{i % 8, i / 8})) << "frames are given out ascending";
    }
}

TEST(Driver, WritesNothingWhenNothingWaits) {
    Setting setting;
    setting.migration_threshold = 1;
    Bench bench(setting);
    driver_interrupt(&bench.driver);
    EXPECT_TRUE(bench.platform.writes.empty());
}

TEST(Driver, AnswersAFaultOnAMappedPageWithDoneOnly) {
    Bench bench;
    bench.serve(kBase, 1);
    bench.platform.writes.clear();
    bench.serve(kBase, 2);
    EXPECT_EQ(bench.names_of_writes(), (Names{"system.watchdog", "fault_unit.pop", "fault_unit.done"}));
    EXPECT_EQ(bench.platform.where(kBase), (Place{1, 0}));
    EXPECT_EQ(bench.driver.counts.mapped, 1U);
    EXPECT_EQ(bench.driver.view.calls, 1U) << "the policy is not asked again";
}

TEST(Driver, TakesTheNextBestMemoryWhenOneIsFull) {
    Bench bench(small("first_touch", 2));
    for (std::uint64_t i = 0; i < 4; ++i) bench.serve(kBase + i, 1);
    bench.serve(kBase + 4, 3);
    bench.serve(kBase + 5, 1);
    const std::vector<Place> expected = {{1, 0}, {1, 1}, {0, 0}, {2, 0}, {3, 0}, {0, 1}};
    for (std::uint64_t i = 0; i < expected.size(); ++i) EXPECT_EQ(bench.platform.where(kBase + i), expected[i]) << i;
    EXPECT_EQ(bench.driver.counts.elsewhere, 3U);
}

/// Fills all memories of two sockets with two frames each; the data of each page is its number.
void fill_two_sockets(Bench& bench) {
    for (std::uint64_t i = 0; i < 4; ++i) {
        bench.serve(kBase + i, i / 2);
        bench.platform.data(*bench.platform.where(kBase + i)) = kBase + i;
    }
}

Setting two_sockets(std::uint64_t host_frames) {
    Setting setting = small("first_touch", 2, host_frames);
    setting.sockets = 2;
    return setting;
}

TEST(Driver, EvictsTheOldestPageOfTheWishedMemoryWhenAllAreFull) {
    Bench bench(two_sockets(8));
    fill_two_sockets(bench);
    bench.platform.writes.clear();
    bench.serve(kBase + 4, 1);
    EXPECT_EQ(bench.platform.where(kBase + 2), std::nullopt);
    EXPECT_EQ(bench.platform.where(kBase + 2, true), (Place{2, 0}));
    EXPECT_EQ(bench.platform.data({2, 0}), kBase + 2);
    EXPECT_EQ(bench.platform.where(kBase + 4), (Place{1, 0}));
    EXPECT_EQ(bench.names_of_writes(),
              (Names{"system.watchdog", "entry", "fault_unit.control", "fault_unit.invalidate", "copy_engine.source",
                     "copy_engine.target", "copy_engine.bytes", "copy_engine.command", "entry", "entry",
                     "fault_unit.pop", "fault_unit.done", "fault_unit.control"}));
}

TEST(Driver, BringsAnEvictedPageBackWithItsData) {
    Bench bench(two_sockets(2));
    fill_two_sockets(bench);
    bench.serve(kBase + 4, 1); // page 2 goes, to host frame 0
    bench.platform.data(*bench.platform.where(kBase + 4)) = kBase + 4;
    bench.serve(kBase + 2, 0); // page 0 goes, to host frame 1; page 2 comes back
    EXPECT_EQ(bench.platform.where(kBase + 2), (Place{0, 0}));
    EXPECT_EQ(bench.platform.data({0, 0}), kBase + 2);
    bench.serve(kBase + 0, 0); // page 1 goes to the frame that page 2 left
    EXPECT_EQ(bench.platform.where(kBase + 1, true), (Place{2, 0}));
    EXPECT_EQ(bench.platform.data({2, 0}), kBase + 1);
    EXPECT_EQ(bench.platform.data(*bench.platform.where(kBase)), kBase);
    EXPECT_EQ(bench.driver.counts.returned, 2U);
    EXPECT_EQ(bench.platform.copies, 5U) << "three evictions and two returns";
}

TEST(Driver, TheHostsLastFrameIsForPagesThatChangePlaces) {
    Bench bench(two_sockets(2));
    fill_two_sockets(bench);
    bench.serve(kBase + 4, 1);
    bench.serve(kBase + 5, 1);
    EXPECT_EQ(bench.platform.failed, (std::vector<std::uint64_t>{kBase + 5})) << "new pages don't get it";
    for (std::uint64_t i = 0; i < 20; ++i) { // the page that is out comes back and drives another out, for ever
        const std::uint64_t page = kBase + i % 5;
        if (!bench.platform.where(page)) bench.serve(page, i % 2);
        EXPECT_TRUE(bench.platform.where(page));
    }
    EXPECT_EQ(bench.platform.failed.size(), 1U);
    EXPECT_GT(bench.driver.counts.returned, 5U);
}

TEST(Driver, RefusesAPageWhenTheHostIsFullToo) {
    Bench bench(two_sockets(0));
    fill_two_sockets(bench);
    bench.platform.writes.clear();
    bench.serve(kBase + 4, 1);
    EXPECT_EQ(bench.platform.failed, (std::vector<std::uint64_t>{kBase + 4}));
    EXPECT_EQ(bench.names_of_writes(), (Names{"system.watchdog", "fault_unit.pop", "fault_unit.fail"}));
    EXPECT_TRUE(bench.says("driver: page 0x1004 is refused: all memories are full, and the host is too\n"));
    for (std::uint64_t i = 0; i < 4; ++i) EXPECT_TRUE(bench.platform.where(kBase + i)) << "nobody else suffers";
}

TEST(Driver, FillsNewPagesAsConfigured) {
    Setting setting = two_sockets(8);
    setting.fill = 1;
    Bench zeros(setting);
    zeros.platform.data({1, 0}) = 99;
    zeros.serve(kBase, 1);
    EXPECT_EQ(zeros.platform.data({1, 0}), 0U);
    EXPECT_EQ(zeros.platform.fills, 1U);

    setting.fill = 2;
    Bench copy(setting);
    copy.platform.data({2, 0}) = 7; // the host has the first page's data in its first frame
    copy.platform.data({2, 1}) = 8;
    copy.serve(kBase, 1);
    copy.serve(kBase + 1, 0);
    EXPECT_EQ(copy.platform.data({1, 0}), 7U);
    EXPECT_EQ(copy.platform.data({0, 0}), 8U);
}

TEST(Driver, PagesThatStartOnTheHostKeepTheirFrameThere) {
    Setting setting = two_sockets(5);
    setting.fill = 2;
    Bench bench(setting);
    fill_two_sockets(bench);
    bench.serve(kBase + 4, 0);
    EXPECT_EQ(bench.platform.where(kBase, true), (Place{2, 0})) << "its own frame, not the next free one";
    bench.serve(kBase, 1);
    EXPECT_EQ(bench.platform.where(kBase + 2, true), (Place{2, 2}));
    EXPECT_EQ(bench.platform.data(*bench.platform.where(kBase)), kBase);
    bench.serve(kBase + 5, 0);
    EXPECT_EQ(bench.platform.failed, (std::vector<std::uint64_t>{kBase + 5})) << "there is no sixth frame";
}

TEST(Driver, AFaultOnAPageThatMovesWaitsInTheQueue) {
    Bench bench(two_sockets(8));
    fill_two_sockets(bench);
    bool struck = false;
    bench.platform.while_waiting = [&] {
        if (!struck) bench.platform.fault(kBase + 2, 0); // the victim, while it is on its way to the host
        struck = true;
    };
    bench.serve(kBase + 4, 1);
    EXPECT_TRUE(struck);
    EXPECT_EQ(bench.platform.done,
              (std::vector<std::uint64_t>{kBase, kBase + 1, kBase + 2, kBase + 3, kBase + 4, kBase + 2}));
    EXPECT_EQ(bench.platform.where(kBase + 2), (Place{0, 0}));
    EXPECT_EQ(bench.platform.data({0, 0}), kBase + 2);
}

TEST(Driver, NeedsNoWaitWhenDevicesAreDoneAtOnce) {
    Bench bench(two_sockets(8));
    bench.platform.done_at_once = true;
    fill_two_sockets(bench);
    const std::uint64_t waits = bench.platform.waits;
    bench.serve(kBase + 4, 1);
    bench.serve(kBase + 2, 1);
    EXPECT_EQ(bench.platform.waits, waits);
    EXPECT_EQ(bench.platform.data(*bench.platform.where(kBase + 2)), kBase + 2);
}

TEST(Driver, RefusesWhatCannotBe) {
    struct Case {
        std::uint64_t page, socket;
        const char* sentence;
    };
    for (const Case& one :
         {Case{std::uint64_t{1} << 32, 0, "beyond the address space"}, {kBase, 4, "a socket that doesn't exist"}}) {
        Bench bench;
        bench.serve(one.page, one.socket);
        EXPECT_EQ(bench.platform.failed.size(), 1U);
        EXPECT_TRUE(bench.says(one.sentence)) << bench.platform.console;
    }
    Setting setting;
    setting.table_frames = 1;
    setting.sockets = 2;
    Bench tables(setting);
    tables.serve(kBase, 0);
    EXPECT_TRUE(tables.says("no room for a table page")) << tables.platform.console;

    Bench lost;
    const Policy wrong = {kPolicyVersion, 0, 0, "wrong", "", [](PolicyView* view) { return view->sockets; }};
    lost.driver.policy = &wrong;
    lost.serve(kBase, 0);
    EXPECT_TRUE(lost.says("the policy wants a socket that doesn't exist")) << lost.platform.console;
}

TEST(Driver, SaysSoWhenTheCopyEngineRefuses) {
    Bench bench(two_sockets(8));
    fill_two_sockets(bench);
    bench.platform.refuse_pages = true;
    bench.serve(kBase + 4, 1);
    EXPECT_EQ(bench.platform.failed, (std::vector<std::uint64_t>{kBase + 4}));
    EXPECT_TRUE(bench.says("the copy engine refused to copy a page to the host"));
}

TEST(Driver, RefusesABadConfiguration) {
    struct Case {
        SystemRegister which;
        std::uint64_t value;
        const char* sentence;
    };
    for (const Case& one : {Case{SystemRegister::sockets, 0, "sockets"},
                            {SystemRegister::sockets, 33, "sockets"},
                            {SystemRegister::page_shift, 11, "4 KiB"},
                            {SystemRegister::page_shift, 22, "2 MiB"},
                            {SystemRegister::policy, 1000, "policy"},
                            {SystemRegister::policy, std::uint64_t{1} << 32, "policy"},
                            {SystemRegister::fill, 3, "fill"},
                            {SystemRegister::lab_percent, 101, "lab_percent"},
                            {SystemRegister::frames, 0, "no frames"},
                            {SystemRegister::levels, 9, "levels"}}) {
        FakePlatform platform{Setting{}};
        platform.system(one.which) = one.value;
        std::vector<std::uint64_t> arena(1000);
        Driver driver;
        const char* wrong = driver_init(&driver, platform.hal(), nullptr, arena.data(), arena.size() * 8);
        ASSERT_NE(wrong, nullptr) << one.sentence;
        EXPECT_NE(std::string(wrong).find(one.sentence), std::string::npos) << wrong;
        EXPECT_EQ(platform.console, "driver: can't start: " + std::string(wrong) + "\n");
        platform.fault(1, 0);
        EXPECT_FALSE(platform.interrupt_line());
    }
}

TEST(Driver, FramesEndWhereTheTablePagesStart) {
    for (const bool on_host : {false, true}) {
        Setting setting = two_sockets(8);
        setting.tables_on_host = on_host;
        FakePlatform platform(setting);
        platform.system(SystemRegister::frames) = 6;
        platform.system(SystemRegister::host_frames) = 10;
        std::vector<std::uint64_t> arena(10000);
        Driver driver;
        ASSERT_EQ(driver_init(&driver, platform.hal(), nullptr, arena.data(), arena.size() * 8), nullptr);
        EXPECT_EQ(driver.frames.frames, on_host ? 6U : 2U);
        EXPECT_EQ(driver.frames.host_frames, on_host ? 8U : 10U);
    }
}

TEST(Driver, SmallArenaMeansFewerFrames) {
    Bench bench(small("first_touch", 64, 8), 32 + 8 * sizeof(FrameRecord));
    ASSERT_EQ(bench.wrong, nullptr) << bench.wrong;
    EXPECT_EQ(bench.driver.view.frames[0], 2U);
    for (std::uint64_t i = 0; i < 12; ++i) bench.serve(kBase + i, 0);
    EXPECT_EQ(bench.driver.counts.evicted, 4U);
    EXPECT_TRUE(bench.platform.failed.empty());
    EXPECT_NE(Bench(small("first_touch", 64, 8), 3 * sizeof(FrameRecord)).wrong, nullptr);
}

TEST(Driver, TwoDriversDontMeet) {
    Bench one(small("round_robin", 64)), other(small("round_robin", 64));
    for (std::uint64_t i = 0; i < 6; ++i) {
        one.serve(kBase + i, 0);
        if (i % 2 == 0) other.serve(kBase + i, 0);
    }
    EXPECT_EQ(one.platform.where(kBase + 4), (Place{0, 1}));
    EXPECT_EQ(other.platform.where(kBase + 4), (Place{2, 0}));
}

} // namespace
} // namespace numavp::driver_test
