/// What `sample` leaves of a block's work: one part in so many of its accesses, of each kind of access.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "sw/loops/item_loop.h"
#include "sw/work/count.h"
#include "tests/sw/kernels/pattern_cases.h"

namespace numavp {
namespace {

struct SampleCase {
    const char* pattern;
    const char* parameters;
    unsigned sample;
    double tolerance; ///< of the number of accesses; wider where few groups hold most of them
};

void PrintTo(const SampleCase& c, std::ostream* out) {
    *out << c.pattern << ' ' << c.parameters << " in " << c.sample << " parts";
}

StreamCounts counts_of(const SampleCase& c, unsigned sample) {
    json parameters = json::parse(c.parameters);
    parameters["sample"] = sample;
    const std::string text = parameters.dump();
    const Workload workload = workload_of({c.pattern, text.c_str()});
    StreamCounts counts;
    for (const Launch& launch : workload.launches)
        if (launch.kernel->shape().name != "set_up") counts += count_kernel(*launch.kernel); // never sampled
    return counts;
}

class SampledPattern : public ::testing::TestWithParam<SampleCase> {};

TEST_P(SampledPattern, MakesItsPartOfTheAccesses) {
    const SampleCase& c = GetParam();
    const StreamCounts whole = counts_of(c, 1);
    const StreamCounts part = counts_of(c, c.sample);
    const auto expect_part = [&](std::uint64_t of_part, std::uint64_t of_whole, double tolerance, const char* what) {
        if (of_whole == 0) return;
        const double ratio = static_cast<double>(of_part) * c.sample / static_cast<double>(of_whole);
        EXPECT_NEAR(ratio, 1.0, tolerance) << what;
    };
    expect_part(part.memory_instructions, whole.memory_instructions, c.tolerance, "accesses");
    // The mix stays. A kind that is rare is held to less.
    const auto of_kind = [&](std::uint64_t made) { return c.tolerance + 3.0 / std::sqrt(static_cast<double>(made)); };
    expect_part(part.loads, whole.loads, of_kind(part.loads), "loads");
    expect_part(part.stores, whole.stores, of_kind(part.stores), "stores");
    expect_part(part.atomics, whole.atomics, of_kind(part.atomics), "atomics");
    EXPECT_EQ(part.blocks, whole.blocks);
}

constexpr const char* kLevels = R"({"graph": {"kind": "random", "vertices": 100000, "degree": 6}, "kind": "level",
    "rounds": 64, "weights": false, "node_fields": 1, "per_block": 544, "threads": 544})";
constexpr const char* kHubs = R"({"graph": {"kind": "power_law", "vertices": 100000, "degree": 6}, "kind": "level",
    "rounds": 64, "per_block": 544, "threads": 544})";
constexpr const char* kHubsInSmallBlocks = R"({"graph": {"kind": "power_law", "vertices": 100000, "degree": 6},
    "kind": "relax", "rounds": 2, "per_block": 64, "threads": 64})";
constexpr const char* kMerge = R"({"graph": {"kind": "random", "vertices": 100000, "degree": 8}, "kind": "merge",
    "rounds": 2})";
constexpr const char* kTriad = R"({"items": 192000, "per_block": 192, "threads": 32, "accesses": [
    {"array": "b", "width": 8}, {"array": "c", "width": 8}, {"array": "a", "kind": "store", "width": 8}]})";
constexpr const char* kManyReaches = R"({"items": 131072, "per_block": 128, "threads": 128, "window": 100, "accesses": [
    {"array": "links", "fields": 8}, {"array": "x", "reach": "neighbour", "shifts": [0, 1, 90], "fields": 6,
     "dependent": true}, {"array": "x", "reach": "near", "shifts": [-1, 64]}, {"array": "t", "reach": "table",
     "elements": 4096}, {"array": "x", "kind": "store"}, {"array": "n", "kind": "atomic", "reach": "random",
     "elements": 64}, {"array": "s", "kind": "reduce", "reach": "result", "elements": 512, "turns": 4}]})";
constexpr const char* kAtomOfAWarp = R"({"nx": 8, "ny": 8, "nz": 8, "list": 96, "worker": "warp", "threads": 128,
    "atoms_per_block": 53, "fields": 8, "steps": 1})";
constexpr const char* kMatrix = R"({"nx": 40, "ny": 40, "nz": 40, "matrix": true, "points": 27, "residual": false,
    "per_block": 32, "threads": 32, "cycles": 1})";
constexpr const char* kStencil = R"({"nx": 64, "ny": 64, "nz": 64, "per_block": 1440, "cycles": 1})";
constexpr const char* kForward = R"({"images": 16, "channels": 24, "filters": 96, "height": 13, "width": 13})";
constexpr const char* kWeights = R"({"images": 16, "channels": 24, "filters": 96, "height": 13, "width": 13,
    "pass": "weights"})";

