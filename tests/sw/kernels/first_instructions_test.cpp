/// Workloads that end after a number of thread instructions: which launches and blocks are left, and what they count.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sw/work/count.h"
#include "sw/work/first_instructions.h"
#include "sw/workloads/workload_file.h"

namespace numavp {
namespace {

/// `repeat` launches of 128 blocks of a warp, each of which loads a line, then another kernel of as many, then a copy.
json launches_file(unsigned repeat) {
    const json loads = {
        {"grid_x", 128}, {"block_x", 32}, {"accesses", {{{"array", "a"}, {"elements", 4096}, {"block_x", 32}}}}};
    return {{"name", "launches"},
            {"kernels",
             {{{"pattern", "grid_loop"}, {"arrays", {{"a", "a"}}}, {"parameters", loads}, {"repeat", repeat}},
              {{"pattern", "grid_loop"}, {"arrays", {{"a", "b"}}}, {"parameters", loads}},
              {{"copy", "to_host"}, {"array", "b"}}}}};
}

Workload launches(unsigned repeat) { return read_workload(launches_file(repeat), Place("test", "$")); }

std::vector<std::uint64_t> blocks_of(Kernel& kernel) {
    std::vector<std::uint64_t> blocks;
    for (std::uint64_t b = kernel.next_block(0); b < kernel.shape().blocks; b = kernel.next_block(b + 1))
        blocks.push_back(b);
    return blocks;
}

std::uint64_t all_instructions_of(const Workload& workload) {
    std::uint64_t sum = 0;
    for (const Launch& launch : workload.launches)
        if (launch.kernel)
            for (std::uint64_t b = 0; b < launch.kernel->shape().blocks; ++b)
                sum += thread_instructions(*launch.kernel, b);
    return sum;
}

/// Address computation, load and exit: each 32 lanes. Blocks that are left out count nothing, not even their end.
TEST(FirstInstructions, EndWithinALaunch) {
    const Workload all = launches(1);
    const std::uint64_t of_block = thread_instructions(*all.launches[0].kernel, 0);
    EXPECT_EQ(of_block % 32, 0U);
    const Workload cut = first_instructions(all, (128 + 70) * of_block);
    ASSERT_EQ(cut.launches.size(), 2U) << "the copy comes behind";
    EXPECT_EQ(cut.launches[0].kernel, all.launches[0].kernel);
    EXPECT_EQ(cut.launches[1].kernel->shape().blocks, 128U) << "the grid keeps its size";
    EXPECT_EQ(all_instructions_of(cut), (128 + 70) * of_block);
    // 64 ranges of two blocks: the first of each, and six second ones.
    std::vector<std::uint64_t> expected{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    for (std::uint64_t b = 12; b < 128; b += 2) expected.push_back(b);
    EXPECT_EQ(blocks_of(*cut.launches[1].kernel), expected);
    EXPECT_EQ(count_workload(cut).loads, 128U + 70);
    EXPECT_EQ(cut.ranges.size(), 2U) << "arrays stay";
}

/// The instruction that reaches the limit lies in a block, which runs to its end.
TEST(FirstInstructions, ABlockRunsToItsEnd) {
    const Workload all = launches(1);
    const std::uint64_t of_block = thread_instructions(*all.launches[0].kernel, 0);
    for (const std::uint64_t limit : {std::uint64_t{1}, of_block})
        EXPECT_EQ(all_instructions_of(first_instructions(all, limit)), of_block);
    EXPECT_EQ(all_instructions_of(first_instructions(all, of_block + 1)), 2 * of_block);
}

/// 100 blocks in 64 ranges, of one block or two: blocks 0, 1, 3, 4, 6 ... begin a range. With 66 blocks the first two
/// ranges that have a second block give it: block 2 of range 1, and block 5 of range 3.
TEST(FirstInstructions, RangesMayDifferByABlock) {
    json file = launches_file(1);
    file["kernels"][0]["parameters"]["grid_x"] = 100;
    const Workload all = read_workload(file, Place("test", "$"));
    const std::uint64_t of_block = thread_instructions(*all.launches[0].kernel, 0);
    std::vector<std::uint64_t> expected{2, 5};
    for (std::uint64_t range = 0; range < 64; ++range) expected.push_back(100 * range / 64);
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(blocks_of(*first_instructions(all, 66 * of_block).launches[0].kernel), expected);
    EXPECT_EQ(blocks_of(*first_instructions(all, 99 * of_block).launches[0].kernel).size(), 99U);
}

TEST(FirstInstructions, LaunchesOfOneKernelCountEach) {
    const Workload all = launches(5);
    const std::uint64_t of_launch = 128 * thread_instructions(*all.launches[0].kernel, 0);
    EXPECT_EQ(first_instructions(all, 3 * of_launch).launches.size(), 3U);
    const Workload more = first_instructions(all, 3 * of_launch + 1);
    ASSERT_EQ(more.launches.size(), 4U);
    EXPECT_EQ(blocks_of(*more.launches[3].kernel), std::vector<std::uint64_t>{0});
    EXPECT_EQ(more.launches[2].kernel, all.launches[2].kernel);
}

TEST(FirstInstructions, ShorterWorkloadsAreWhole) {
    const Workload all = launches(2);
    const std::uint64_t in_all = all_instructions_of(all);
    for (const std::uint64_t limit : {std::uint64_t{0}, in_all + 1, std::uint64_t{1} << 50}) {
        const Workload same = first_instructions(all, limit);
        ASSERT_EQ(same.launches.size(), 4U);
        for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(same.launches[i].kernel, all.launches[i].kernel);
    }
}

/// The file's number is that of scale 1: of half the scale half of it counts.
TEST(FirstInstructions, OfAFileFollowItsScale) {
    const std::uint64_t in_all = all_instructions_of(launches(3));
    json file = launches_file(3);
    file["instructions"] = in_all / 2;
    const auto made = [&](double scale) {
        WorkloadOptions options;
        options.scale = scale;
        return read_workload(file, Place("test", "$"), options);
    };
    EXPECT_EQ(all_instructions_of(made(1.0)), in_all / 2) << "two launches of four";
    EXPECT_NEAR(static_cast<double>(all_instructions_of(made(0.5))), static_cast<double>(in_all) / 4, 200);
    WorkloadOptions whole;
    whole.limited = false;
    EXPECT_EQ(all_instructions_of(read_workload(file, Place("test", "$"), whole)), in_all);
}

} // namespace
} // namespace numavp
