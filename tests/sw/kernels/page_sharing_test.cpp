/// Pages by how many SMs touch them: workloads small enough to know the answer in closed form.
#include <gtest/gtest.h>

#include "sw/work/page_sharing.h"
#include "sw/workloads/workload_file.h"

namespace numavp {
namespace {

/// A kernel of `blocks` blocks of `threads` with the given accesses, as `grid_loop` reads them.
Workload sharing_workload(unsigned blocks, unsigned threads, const std::string& accesses,
                          const std::string& more = "") {
    const std::string text = R"({"name": "small", "kernels": [{"pattern": "grid_loop", "parameters": {"grid_x": )" +
                             std::to_string(blocks) + R"(, "block_x": )" + std::to_string(threads) + more +
                             R"(, "accesses": [)" + accesses + "]}}]}";
    return read_workload(json::parse(text), Place("test", "$"));
}

/// Each block of 1024 threads reads a page of its own.
Workload own_pages(unsigned blocks, const std::string& more = "") {
    return sharing_workload(blocks, 1024, R"({"array": "own", "elements": 131072, "block_x": 1024})", more);
}

/// All threads read the same word; each block stores a page of its own.
Workload one_page_for_all(unsigned blocks) {
    return sharing_workload(blocks, 1024,
                            R"({"array": "table", "elements": 1, "thread_x": 0},
                               {"array": "own", "kind": "store", "elements": 131072, "block_x": 1024})");
}

SharingOptions on_sms(std::uint32_t sms, SmSplit split = SmSplit::contiguous) {
    SharingOptions options;
    options.sms = sms;
    options.split = split;
    return options;
}

using Groups = std::array<std::uint64_t, kSharingGroups>;

TEST(PageSharing, PagesOfBlocksBelongToOneSm) {
    for (const SmSplit split : {SmSplit::contiguous, SmSplit::round_robin}) {
        const PageSharing sharing = count_page_sharing(own_pages(128), on_sms(64, split));
        EXPECT_EQ(sharing.all.pages, 128U);
        EXPECT_EQ(sharing.all.by_sms, (Groups{128, 0, 0, 0}));
        EXPECT_EQ(sharing.all.written, 0U);
        EXPECT_EQ(sharing.all.read_only_shared, 0U);
        EXPECT_TRUE(sharing.whole);
    }
}

TEST(PageSharing, APageThatAllReadIsSharedAndReadOnly) {
    const PageSharing sharing = count_page_sharing(one_page_for_all(128), on_sms(64));
    EXPECT_EQ(sharing.all.by_sms, (Groups{128, 0, 0, 1}));
    EXPECT_EQ(sharing.all.written, 128U);
    EXPECT_EQ(sharing.all.read_only_shared, 1U);
    ASSERT_EQ(sharing.arrays.size(), 2U);
    for (const ArraySharing& array : sharing.arrays) {
        const bool table = array.bytes == 4;
        EXPECT_EQ(array.counts.pages, table ? 1U : 128U) << array.name;
        EXPECT_EQ(array.counts.by_sms, (table ? Groups{0, 0, 0, 1} : Groups{128, 0, 0, 0})) << array.name;
    }
}

TEST(PageSharing, APageThatIsWrittenIsNotReadOnly) {
    const Workload workload = sharing_workload(64, 32,
                                               R"({"array": "sum", "elements": 1, "thread_x": 0},
                                                  {"array": "sum", "kind": "atomic", "elements": 1, "thread_x": 0})");
    const PageSharing sharing = count_page_sharing(workload, on_sms(64));
    EXPECT_EQ(sharing.all.by_sms, (Groups{0, 0, 0, 1}));
    EXPECT_EQ(sharing.all.read_only_shared, 0U);
}

/// One kernel writes own pages, the next reads all of them: read-only there, though not in the whole walk.
TEST(PageSharing, WhatALaunchOnlyReadsIsCountedApart) {
    const Workload workload = read_workload(json::parse(R"({"kernels": [
        {"pattern": "grid_loop", "arrays": {"a": "a"}, "parameters": {"grid_x": 64, "block_x": 1024, "accesses": [
            {"array": "a", "kind": "store", "elements": 65536, "block_x": 1024}]}},
        {"pattern": "grid_loop", "arrays": {"a": "a"}, "parameters": {"grid_x": 64, "block_x": 32, "turns": 64,
            "accesses": [{"array": "a", "elements": 65536, "turn": 1024}]}}]})"),
                                            Place("test", "$"));
    const PageSharing sharing = count_page_sharing(workload, on_sms(64));
    EXPECT_EQ(sharing.all.by_sms, (Groups{0, 0, 0, 64}));
    EXPECT_EQ(sharing.all.read_only_shared, 0U);
    EXPECT_EQ(sharing.all.read_only_in_launch, 64U);
}

