/// Shared memory and barriers among the accesses of `element_loop`, against counts and places made by hand.
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/sm/shared_banks.h"
#include "tests/support/places.h"
#include "tests/sw/kernels/pattern_cases.h"

namespace numavp {
namespace {

using ::testing::HasSubstr;

/// An instruction of a warp, with the places of its active lanes in bytes.
struct ScratchInst {
    Op op;
    std::uint32_t mask;
    unsigned width;
    unsigned cycles; ///< shared memory: of 32 banks
    std::vector<std::uint64_t> places;
};

std::vector<ScratchInst> scratch_of(Kernel& kernel, std::uint64_t block, unsigned warp) {
    std::vector<ScratchInst> all;
    const auto streams = kernel.open(block);
    for (const Inst* inst = streams->warp(warp).fetch(); inst->op != Op::exit; inst = streams->warp(warp).fetch()) {
        if (inst->op == Op::compute) continue;
        ScratchInst one{inst->op, inst->mask, inst->width, 0, {}};
        if (inst->op == Op::shared) one.cycles = shared_cycles(*inst, 32);
        for (unsigned lane = 0; inst->op != Op::barrier && lane < kWarpLanes; ++lane)
            if ((inst->mask >> lane & 1U) != 0) one.places.push_back(inst->address(lane));
        all.push_back(one);
    }
    return all;
}

/// The operations of a warp in a letter each: l, s, r, a of memory, S of shared memory, B a barrier.
std::string letters_of(Kernel& kernel, std::uint64_t block, unsigned warp) {
    std::string letters;
    for (const ScratchInst& inst : scratch_of(kernel, block, warp)) {
        constexpr std::array<char, 8> kLetters{'?', 'l', 's', 'a', 'r', 'S', 'B', 'F'};
        letters += kLetters.at(static_cast<std::size_t>(inst.op));
    }
    return letters;
}

std::vector<ScratchInst> shared_only(Kernel& kernel, std::uint64_t block, unsigned warp) {
    std::vector<ScratchInst> some;
    for (ScratchInst& inst : scratch_of(kernel, block, warp))
        if (inst.op == Op::shared) some.push_back(std::move(inst));
    return some;
}

Workload elements(const char* parameters) { return workload_of({"element_loop", parameters}); }

/// The shipped file of OWN_KERNEL.md: 4,096 blocks of 8 warps sum 1,024 words each.
TEST(ElementScratch, ATreeOfSumsHasTheAccessesOfItsKernel) {
    const Workload workload = load_workload("block-sums", {test::source_dir() + "/configs/workloads"});
    Kernel& kernel = *workload.launches.at(0).kernel;
    EXPECT_EQ(kernel.shape().blocks, 4096U);
    EXPECT_EQ(kernel.shape().shared_bytes, 256U * 4);
    EXPECT_EQ(kernel.shape().accesses, 4096U * (8 + 1)) << "a load of each warp, a store of the first one";
    // Steps of 128, 64, 32, ..., 1 threads: 2 loads and a store behind each barrier.
    EXPECT_EQ(letters_of(kernel, 7, 0), "lSBSSSBSSSBSSSBSSSBSSSBSSSBSSSBSSSBSs");
    EXPECT_EQ(letters_of(kernel, 7, 1), "lSBSSSBSSSBBBBBBB");
    EXPECT_EQ(letters_of(kernel, 7, 3), "lSBSSSBBBBBBBB");
    EXPECT_EQ(letters_of(kernel, 7, 4), "lSBBBBBBBBB");
    std::size_t shared = 0;
    for (unsigned warp = 0; warp < 8; ++warp) shared += shared_only(kernel, 4095, warp).size();
    EXPECT_EQ(shared, 8U + 3 * (4 + 2 + 6 * 1) + 1);
    const auto first = scratch_of(kernel, 7, 0);
    const std::uint64_t sums = workload.ranges.at(1).base;
    EXPECT_EQ(workload.ranges.at(1).name, "sums");
    EXPECT_EQ(first.back().places, std::vector<std::uint64_t>{sums + 4 * 7}) << "a sum of each block, side by side";
    std::vector<unsigned> lanes;
    for (const ScratchInst& inst : shared_only(kernel, 7, 0))
        lanes.push_back(static_cast<unsigned>(__builtin_popcount(inst.mask)));
    EXPECT_EQ(lanes, (std::vector<unsigned>{32, 32, 32, 32, 32, 32, 32, 32, 32, 32, 16, 16, 16,
                                            8,  8,  8,  4,  4,  4,  2,  2,  2,  1,  1,  1,  1}));
}

/// Columns of a tile of 32 x 32 words are in one bank, those of 32 x 33 in all; records of two words in every other.
TEST(ElementScratch, PlacesDecideOnTheConflictsOfBanks) {
    const auto cycles = [](const char* shared) {
        const std::string parameters = R"({"items": 64, "per_block": 64, "threads": 64, "accesses": [{"array": "x"},
            {"array": "tile", "memory": "shared", )" +
                                       std::string(shared) + "}]}";
        std::vector<unsigned> all;
        for (const ScratchInst& inst : shared_only(*elements(parameters.c_str()).launches[0].kernel, 0, 1))
            all.push_back(inst.cycles);
        return all;
    };
    EXPECT_THAT(cycles(R"("kind": "store", "elements": 1024, "fields": 2)"), ::testing::ElementsAre(1, 1));
    EXPECT_THAT(cycles(R"("elements": 1024, "stride": 32)"), ::testing::ElementsAre(32));
    EXPECT_THAT(cycles(R"("elements": 1056, "stride": 33)"), ::testing::ElementsAre(1));
    EXPECT_THAT(cycles(R"("elements": 1024, "stride": 0)"), ::testing::ElementsAre(1));
    EXPECT_THAT(cycles(R"("elements": 128, "reach": "record", "fields": 2)"), ::testing::ElementsAre(2, 2));
    EXPECT_THAT(cycles(R"("elements": 128, "width": 8)"), ::testing::ElementsAre(2));
}

TEST(ElementScratch, IndicesWrapAroundAtTheArraysEnd) {
    const Workload workload = elements(R"({"items": 64, "per_block": 64, "threads": 64, "accesses": [{"array": "x"},
        {"array": "t", "memory": "shared", "kind": "store", "elements": 40, "fields": 2, "width": 8}]})");
    const auto shared = shared_only(*workload.launches[0].kernel, 0, 1);
    ASSERT_EQ(shared.size(), 2U);
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        EXPECT_EQ(shared[0].places[lane], 8 * ((32 + lane) % 40));
        EXPECT_EQ(shared[1].places[lane], 8 * ((32 + lane + 64) % 40)) << "field 1 is a block's threads further";
    }
    EXPECT_EQ(workload.launches[0].kernel->shape().shared_bytes, 320U);
}

