/// Counts of the patterns in closed form.
#include <algorithm>
#include <ostream>

#include <gtest/gtest.h>

#include "sw/patterns/pattern_bfs.h"
#include "sw/work/count.h"
#include "tests/sw/kernels/pattern_cases.h"

namespace numavp {
namespace {

struct Walked {
    Workload workload;
    StreamCounts counts;
    std::uint64_t touched = 0;
};

Walked walk(const PatternCase& c) {
    Walked walked{workload_of(c), {}, 0};
    Footprint footprint;
    walked.counts = count_workload(walked.workload, &footprint);
    walked.touched = footprint.bytes();
    return walked;
}

struct ShapeRow {
    const char* kind;
    std::uint64_t blocks, warp_instructions, sectors;
    double tolerance;
};

void PrintTo(const ShapeRow& row, std::ostream* out) { *out << row.kind; }

class ShapeCounts : public ::testing::TestWithParam<ShapeRow> {};

TEST_P(ShapeCounts, AgreeWithTheMeasuredOnes) {
    const ShapeRow& row = GetParam();
    const std::string parameters =
        "{\"kind\": \"" + std::string(row.kind) + "\", \"blocks\": " + std::to_string(row.blocks) + "}";
    const Walked walked = walk({"shape", parameters.c_str()});
    EXPECT_EQ(walked.counts.warp_instructions, row.warp_instructions);
    EXPECT_NEAR(static_cast<double>(walked.counts.sectors), static_cast<double>(row.sectors),
                static_cast<double>(row.sectors) * row.tolerance);
}
INSTANTIATE_TEST_SUITE_P(Table, ShapeCounts,
                         ::testing::Values(ShapeRow{"vecadd", 4096, 557056, 393216, 0},
                                           ShapeRow{"stream", 512, 151552, 327680, 0},
                                           ShapeRow{"gather", 256, 36864, 270313, 0.001},
                                           ShapeRow{"compute", 512, 831488, 32768, 0}),
                         [](const auto& row) { return std::string(row.param.kind); });

TEST(PatternCounts, TriadTouchesEachByteOfThreeArraysOnce) {
    const Walked w = walk({"stream_triad", R"({"elements": 65536, "element_bytes": 8, "iterations": 3})"});
    EXPECT_EQ(w.counts.loads, 3U * 2 * 65536 / 32);
    EXPECT_EQ(w.counts.stores, 3U * 65536 / 32);
    EXPECT_EQ(w.counts.line_accesses, 3U * 3 * 65536 * 8 / 128);
    EXPECT_EQ(w.counts.warp_instructions, 3U * 2048 * 6);
    EXPECT_EQ(w.touched, 3U * 65536 * 8);
}

TEST(PatternCounts, Stencil2dReadsFiveNeighboursOfEachCell) {
    const Walked w = walk({"stencil_2d", R"({"nx": 256, "ny": 64, "tile_x": 64, "tile_y": 16, "iterations": 1})"});
    const std::uint64_t strips = 256 / 32 * 64;
    EXPECT_EQ(w.counts.loads, 5 * strips);
    EXPECT_EQ(w.counts.stores, strips);
    EXPECT_EQ(w.counts.line_accesses, 8 * strips); // west and east straddle a line
    // All cells twice; a halo row above and below; a word to the left and right of each row, in a sector of its own.
    EXPECT_EQ(w.touched, 2 * 256 * 64 * 4 + 2 * 256 * 4 + 2 * 64 * 32U);
}

TEST(PatternCounts, Stencil3dLoadsEachPlaneOfAColumnOnce) {
    const Walked w =
        walk({"stencil_3d", R"({"nx": 64, "ny": 16, "nz": 32, "tile_x": 32, "tile_z": 8, "iterations": 1})"});
    const std::uint64_t columns = 64 / 32 * 16;
    const std::uint64_t slabs = 32 / 8;
    EXPECT_EQ(w.counts.loads, columns * (5 * 32 + 2 * slabs));
    EXPECT_EQ(w.counts.stores, columns * 32);
}

TEST(PatternCounts, MatmulReadsEachOperandOncePerTileOfTheOther) {
    const Walked w = walk({"tiled_matmul", R"({"m": 128, "n": 256, "k": 128})"});
    const std::uint64_t a_lines = 128 * 128 * 4 / 128;
    const std::uint64_t b_lines = 128 * 256 * 4 / 128;
    const std::uint64_t c_lines = 128 * 256 * 4 / 128;
    EXPECT_EQ(w.counts.line_accesses, a_lines * (256 / 64) + b_lines * (128 / 64) + c_lines);
    EXPECT_EQ(w.touched, 128U * (a_lines + b_lines + c_lines));
}

TEST(PatternCounts, SpmvReadsEveryNonzeroOnceAPass) {
    const Walked w = walk({"spmv", R"({"graph": {"kind": "mesh", "nx": 16, "ny": 16, "nz": 16}, "mapping": "nonzeros",
                                       "nonzeros_per_warp": 128, "iterations": 1})"});
    const std::uint64_t nonzeros = 4096 + 2 * 3 * 15 * 16 * 16;
    std::uint64_t columns_bytes = 0;
    for (const Range& range : w.workload.ranges)
        if (range.name == "columns") columns_bytes = range.bytes;
    EXPECT_EQ(columns_bytes, nonzeros * 4);
    std::uint64_t all = 0;
    for (const Range& range : w.workload.ranges) all += range.bytes;
    EXPECT_LE(w.touched, all + 5 * 32);
    EXPECT_GE(w.touched, all - (4097 * 4)); // the search looks at some row offsets only
}

TEST(PatternCounts, BfsLevelsAreThoseOfTheMesh) {
    const PatternCase c{"bfs", R"({"graph": {"kind": "mesh", "nx": 9, "ny": 7, "nz": 1}, "mapping": "vertices"})"};
    const Walked w = walk(c);
    // From the middle of 9 x 7, the farthest cell is 4 + 3 steps away: levels 0 to 7, and the clearing kernel.
    EXPECT_EQ(w.workload.launches.size(), 1U + 8);
    // Each vertex but the first is discovered once, by one compare-and-swap lane; each edge is read once.
    std::uint64_t lanes = 0;
    for (const Launch& launch : w.workload.launches) {
        const auto block = launch.kernel->open(0);
        for (unsigned i = 0; i < launch.kernel->shape().warps(); ++i)
            for (const Inst* inst = block->warp(i).fetch(); inst->op != Op::exit; inst = block->warp(i).fetch())
                if (inst->op == Op::atomic && inst->mode == AddressMode::list)
                    lanes += static_cast<unsigned>(__builtin_popcount(inst->mask));
    }
    EXPECT_EQ(lanes, 9U * 7 - 1);
}

TEST(PatternCounts, ReductionWritesOneRangeOfWholeLines) {
    const Walked store = walk({"reduction", R"({"blocks": 8, "read_bytes": 4096, "result_bytes": 2048})"});
    EXPECT_EQ(store.counts.loads, 8U * 4096 / 512);
    EXPECT_EQ(store.counts.stores, 8U * 2048 / 128 + 1); // and the clearing of four pages of 4 KB
    EXPECT_EQ(store.touched, 8U * (4096 + 2048));
    const Walked reduce =
        walk({"reduction", R"({"blocks": 8, "read_bytes": 4096, "result_bytes": 2048, "combine": "reduce"})"});
    EXPECT_EQ(reduce.counts.atomics, 8U * 2048 / 128);
    EXPECT_EQ(reduce.touched, 8U * 4096 + 2048);
}

TEST(PatternCounts, LookupsCoverTheTable) {
    const Walked w = walk({"table_lookup", R"({"blocks": 64, "table_bytes": 65536, "lookups": 16, "entry_bytes": 8})"});
    EXPECT_EQ(w.counts.loads, 64U * 8 * 17);
    EXPECT_EQ(w.touched, 65536U + 2 * 64 * 256 * 4);
}

TEST(PatternCounts, ButterflyTouchesAllPointsInEachStage) {
    const Walked w = walk({"butterfly", R"({"log2_points": 10})"});
    EXPECT_EQ(w.workload.launches.size(), 10U);
    EXPECT_EQ(w.counts.stores, 10U * 2 * 512 / 32);
    EXPECT_EQ(w.touched, 1024U * 8 + 512 * 8);
}

TEST(PatternCounts, ComputeDoesItsRounds) {
    const Walked w = walk({"compute", R"({"blocks": 2, "rounds": 10, "independent": 8})"});
    EXPECT_EQ(w.counts.warp_instructions, 2U * 8 * (1 + 1 + 10 * 8 + 1 + 1));
    EXPECT_EQ(w.counts.sectors, 2U * 8 * 2 * 4);
}

TEST(Graphs, AreSymmetricSortedAndWithoutDoubles) {
    for (const GraphKind kind : {GraphKind::power_law, GraphKind::mesh}) {
        GraphParameters p;
        p.kind = kind;
        p.vertices = 700;
        p.nx = 11;
        p.ny = 5;
        p.nz = 3;
        const Graph graph = generate_graph(p, false, 5);
        for (std::uint32_t u = 0; u < graph.vertices(); ++u) {
            for (std::uint32_t e = graph.offsets[u]; e < graph.offsets[u + 1]; ++e) {
                const std::uint32_t v = graph.columns[e];
                EXPECT_NE(u, v);
                if (e > graph.offsets[u]) {
                    EXPECT_LT(graph.columns[e - 1], v);
                }
                const auto begin = graph.columns.begin() + graph.offsets[v];
                EXPECT_TRUE(std::binary_search(begin, graph.columns.begin() + graph.offsets[v + 1], u));
            }
        }
        EXPECT_EQ(generate_graph(p, false, 5).columns, graph.columns);
    }
}

TEST(Graphs, PowerLawHasHubs) {
    GraphParameters p;
    p.vertices = 4096;
    p.degree = 16;
    const Graph graph = generate_graph(p, false, 1);
    std::uint32_t highest = 0;
    for (std::uint32_t v = 0; v < graph.vertices(); ++v) highest = std::max(highest, graph.degree(v));
    EXPECT_GT(highest, 20 * graph.edges() / graph.vertices());
}

TEST(Graphs, SearchFindsShortestDistances) {
    GraphParameters p;
    p.kind = GraphKind::mesh;
    p.nx = 8;
    p.ny = 6;
    p.nz = 4;
    const Graph graph = generate_graph(p, false, 1);
    const BfsTree tree = search_graph(graph, 0);
    EXPECT_EQ(tree.order.size(), 8U * 6 * 4);
    for (std::size_t level = 0; level < tree.levels(); ++level) {
        for (std::uint32_t i = tree.level_begin[level]; i < tree.level_begin[level + 1]; ++i) {
            const std::uint32_t v = tree.order[i];
            EXPECT_EQ(v % 8 + v / 8 % 6 + v / 48, level);
        }
    }
}

} // namespace
} // namespace numavp
