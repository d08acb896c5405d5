/// Addresses of `grid_loop` by hand, and what `flag_search` reads of its graph.
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sw/loops/grid_loop.h"
#include "sw/patterns/pattern_flag_search.h"
#include "sw/workloads/workload_file.h"

namespace numavp {
namespace {

/// Instructions of one warp; lanes' addresses are copied, since the stream keeps them for a step only.
struct TakenInst {
    Op op;
    std::uint32_t mask;
    std::vector<std::uint64_t> lanes; ///< of active lanes
};

std::vector<TakenInst> taken(Kernel& kernel, std::uint64_t block, unsigned warp) {
    std::vector<TakenInst> all;
    const auto streams = kernel.open(block);
    for (const Inst* inst = streams->warp(warp).fetch(); inst->op != Op::exit; inst = streams->warp(warp).fetch()) {
        TakenInst one{inst->op, inst->mask, {}};
        const bool memory = inst->op == Op::load || inst->op == Op::store || inst->op == Op::reduce;
        for (unsigned lane = 0; memory && lane < kWarpLanes; ++lane)
            if ((inst->mask >> lane & 1U) != 0) one.lanes.push_back(inst->address(lane));
        all.push_back(one);
    }
    return all;
}

std::vector<TakenInst> only(const std::vector<TakenInst>& all, Op op) {
    std::vector<TakenInst> some;
    for (const TakenInst& inst : all)
        if (inst.op == op) some.push_back(inst);
    return some;
}

/// An image of 64 x 32 words in tiles of 16 x 8.
GridLoop tiles() {
    GridLoop loop;
    loop.grid_x = 4;
    loop.grid_y = 4;
    loop.block_x = 16;
    loop.block_y = 8;
    GridAccess own;
    own.base = 0x1000;
    own.elements = 64 * 32;
    own.block_x = 16;
    own.block_y = 8 * 64;
    own.thread_y = 64;
    loop.body = {own};
    return loop;
}

std::uint64_t word_of(std::uint64_t x, std::uint64_t y) { return 0x1000 + 4 * (y * 64 + x); }

TEST(GridLoop, AWarpIsTwoRowsOfATile) {
    const auto kernel = make_grid_loop({}, tiles());
    EXPECT_EQ(kernel->shape().blocks, 16U);
    EXPECT_EQ(kernel->shape().threads, 128U);
    EXPECT_EQ(kernel->shape().accesses, 64U);
    const auto loads = only(taken(*kernel, 6, 1), Op::load); // tile (2, 1), rows 2 and 3 of it
    ASSERT_EQ(loads.size(), 1U);
    for (unsigned lane = 0; lane < kWarpLanes; ++lane)
        EXPECT_EQ(loads[0].lanes[lane], word_of(32 + lane % 16, 8 + 2 + lane / 16));
}

TEST(GridLoop, TheEdgeOfATileIsForSomeLanesAndWrapsAround) {
    GridLoop loop = tiles();
    GridAccess& left = loop.body[0];
    left.offset = -1;
    left.lanes_x = 1;
    left.count = 2;
    left.step = 17;
    const auto kernel = make_grid_loop({}, std::move(loop));
    const auto loads = only(taken(*kernel, 0, 0), Op::load);
    ASSERT_EQ(loads.size(), 2U);
    EXPECT_EQ(loads[0].mask, 0x00010001U);
    EXPECT_EQ(loads[0].lanes, (std::vector<std::uint64_t>{word_of(63, 31), word_of(63, 0)}));
    EXPECT_EQ(loads[1].lanes, (std::vector<std::uint64_t>{word_of(16, 0), word_of(16, 1)}));
}

TEST(GridLoop, WarpsWithoutAnActiveLaneMakeNoAccess) {
    GridLoop loop = tiles();
    loop.body[0].lanes_y = 3;
    loop.barriers = 2;
    const auto kernel = make_grid_loop({}, std::move(loop));
    EXPECT_EQ(kernel->shape().accesses, 32U);
    EXPECT_EQ(only(taken(*kernel, 0, 1), Op::load)[0].mask, 0x0000ffffU);
    EXPECT_TRUE(only(taken(*kernel, 0, 2), Op::load).empty());
    EXPECT_EQ(only(taken(*kernel, 0, 2), Op::barrier).size(), 2U);
}

TEST(GridLoop, TurnsGoOnAndAccessesStandBeforeAndBehindThem) {
    GridLoop loop;
    loop.turns = 3;
    loop.block_x = 32;
    GridAccess plane;
    plane.elements = 1000;
    plane.turn = 100;
    plane.ahead = 2;
    GridAccess first = plane;
    first.turn = 0;
    first.ahead = 0;
    GridAccess last = plane;
    last.op = Op::store;
    last.ahead = 5;
    loop.before = {first};
    loop.body = {plane};
    loop.after = {last};
    const auto kernel = make_grid_loop({}, std::move(loop));
    const auto all = taken(*kernel, 0, 0);
    const auto loads = only(all, Op::load);
    ASSERT_EQ(loads.size(), 4U);
    EXPECT_EQ(loads[0].lanes[0], 0U);
    for (unsigned turn = 0; turn < 3; ++turn) EXPECT_EQ(loads[1 + turn].lanes[0], 4U * 100 * (turn + 2));
    ASSERT_EQ(all.back().op, Op::store);
    EXPECT_EQ(all.back().lanes[0], 4U * 500);
}

TEST(GridLoop, ItemsAreTakenInTurnsAndActiveThreadsInAll) {
    GridLoop loop;
    loop.grid_x = 2;
    loop.block_x = 64;
    loop.turns = 2;
    loop.body.resize(1);
    loop.body[0].elements = 256;
    loop.body[0].block_x = 64;
    loop.body[0].turn = 128;
    GridLoop few = loop;
    loop.items = 128 + 40;
    const auto items = make_grid_loop({}, std::move(loop));
    EXPECT_EQ(items->shape().accesses, 4U + 2U);
    EXPECT_EQ(only(taken(*items, 0, 1), Op::load)[1].mask, 0xffU);
    EXPECT_EQ(only(taken(*items, 1, 0), Op::load).size(), 1U);
    few.active = 40;
    const auto active = make_grid_loop({}, std::move(few));
    EXPECT_EQ(active->shape().accesses, 2U * 2U);
    EXPECT_EQ(only(taken(*active, 0, 1), Op::load)[1].mask, 0xffU);
    EXPECT_TRUE(taken(*active, 1, 0).empty());
}

TEST(GridLoop, DrawnPlacesAreSharedByTheThreadsThatSayso) {
    GridLoop loop;
    loop.grid_x = 64;
    loop.block_x = 32;
    loop.body.resize(2);
    for (GridAccess& access : loop.body) {
        access.elements = 1000;
        access.thread_x = 0;
        access.random = 16;
        access.among = 10;
        access.offset = -4;
        access.seed = 7;
    }
    const auto kernel = make_grid_loop({}, std::move(loop));
    std::set<std::uint64_t> places;
    for (std::uint64_t block = 0; block < 64; ++block) {
        const auto loads = only(taken(*kernel, block, 0), Op::load);
        ASSERT_EQ(loads.size(), 2U);
        EXPECT_EQ(loads[0].lanes, loads[1].lanes);
        for (unsigned lane = 0; lane < kWarpLanes; ++lane)
            EXPECT_EQ(loads[0].lanes[lane], loads[0].lanes[lane / 16 * 16]);
        places.insert({loads[0].lanes[0], loads[0].lanes[16]});
    }
    std::set<std::uint64_t> all;
    for (unsigned element : {996U, 997U, 998U, 999U, 0U, 1U, 2U, 3U, 4U, 5U}) all.insert(std::uint64_t{4} * element);
    EXPECT_EQ(places, all);
}

TEST(GridLoop, AShareLetsSoManyWarpsWorkButAllMeet) {
    GridLoop loop = tiles();
    loop.grid_y = 4000;
    loop.barriers = 1;
    loop.share = 0.25;
    const auto kernel = make_grid_loop({}, std::move(loop));
    EXPECT_NEAR(static_cast<double>(kernel->shape().accesses) / (16000 * 4), 0.25, 0.01);
    for (unsigned warp = 0; warp < 4; ++warp) EXPECT_EQ(only(taken(*kernel, 3, warp), Op::barrier).size(), 1U);
}

/// What `parameters` make of a kernel's list of accesses is refused with.
std::string refusal(const std::string& parameters) {
    try {
        read_workload(json::parse(R"({"kernels": [{"pattern": "grid_loop", "parameters": )" + parameters + "}]}"),
                      {"f"});
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "nothing";
}

TEST(GridLoop, RefusesWhatCannotBeMeant) {
    EXPECT_THAT(refusal(R"({"block_x": 24, "accesses": [{"array": "a", "elements": 9}]})"),
                ::testing::HasSubstr("a block has 24 threads; multiples of 32 up to 1024 are allowed"));
    EXPECT_THAT(refusal(R"({"block_x": 64, "block_y": 32, "accesses": [{"array": "a", "elements": 9}]})"),
                ::testing::HasSubstr("a block has 2048 threads"));
    EXPECT_THAT(refusal(R"({"accesses": [{"array": "a"}]})"), ::testing::HasSubstr("no 'elements'"));
    EXPECT_THAT(refusal(R"({"accesses": [{"elements": 9}]})"), ::testing::HasSubstr("no 'array'"));
    EXPECT_THAT(refusal(R"({"accesses": [{"array": "a", "elements": 9, "width": 3}]})"),
                ::testing::HasSubstr("1, 2, 4, 8 or 16 bytes"));
    EXPECT_THAT(refusal(R"({"accesses": [{"array": "a", "elements": 9, "when": "after"}]})"),
                ::testing::HasSubstr("at least one is expected"));
    EXPECT_THAT(refusal(R"({"accesses": [{"array": "a", "elements": 9, "when": "before", "kind": "store"}]})"),
                ::testing::HasSubstr("only loads are allowed"));
}

TEST(FlagSearch, ReadsEachEdgeOnceAndFindsEveryVertex) {
    GraphCache graphs;
    FlagSearchParameters parameters;
    parameters.graph.kind = GraphKind::drawn_ends;
    parameters.graph.vertices = 3000;
    parameters.graph.degree = 6;
    parameters.threads = 64;
    PatternContext context;
    context.graphs = &graphs;
    const FlagSearch search(parameters, context);
    ArrayBases at;
    std::uint64_t next = 1ULL << 21;
    for (const ArrayNeed& need : search.arrays()) {
        at[need.role] = next;
        next += 1ULL << 21;
    }
    const auto graph = graphs.get(parameters.graph, false, context.data_seed);
    std::vector<unsigned> edges_read(graph->edges(), 0);
    std::set<std::uint64_t> found;
    const auto kernels = search.kernels(at);
    for (const auto& kernel : kernels) {
        for (std::uint64_t b = 0; b < kernel->shape().blocks; ++b) {
            for (unsigned w = 0; w < kernel->shape().warps(); ++w) {
                for (const TakenInst& inst : taken(*kernel, b, w)) {
                    for (const std::uint64_t address : inst.lanes) {
                        if (address >> 21 == at.at("edges") >> 21)
                            ++edges_read[(address - at.at("edges")) / kWordBytes];
                        if (inst.op == Op::store && address >> 21 == at.at("visited") >> 21)
                            found.insert(address - at.at("visited"));
                    }
                }
            }
        }
    }
    // Two ends a vertex at least: all of it hangs together.
    EXPECT_EQ(found.size(), 3000U - 1); // the source is visited before the search
    for (const unsigned times : edges_read) EXPECT_EQ(times, 1U);
    EXPECT_EQ(kernels.size() % 2, 0U);
    EXPECT_NEAR(static_cast<double>(graph->edges()) / 3000, 6.0, 0.1);
}

std::vector<std::shared_ptr<Kernel>> launched(const std::string& parameters) {
    const Workload workload =
        read_workload(json::parse(R"({"kernels": [{"pattern": "grid_loop", "parameters": )" + parameters + "}]}"),
                      Place("test", "$"));
    std::vector<std::shared_ptr<Kernel>> kernels;
    for (const Launch& launch : workload.launches) kernels.push_back(launch.kernel);
    return kernels;
}

std::uint64_t first_load(Kernel& kernel, std::uint64_t block) {
    const std::vector<TakenInst> loads = only(taken(kernel, block, 0), Op::load);
    return loads.empty() ? ~0ULL : loads.front().lanes.front();
}

TEST(GridLoop, LaunchesMoveAndGrow) {
    const auto kernels = launched(R"({"grid_x": 1, "block_x": 32, "iterations": 3, "grid_launch": 2, "accesses": [
        {"array": "t", "elements": 4096, "offset": 5, "block_x": 32, "launch": 1000}]})");
    ASSERT_EQ(kernels.size(), 3U);
    const std::uint64_t base = first_load(*kernels[0], 0) - 5 * 4;
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(kernels[i]->shape().blocks, 1 + 2 * i);
        EXPECT_EQ(kernels[i]->shape().accesses, 1 + 2 * i);
        EXPECT_EQ(first_load(*kernels[i], 0), base + 4 * (5 + 1000 * i));
    }
    EXPECT_THROW(launched(R"({"grid_x": 3, "iterations": 4, "grid_launch": -1, "accesses": [{"array": "t",
        "elements": 1}]})"),
                 ConfigError);
    EXPECT_THAT(refusal(R"({"grid_y": 1000000, "iterations": 1000, "grid_launch": 60, "accesses": [{"array": "t",
        "elements": 1}]})"),
                ::testing::HasSubstr("the grid has more than 2^32 blocks"));
}