INSTANTIATE_TEST_SUITE_P(
    Table, SampledPattern,
    ::testing::Values(
        SampleCase{"graph_rounds", kLevels, 2, 0.05}, SampleCase{"graph_rounds", kLevels, 4, 0.05},
        SampleCase{"graph_rounds", kLevels, 40, 0.05}, SampleCase{"graph_rounds", kHubs, 2, 0.15},
        SampleCase{"graph_rounds", kHubs, 4, 0.15}, SampleCase{"graph_rounds", kHubsInSmallBlocks, 5, 0.1},
        SampleCase{"graph_rounds", kHubsInSmallBlocks, 30, 0.1}, SampleCase{"graph_rounds", kMerge, 3, 0.05},
        SampleCase{"graph_rounds", kMerge, 50, 0.05}, SampleCase{"element_loop", kTriad, 4, 0.05},
        SampleCase{"element_loop", kTriad, 6, 0.01}, SampleCase{"element_loop", kTriad, 12, 0.05},
        SampleCase{"element_loop", kManyReaches, 3, 0.05}, SampleCase{"element_loop", kManyReaches, 32, 0.05},
        SampleCase{"element_loop", kManyReaches, 300, 0.1}, SampleCase{"cell_list", kAtomOfAWarp, 8, 0.05},
        SampleCase{"cell_list", kAtomOfAWarp, 150, 0.05}, SampleCase{"multigrid", kMatrix, 16, 0.05},
        SampleCase{"multigrid", kStencil, 32, 0.1},
        SampleCase{"adaptive_mesh", R"({"nx": 12, "ny": 12, "nz": 12, "edge": 6, "variables": 9})", 128, 0.05},
        SampleCase{"pair_list", R"({"nx": 3, "ny": 3, "nz": 4, "atoms": 160, "list": 5})", 4, 0.05},
        SampleCase{"particle_transport", R"({"particles": 60000, "cells": 6400, "index": 40, "data": 90,
                                             "entry": 5})",
                   8, 0.05},
        SampleCase{"transport_sweep", R"({"nx": 9, "ny": 9, "nz": 9, "angles": 800, "sweeps": 1})", 18, 0.1},
        SampleCase{"convolution", kForward, 7, 0.05}, SampleCase{"convolution", kWeights, 7, 0.1},
        SampleCase{"back_projection", R"({"nx": 128, "ny": 64, "nz": 64})", 24, 0.05},
        SampleCase{"ray_traversal", R"({"width": 256, "height": 128, "depth": 12})", 16, 0.05},
        SampleCase{"row_wavefront", R"({"columns": 100000, "rows": 40, "height": 20, "threads": 224,
                                        "per_block": 224})",
                   4, 0.05},
        SampleCase{"scratchpad_hash", R"({"blocks": 8, "chunks": 64, "threads": 768})", 50, 0.05}),
    [](const auto& row) { return std::string(row.param.pattern) + "_" + std::to_string(row.index); });

/// Kernels with a sample of their own, beside those that stay whole.
TEST(SampleOfAKernel, LeavesTheOthersWhole) {
    const auto accesses = [](const char* sample) {
        json parameters = json::parse(kAtomOfAWarp);
        parameters.update(json::parse(sample));
        const std::string text = parameters.dump();
        std::map<std::string, std::pair<std::uint64_t, double>> counts;
        for (const Launch& launch : workload_of({"cell_list", text.c_str()}).launches) {
            const KernelShape& shape = launch.kernel->shape();
            counts[shape.name] = {shape.accesses, shape.share};
        }
        return counts;
    };
    const auto whole = accesses("{}");
    const auto pairs = accesses(R"({"samples": [{"kernels": "pairs", "sample": 7.5}]})");
    const auto others = accesses(R"({"sample": 4, "samples": [{"kernels": "pairs_1", "sample": 1}]})");
    ASSERT_EQ(whole.size(), 4U);
    for (const auto& [name, count] : whole) {
        const bool is_pairs = name.rfind("pairs", 0) == 0;
        const double part = is_pairs ? 1 / 7.5 : 1.0;
        const auto all = static_cast<double>(count.first);
        EXPECT_EQ(count.second, 1.0) << name;
        EXPECT_DOUBLE_EQ(pairs.at(name).second, part) << name;
        EXPECT_NEAR(static_cast<double>(pairs.at(name).first) / all, part, is_pairs ? 0.01 : 0.0) << name;
        EXPECT_EQ(others.at(name).second, name == "pairs_1" ? 1.0 : 0.25) << name;
    }
}