/// Bins of a private histogram: their number is that of the block's array, and skew makes some bins hot.
TEST(ElementScratch, RandomPlacesLieInTheBlocksArray) {
    const Workload workload = elements(R"({"items": 2048, "per_block": 1024, "threads": 128, "accesses": [
        {"array": "values"},
        {"array": "bins", "memory": "shared", "kind": "reduce", "reach": "random", "elements": 100, "dependent": true},
        {"array": "bins", "memory": "shared", "reach": "result", "elements": 100, "lanes": 100},
        {"array": "all", "kind": "reduce", "reach": "result", "elements": 100, "lanes": 100}]})");
    Kernel& kernel = *workload.launches[0].kernel;
    EXPECT_EQ(kernel.shape().shared_bytes, 400U);
    EXPECT_EQ(kernel.shape().accesses, 2U * (32 + 4)) << "1,024 values, and 100 bins";
    EXPECT_EQ(letters_of(kernel, 1, 0), "lSlSlSlSlSlSlSlSBSr");
    std::uint64_t highest = 0;
    for (const ScratchInst& inst : shared_only(kernel, 1, 2))
        for (const std::uint64_t place : inst.places) highest = std::max(highest, place);
    EXPECT_LT(highest, 400U);
    EXPECT_GT(highest, 300U);
    const auto last = scratch_of(kernel, 1, 3);
    EXPECT_EQ(last.back().op, Op::reduce);
    EXPECT_EQ(last.back().mask, 0xfU) << "bins 96 to 99";
    EXPECT_EQ(last.back().places[0], workload.ranges.at(1).base + 4 * 96);
}