TEST(PageSharing, GroupsEndAtTenAndTwentyFive) {
    const std::pair<unsigned, std::size_t> cases[] = {{1, 0}, {2, 1}, {10, 1}, {11, 2}, {25, 2}, {26, 3}, {128, 3}};
    for (const auto& [sms, group] : cases) {
        const PageSharing sharing = count_page_sharing(
            sharing_workload(128, 32, R"({"array": "table", "elements": 1, "thread_x": 0})"), on_sms(sms));
        Groups expected{};
        expected[group] = 1;
        EXPECT_EQ(sharing.all.by_sms, expected) << sms;
    }
}

/// Two blocks a page: neighbours stay together under a contiguous split only.
TEST(PageSharing, SplitsDifferWhereNeighboursShare) {
    const Workload halves = sharing_workload(128, 512, R"({"array": "own", "elements": 65536, "block_x": 512})");
    EXPECT_EQ(count_page_sharing(halves, on_sms(64)).all.by_sms, (Groups{64, 0, 0, 0}));
    EXPECT_EQ(count_page_sharing(halves, on_sms(64, SmSplit::round_robin)).all.by_sms, (Groups{0, 64, 0, 0}));
    // 63 SMs: the ranges of two or three blocks end within pages.
    const Groups odd = count_page_sharing(halves, on_sms(63)).all.by_sms;
    EXPECT_GT(odd[1], 0U);
    EXPECT_EQ(odd[0] + odd[1], 64U);
}

TEST(PageSharing, LargePagesAreSharedByMore) {
    SharingOptions options = on_sms(64);
    options.page_bytes = 2097152;
    EXPECT_EQ(count_page_sharing(own_pages(128), options).all.by_sms, (Groups{0, 0, 0, 1}));
    options.page_bytes = 65536; // 16 blocks, 8 SMs
    EXPECT_EQ(count_page_sharing(own_pages(128), options).all.by_sms, (Groups{0, 8, 0, 0}));
}

TEST(PageSharing, LaunchesOfOneKernelTouchTheSamePages) {
    const PageSharing once = count_page_sharing(own_pages(128), on_sms(64));
    const PageSharing thrice = count_page_sharing(own_pages(128, R"(, "iterations": 3)"), on_sms(64));
    EXPECT_EQ(thrice.all.by_sms, once.all.by_sms);
    EXPECT_EQ(thrice.thread_instructions, 3 * once.thread_instructions);
    EXPECT_EQ(thrice.launches, 3U);
    SharingOptions options = on_sms(64);
    options.thread_instructions = once.thread_instructions + 1;
    const PageSharing cut = count_page_sharing(own_pages(128, R"(, "iterations": 3)"), options);
    EXPECT_EQ(cut.launches, 2U);
    EXPECT_EQ(cut.thread_instructions, options.thread_instructions);
    EXPECT_FALSE(cut.whole);
}

/// All warps advance alike: before anyone's second turn comes everybody's first, however long its arithmetic is.
TEST(PageSharing, TheLimitCutsAllBlocksAtTheSamePlace) {
    const Workload turns = sharing_workload(
        64, 32, R"({"array": "rows", "elements": 131072, "thread_x": 0, "block_x": 1024, "turn": 65536})",
        R"(, "turns": 2, "work": 10000)");
    SharingOptions options = on_sms(64);
    options.thread_instructions = 64ULL * 32 * 5000; // half of the first turn's arithmetic
    const PageSharing cut = count_page_sharing(turns, options);
    EXPECT_EQ(cut.all.by_sms, (Groups{64, 0, 0, 0}));
    EXPECT_FALSE(cut.whole);
    options.thread_instructions = 64ULL * 32 * 15000;
    EXPECT_EQ(count_page_sharing(turns, options).all.by_sms, (Groups{128, 0, 0, 0}));
}

/// An SM holds what its warps allow: 64 blocks of one warp, 2 of 1024 threads; shared memory may allow fewer.
TEST(PageSharing, BlocksWaitUntilOneEnds) {
    const std::string turns = R"(, "turns": 100, "work": 1000)";
    SharingOptions options = on_sms(1);
    options.thread_instructions = 1024 * 1000;
    EXPECT_EQ(count_page_sharing(own_pages(8, turns), options).all.pages, 2U);
    options.shared_bytes_per_sm = 4096;
    EXPECT_EQ(count_page_sharing(own_pages(8, turns + R"(, "shared_bytes": 4096)"), options).all.pages, 1U);
}

TEST(PageSharing, ReportsProgress) {
    std::uint64_t last = 0;
    const PageSharing sharing = count_page_sharing(own_pages(128), on_sms(64), [&](std::uint64_t done) {
        EXPECT_GE(done, last);
        last = done;
    });
    EXPECT_EQ(last, sharing.thread_instructions);
}

} // namespace
} // namespace numavp