/// Of the octants that arrays hold, opposite ones are swept.
TEST(TransportSweep, GoesFromSomeOfItsCorners) {
    const auto planes = [](const char* swept) {
        const std::string text =
            std::string(R"({"nx": 4, "ny": 4, "nz": 4, "angles": 32, "sweeps": 1, "swept": )") + swept + "}";
        return workload_of({"transport_sweep", text.c_str()});
    };
    const Workload all = planes("0");
    const Workload two = planes("2");
    ASSERT_EQ(all.launches.size(), 8U * 10);
    ASSERT_EQ(two.launches.size(), 2U * 10);
    EXPECT_EQ(two.footprint_bytes(), all.footprint_bytes());
    // The corners are the first and the last of all: so they touch what these touch.
    for (const std::size_t corner : {std::size_t{0}, std::size_t{1}}) {
        Footprint here;
        Footprint there;
        for (std::size_t plane = 0; plane < 10; ++plane) {
            count_kernel(*two.launches[corner * 10 + plane].kernel, &here);
            count_kernel(*all.launches[corner * 70 + plane].kernel, &there);
        }
        EXPECT_EQ(here.end(), there.end());
        EXPECT_EQ(here.bytes(), there.bytes());
    }
    EXPECT_THROW(workload_of({"transport_sweep", R"({"octants": 4, "swept": 5})"}), ConfigError);
}

ItemLoop sampled_loop(std::uint64_t groups_of_a_block, double share) {
    ItemLoop loop;
    loop.per_block = groups_of_a_block * kWarpLanes;
    loop.items = 2000 * loop.per_block;
    loop.warps = 2;
    loop.share = share;
    loop.seed = 3;
    loop.body = {own_access(Op::load, 0, loop.items, 4, 9), own_access(Op::load, 0, loop.items, 4),
                 own_access(Op::store, 0, loop.items, 4, 4)};
    return loop;
}

TEST(Sample, GivesEachBlockTheSameWholeGroupsAndReachesAll) {
    const ItemLoop loop = sampled_loop(17, 0.5);
    std::set<std::uint64_t> reached;
    double sum = 0;
    for (std::uint64_t b = 0; b < loop.blocks(); ++b) {
        const ItemLoop::Part part = loop.part_of(b);
        const std::uint64_t n = part.last - part.first;
        EXPECT_TRUE(n == 8 || n == 9) << n;
        EXPECT_LE(part.last, 17U);
        EXPECT_EQ(part.body, Thinning::kWhole);
        for (std::uint64_t group = part.first; group < part.last; ++group) reached.insert(group);
        sum += static_cast<double>(n);
    }
    EXPECT_EQ(reached.size(), 17U);
    EXPECT_NEAR(sum / static_cast<double>(loop.blocks()), 8.5, 0.05);
}

TEST(Sample, KeepsWholeGroupsWholeWhereTheyDivideEvenly) {
    for (const std::uint64_t groups : {3U, 6U, 7U, 25U, 49U, 53U}) {
        const ItemLoop loop = sampled_loop(groups, 1.0 / static_cast<double>(groups));
        EXPECT_EQ(loop.accesses(), loop.blocks() * 14) << groups;
        EXPECT_EQ(loop.part_of(5).body, Thinning::kWhole);
    }
}

TEST(Sample, GivesEachBlockTheSamePartOfAGroup) {
    const ItemLoop loop = sampled_loop(4, 1.0 / 16); // a quarter of a group's 14 accesses
    const auto kernel = make_item_loop(KernelShape{}, loop);
    std::uint64_t loads = 0;
    for (std::uint64_t b = 0; b < loop.blocks(); ++b) {
        const StreamCounts counts = count_block(*kernel, b);
        EXPECT_TRUE(counts.memory_instructions == 3 || counts.memory_instructions == 4) << counts.memory_instructions;
        loads += counts.loads;
    }
    EXPECT_NEAR(static_cast<double>(loads) / static_cast<double>(loop.blocks()), 2.5, 0.05);
}

TEST(Thinning, MakesSlotsThatFollowEachOtherOnce) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const Thinning thinning(Thinning::parts(0.3), Rng(seed));
        std::uint64_t made = 0;
        for (std::uint64_t access = 0; access < 10; ++access) made += thinning.made(access * 7, 7);
        EXPECT_EQ(made, thinning.made(0, 70));
        EXPECT_EQ(made, 21U);
        std::set<std::uint32_t> slots;
        for (std::uint32_t i = 0; i < 7; ++i) slots.insert(thinning.slot(i, 7));
        EXPECT_EQ(slots.size(), 7U);
        EXPECT_EQ(*slots.rbegin(), 6U);
        // What belongs together begins together: entry s of a list and coordinates 3s to 3s + 2.
        EXPECT_EQ(thinning.slot(0, 21) / 3, thinning.slot(0, 7));
    }
}

} // namespace
} // namespace numavp