/// 10 groups of a block for 4 warps: 3 turns, in the last of which two warps have none.
TEST(ElementScratch, AllWarpsMeetInEachTurnWhetherTheyHaveAGroupOrNot) {
    const Workload workload = elements(R"({"items": 1000, "per_block": 320, "threads": 128, "accesses": [
        {"array": "x"}, {"array": "t", "memory": "shared", "kind": "store", "elements": 128}, {"kind": "barrier"},
        {"array": "t", "memory": "shared", "elements": 128}, {"kind": "barrier"}, {"array": "x", "kind": "store"}]})");
    Kernel& kernel = *workload.launches[0].kernel;
    EXPECT_EQ(kernel.shape().blocks, 4U);
    EXPECT_EQ(kernel.shape().accesses, 2U * 32) << "a load and a store of each of 32 groups";
    const std::string turn = "lSBSBs";
    EXPECT_EQ(letters_of(kernel, 0, 1), turn + turn + turn);
    EXPECT_EQ(letters_of(kernel, 0, 2), turn + turn + "BB");
    EXPECT_EQ(letters_of(kernel, 3, 1), turn) << "the last block has 40 items: a turn for all";
    EXPECT_EQ(letters_of(kernel, 3, 2), "BB");
    for (const ScratchInst& inst : scratch_of(kernel, 3, 1))
        EXPECT_EQ(inst.mask, inst.op == Op::barrier ? 0xffffffffU : 0xffU) << "items 992 to 999";
}

/// The arithmetic is done before the first write to memory, not before what only moves to shared memory.
TEST(ElementScratch, TheElementsArithmeticComesBeforeTheFirstWriteToMemory) {
    const Workload workload = elements(R"({"items": 32, "per_block": 32, "threads": 32, "work": 77, "accesses": [
        {"array": "x"}, {"array": "t", "memory": "shared", "kind": "store", "elements": 32}, {"kind": "barrier"},
        {"array": "t", "memory": "shared", "elements": 32}, {"array": "x", "kind": "store"}]})");
    const auto streams = workload.launches[0].kernel->open(0);
    std::string order;
    unsigned arithmetic = 0;
    for (const Inst* inst = streams->warp(0).fetch(); inst->op != Op::exit; inst = streams->warp(0).fetch()) {
        if (inst->op == Op::shared) order += 'S';
        if (inst->op == Op::store) order += 's';
        if (inst->op != Op::compute || inst->repeat != 77) continue;
        order += 'W';
        ++arithmetic;
    }
    EXPECT_EQ(order, "SSWs");
    EXPECT_EQ(arithmetic, 1U);
}

/// With and without shared memory the same lines are accessed, in samples too.
TEST(ElementScratch, SharedMemoryChangesNoAccessToMemory) {
    const auto places = [](const std::string& between) {
        const std::string parameters = R"({"items": 5000, "per_block": 96, "threads": 64, "sample": 5, "accesses": [
            {"array": "x", "fields": 7}, )" +
                                       between +
                                       R"({"array": "g", "reach": "random", "elements": 999, "fields": 3},
            {"array": "y", "kind": "store"}, {"array": "s", "kind": "reduce", "reach": "result", "elements": 64}]})";
        const Workload workload = elements(parameters.c_str());
        Kernel& kernel = *workload.launches[0].kernel;
        std::vector<std::vector<std::uint64_t>> all;
        for (std::uint64_t block = 0; block < kernel.shape().blocks; ++block)
            for (unsigned warp = 0; warp < kernel.shape().warps(); ++warp)
                for (const ScratchInst& inst : scratch_of(kernel, block, warp))
                    if (inst.op != Op::shared && inst.op != Op::barrier) all.push_back(inst.places);
        return all;
    };
    const auto without = places("");
    EXPECT_GT(without.size(), 200U);
    EXPECT_EQ(places(R"({"array": "t", "memory": "shared", "elements": 64, "fields": 9}, {"kind": "barrier"},)"),
              without);
}

/// Of 20 accesses to shared memory of a group, a sample of 8 makes 2.5 on average; of barriers none is left out.
TEST(ElementScratch, ASampleLeavesOutAccessesButNoBarrier) {
    const Workload workload = elements(R"({"items": 32000, "per_block": 32, "threads": 32, "sample": 8, "accesses": [
        {"array": "x", "fields": 20}, {"array": "t", "memory": "shared", "elements": 32, "fields": 20},
        {"kind": "barrier"}]})");
    Kernel& kernel = *workload.launches[0].kernel;
    std::size_t shared = 0;
    for (std::uint64_t block = 0; block < 1000; ++block) {
        const std::string letters = letters_of(kernel, block, 0);
        EXPECT_EQ(std::count(letters.begin(), letters.end(), 'B'), 1) << block;
        shared += static_cast<std::size_t>(std::count(letters.begin(), letters.end(), 'S'));
    }
    EXPECT_NEAR(static_cast<double>(shared), 2500.0, 60.0);
}