TEST(GridLoop, ASampleKeepsTheFirstStretchOfBlocks) {
    const auto kernels =
        launched(R"({"grid_x": 24, "block_x": 64, "barriers": 3, "stretch": 2, "sample": 4, "accesses": [
        {"array": "t", "elements": 4096, "block_x": 64}]})");
    for (std::uint64_t b = 0; b < 24; ++b) {
        const std::vector<TakenInst> all = taken(*kernels[0], b, 1);
        if (b % 8 < 2)
            EXPECT_EQ(only(all, Op::load).size(), 1U) << b;
        else
            EXPECT_TRUE(all.empty()) << b; // not even barriers
    }
    EXPECT_EQ(kernels[0]->shape().accesses, 6U * 2U);
}

TEST(GridLoop, ADrawnNumberCountsGrains) {
    const auto kernels = launched(R"({"grid_x": 40, "block_x": 32, "accesses": [{"array": "t", "elements": 1000,
        "random": 32, "among": 10, "grain": 100, "offset": 7, "thread_x": 1}]})");
    std::set<std::uint64_t> nodes;
    for (std::uint64_t b = 0; b < 40; ++b) {
        const std::uint64_t word = first_load(*kernels[0], b) / 4;
        EXPECT_EQ(word % 100, first_load(*kernels[0], 0) / 4 % 100);
        nodes.insert(word / 100);
    }
    EXPECT_GT(nodes.size(), 5U);
    EXPECT_LE(nodes.size(), 10U);
}

} // namespace
} // namespace numavp