TEST(ElementScratch, EachArrayOfABlockBeginsAtAWholeVector) {
    const Workload workload = elements(R"({"items": 64, "accesses": [{"array": "x"},
        {"array": "a", "memory": "shared", "elements": 5, "width": 1},
        {"array": "b", "memory": "shared", "elements": 8},
        {"array": "b", "memory": "shared", "kind": "store", "elements": 2, "width": 8}]})");
    EXPECT_EQ(workload.launches[0].kernel->shape().shared_bytes, 16U + 32U);
    EXPECT_EQ(workload.ranges.size(), 1U) << "an array in shared memory has no place in the GPUs' memory";
}

std::string refusal_of_items(const std::string& items) {
    try {
        elements((R"({"threads": 64, "accesses": [{"array": "x"}, )" + items + "]}").c_str());
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "nothing";
}

TEST(ElementScratch, RefusesWhatCannotBeMeant) {
    EXPECT_THAT(refusal_of_items(R"({"kind": "barrier", "array": "x"})"),
                HasSubstr("accesses[1].kind: a barrier has no array and no other setting"));
    EXPECT_THAT(refusal_of_items(R"({"kind": "barrier", "lanes": 3})"), HasSubstr("'kind' alone is allowed"));
    EXPECT_THAT(refusal_of_items(R"({"array": "t", "memory": "shared"})"),
                HasSubstr("the array 't' in shared memory has no 'elements', which it must have"));
    EXPECT_THAT(refusal_of_items(R"({"array": "t", "memory": "shared", "elements": 9, "scaled": true})"),
                HasSubstr("scaled: shared memory of a block is not scaled"));
    EXPECT_THAT(refusal_of_items(R"({"array": "t", "memory": "shared", "elements": 9, "first_field": 1})"),
                HasSubstr("first_field: an array in shared memory has no fields apart"));
    EXPECT_THAT(refusal_of_items(R"({"array": "t", "memory": "shared", "elements": 9, "turns": 2})"),
                HasSubstr("turns: each block has its own shared memory; 1 is allowed"));
    EXPECT_THAT(refusal_of_items(R"({"array": "t", "memory": "shared", "elements": 9, "reach": "table"})"),
                HasSubstr("reach: shared memory is accessed by own, record, random and result"));
    EXPECT_THAT(refusal_of_items(R"({"array": "t", "memory": "local", "elements": 9})"),
                HasSubstr("unknown memory of an array 'local'"));
    EXPECT_THAT(refusal_of_items(R"({"array": "x", "stride": 2})"),
                HasSubstr("stride: is of own and result in shared memory"));
    EXPECT_THAT(refusal_of_items(R"({"array": "x", "spread": true})"),
                HasSubstr("spread: is of near and neighbour; false is allowed with others"));
    for (const char* const drawn : {"run", "cluster", "draw", "skew"})
        EXPECT_THAT(refusal_of_items(fmt::format(R"({{"array": "x", "{}": 2}})", drawn)),
                    HasSubstr(fmt::format("{}: is of random accesses", drawn)));
    EXPECT_THAT(refusal_of_items(R"({"array": "x", "lanes": 2})"),
                HasSubstr("lanes: is of shared memory and of results"));
    EXPECT_THAT(refusal_of_items(R"({"array": "t", "memory": "shared", "elements": 9, "lanes": 65})"),
                HasSubstr("lanes: a block has 64 threads; as many are allowed"));
    EXPECT_THAT(refusal_of_items(R"({"array": "x", "memory": "shared", "elements": 9})"),
                HasSubstr("memory: the array 'x' is in the other memory too"));
    EXPECT_THAT(refusal_of_items(R"({"array": "s", "kind": "store", "reach": "result"}, {"kind": "barrier"})"),
                HasSubstr("accesses[2]: a barrier stands behind a result"));
    EXPECT_THAT(refusal_of_items(R"({"array": "t", "memory": "shared", "elements": 262145})"),
                HasSubstr("the arrays in shared memory have 1048592 bytes; 1048576 are allowed"));
    EXPECT_THROW(elements(R"({"accesses": [{"kind": "barrier"}]})"), ConfigError);
}

/// A barrier is an item of an element's loop; a grid's loop counts its barriers.
TEST(ElementScratch, AGridsLoopHasNoBarrierAmongItsAccesses) {
    EXPECT_THROW(workload_of({"grid_loop", R"({"accesses": [{"array": "a", "elements": 9, "kind": "barrier"}]})"}),
                 ConfigError);
}

} // namespace
} // namespace numavp
