/// Operations, bytes and sharing of the patterns `gemm` and `attention`, against closed forms and published models.
#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/sw/kernels/pattern_cases.h"
#include "tests/sw/kernels/work_done.h"

namespace numavp {
namespace {

TEST(GemmPattern, DoesTwiceMTimesNTimesKOperationsAndReadsPanelsOncePerTile) {
    constexpr std::uint64_t kM = 256, kN = 384, kK = 256;
    const Workload workload = workload_of({"gemm", R"({"m": 256, "n": 384, "k": 256, "tile_n": 64})"});
    const WorkDone done = work_of(*workload.launches[0].kernel, workload);
    EXPECT_EQ(done.operations, 2 * kM * kN * kK);
    // Every byte of A is read by each column of tiles, every byte of B by each row of tiles; C is written once.
    EXPECT_EQ(loaded_from(done, "a"), kM * kK * 2 * (kN / 64));
    EXPECT_EQ(loaded_from(done, "b"), kK * kN * 2 * (kM / 128));
    EXPECT_EQ(done.stored, kM * kN * 2);
}

TEST(GemmPattern, OfFewRowsReadsOnlyThose) {
    const Workload workload = workload_of({"gemm", R"({"m": 3, "n": 128, "k": 256})"});
    const WorkDone done = work_of(*workload.launches[0].kernel, workload);
    EXPECT_EQ(loaded_from(done, "a"), 3U * 256 * 2);
    EXPECT_EQ(loaded_from(done, "b"), 128U * 256 * 2);
    EXPECT_EQ(done.stored, 3U * 128 * 2);
    EXPECT_EQ(done.operations, 2U * 128 * 128 * 256) << "the whole tile is multiplied";
}

TEST(GemmPattern, WithAsynchronousInstructionsDoesTheSameWork) {
    for (const char* const matrix : {"HGMMA.64x128x16", "UTCHMMA.128x128x16", "UTCHMMA.128x64x16.TS"}) {
        const Workload workload = workload_of(
            {"gemm", fmt::format(R"({{"m": 256, "n": 384, "k": 256, "tile_k": 64, "matrix": "{}"}})", matrix).c_str()});
        const WorkDone done = work_of(*workload.launches[0].kernel, workload);
        EXPECT_EQ(done.operations, 2U * 256 * 384 * 256) << matrix;
        EXPECT_EQ(done.loaded, (256U + 128 * 2) * 256 * 2 * 3) << matrix;
        EXPECT_EQ(done.stored, 256U * 384 * 2) << matrix;
    }
}

/// Barriers of a warp before it first loads a part of a step, and before it has waited for the step's instructions.
struct StepOrder {
    static constexpr unsigned kNever = ~0U;
    std::vector<unsigned> loaded, ended; ///< by step; kNever: the warp does not
};
StepOrder step_order(WarpStream& warp, const Range& b, std::uint64_t row_bytes, std::size_t steps) {
    StepOrder order{std::vector<unsigned>(steps, StepOrder::kNever), std::vector<unsigned>(steps, StepOrder::kNever)};
    std::vector<std::uint8_t> results; // of the steps whose instructions were issued
    unsigned barriers = 0;
    for (const Inst* inst = warp.fetch(); inst->op != Op::exit; inst = warp.fetch()) {
        if (inst->op == Op::barrier) ++barriers;
        if (inst->op == Op::load) {
            const std::uint64_t at = inst->address(static_cast<unsigned>(__builtin_ctz(inst->mask)));
            if (at < b.base || at >= b.base + b.bytes) continue;
            unsigned& first = order.loaded.at((at - b.base) % row_bytes / (row_bytes / steps));
            first = std::min(first, barriers);
        }
        if (inst->op != Op::compute) continue;
        if (inst->unit == ExecutionUnit::tensor) {
            results.push_back(inst->dst);
            continue;
        }
        for (std::size_t step = 0; step < results.size(); ++step)
            if (std::find(std::begin(inst->src), std::end(inst->src), results[step]) != std::end(inst->src))
                order.ended[step] = std::min(order.ended[step], barriers);
    }
    return order;
}

/// Tiles of step s + stages replace those of step s, which asynchronous instructions of other warps may still read:
/// there is a barrier between the end of those and the loads.
TEST(GemmPattern, LoadsIntoTilesOfAsynchronousInstructionsAfterAllWarpsKnowTheirEnd) {
    constexpr std::size_t kSteps = 7, kStages = 3;
    for (const auto& [matrix, issuing] : {std::pair{"HGMMA.64x128x16", 4U}, {"UTCHMMA.128x128x16", 1U}}) {
        const Workload workload =
            workload_of({"gemm", fmt::format(R"({{"m": 128, "n": 128, "k": {}, "tile_k": 64, "matrix": "{}"}})",
                                             kSteps * 64, matrix)
                                     .c_str()});
        const auto block = workload.launches[0].kernel->open(0);
        const auto b = std::find_if(workload.ranges.begin(), workload.ranges.end(),
                                    [](const Range& range) { return range.name == "b"; });
        std::vector<StepOrder> orders;
        for (unsigned w = 0; w < 4; ++w) orders.push_back(step_order(block->warp(w), *b, kSteps * 64 * 2, kSteps));
        for (std::size_t step = 0; step + kStages < kSteps; ++step)
            for (unsigned w = 0; w < issuing; ++w)
                for (const StepOrder& other : orders) {
                    ASSERT_NE(orders[w].ended[step], StepOrder::kNever) << matrix;
                    ASSERT_NE(other.loaded[step + kStages], StepOrder::kNever) << matrix;
                    EXPECT_GT(other.loaded[step + kStages], orders[w].ended[step]) << matrix << ", step " << step;
                }
    }
}

TEST(GemmPattern, SplitsAlongKWritePlanesThatAreAddedUp) {
    const Workload workload =
        workload_of({"gemm", R"({"m": 128, "n": 128, "k": 512, "split_k": 4, "element": "bf16"})"});
    ASSERT_EQ(workload.launches.size(), 2U);
    const WorkDone product = work_of(*workload.launches[0].kernel, workload);
    EXPECT_EQ(product.operations, 2U * 128 * 128 * 512);
    EXPECT_EQ(product.loaded, 2U * 128 * 512 * 2);
    EXPECT_EQ(product.stored, 4U * 128 * 128 * 4);
    const WorkDone sum = work_of(*workload.launches[1].kernel, workload);
    EXPECT_EQ(sum.loaded, product.stored);
    EXPECT_EQ(sum.stored, 128U * 128 * 2);
}

/// Two concurrently running sets of 128 tiles of 128 x 256: as 16 x 8 tiles their panels are used 12 times as often as
/// they are unique, as 128 x 1 tiles 2.95 times.
TEST(GemmPattern, TilesSideBySideShareTheirPanels) {
    const auto reuse = [](std::uint64_t rows, std::uint64_t columns) {
        const Workload workload =
            workload_of({"gemm", fmt::format(R"({{"m": {}, "n": {}, "k": 64, "tile_n": 256, "warps_n": 4}})",
                                             rows * 128, columns * 256)
                                     .c_str()});
        const WorkDone done = work_of(*workload.launches[0].kernel, workload);
        return static_cast<double>(done.loaded) / static_cast<double>((rows * 128 + columns * 256) * 64 * 2);
    };
    EXPECT_NEAR(reuse(16, 8), 12.0, 0.001);
    EXPECT_NEAR(reuse(128, 1), 2.95, 0.005);
    EXPECT_NEAR(reuse(1, 128), 1.49, 0.005);
}

/// GEMMs of one layer as (k, n), by their published shapes.
struct ModelLayer {
    const char* name;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> products;
    double weights_millions;    ///< of a layer
    double layers, head;        ///< head: elements of the output matrix
    double operations_billions; ///< of a token: all layers and the head
};

class ModelLayers : public ::testing::TestWithParam<ModelLayer> {};

TEST_P(ModelLayers, HaveThePublishedWeightsAndOperations) {
    const ModelLayer& model = GetParam();
    constexpr std::uint64_t kTokens = 128;
    std::uint64_t weights = 0, operations = 0;
    for (const auto& [k, n] : model.products) {
        const Workload workload = workload_of(
            {"gemm", fmt::format(R"({{"m": {}, "n": {}, "k": {}, "element": "bf16"}})", kTokens, n, k).c_str()});
        weights += bytes_of_range(workload, "b") / 2;
        Kernel& kernel = *workload.launches[0].kernel;
        operations += work_of(kernel, workload, kernel.shape().blocks).operations * kernel.shape().blocks; // all alike
    }
    EXPECT_NEAR(static_cast<double>(weights) / 1e6, model.weights_millions, 0.05);
    EXPECT_EQ(operations, 2 * weights * kTokens);
    const double token = static_cast<double>(operations) / kTokens * model.layers + 2 * model.head;
    EXPECT_NEAR(token / 1e9, model.operations_billions, 0.005 * model.operations_billions);
}

INSTANTIATE_TEST_SUITE_P(All, ModelLayers,
                         ::testing::Values(ModelLayer{"llama_2_7b",
                                                      {{4096, 12288}, {4096, 4096}, {4096, 22016}, {11008, 4096}},
                                                      202.4,
                                                      32,
                                                      4096.0 * 32000,
                                                      13.21},
                                           ModelLayer{"llama_3_8b",
                                                      {{4096, 6144}, {4096, 4096}, {4096, 28672}, {14336, 4096}},
                                                      218.1,
                                                      32,
                                                      4096.0 * 128256,
                                                      15.01},
                                           ModelLayer{"llama_3_70b",
                                                      {{8192, 10240}, {8192, 8192}, {8192, 57344}, {28672, 8192}},
                                                      855.6,
                                                      80,
                                                      8192.0 * 128256,
                                                      139.0}),
                         [](const auto& row) { return std::string(row.param.name); });

/// 4 x heads x head_dim operations for each query and each token of its context.
TEST(AttentionPattern, DoesTheOperationsOfEachTokenAndContextToken) {
    constexpr std::uint64_t kTokens = 512;
    const Workload workload =
        workload_of({"attention", R"({"queries": 512, "context": 512, "heads": 32, "kv_heads": 8, "causal": false})"});
    const WorkDone done = work_of(*workload.launches[0].kernel, workload);
    constexpr std::uint64_t kLayers = 32; // LLaMA-3-8B: 524,288 in all layers
    EXPECT_EQ(done.operations * kLayers, 524288 * kTokens * kTokens);
    // Each of the query blocks of each head of a group reads its keys and values; queries and results go once.
    EXPECT_EQ(loaded_from(done, "k"), bytes_of_range(workload, "k") * (512 / 128) * 4);
    EXPECT_EQ(loaded_from(done, "v"), bytes_of_range(workload, "v") * (512 / 128) * 4);
    EXPECT_EQ(loaded_from(done, "q"), kTokens * 32 * 128 * 2);
    EXPECT_EQ(done.stored, kTokens * 32 * 128 * 2);
}

TEST(AttentionPattern, HasThePublishedBytesOfKeysAndValuesAToken) {
    struct {
        unsigned heads, kv_heads, layers;
        std::uint64_t kib_a_token;
    } const models[] = {{32, 32, 32, 512}, {32, 8, 32, 128}, {64, 8, 80, 320}};
    for (const auto& model : models) {
        const Workload workload = workload_of(
            {"attention",
             fmt::format(
                 R"({{"queries": 1, "context": 4096, "heads": {}, "kv_heads": {}, "splits": 16, "tile_q": 64}})",
                 model.heads, model.kv_heads)
                 .c_str()});
        const std::uint64_t bytes = bytes_of_range(workload, "k") + bytes_of_range(workload, "v");
        EXPECT_EQ(bytes * model.layers, model.kib_a_token * 1024 * 4096);
        const WorkDone done = work_of(*workload.launches[0].kernel, workload);
        EXPECT_EQ(loaded_from(done, "k") + loaded_from(done, "v"), bytes) << "each part of the context is read once";
    }
}

/// Under a causal mask tiles above the diagonal are left out: of q tiles of 128 and kv tiles of 64 the i-th does
/// 2 (i + 1).
TEST(AttentionPattern, LeavesOutTilesAboveTheDiagonal) {
    const Workload workload =
        workload_of({"attention", R"({"queries": 1024, "context": 1024, "heads": 1, "kv_heads": 1})"});
    Kernel& kernel = *workload.launches[0].kernel;
    ASSERT_EQ(kernel.shape().blocks, 8U);
    EXPECT_EQ(work_of(kernel, workload).operations, 2U * 36 * 4 * 128 * 64 * 128);
    // The mean over large sizes is half of all: S^2 / 2, and half a tile of 128 for each row of the diagonal.
    const double all = 4.0 * 1024 * 1024 * 128, done = 2.0 * 36 * 4 * 128 * 64 * 128;
    EXPECT_DOUBLE_EQ(done / (all / 2), 1 + 128.0 / 1024);
}

/// The same loads, stores and operations as where queries, keys and values are arrays of their own.
TEST(AttentionPattern, PackedReadsQueriesKeysAndValuesFromOneArray) {
    const char* const shape =
        R"({{"batch": 2, "queries": 256, "context": 256, "heads": 4, "kv_heads": 2, "head_dim": 64,
                                   "layout": "{}"}})";
    const Workload apart = workload_of({"attention", fmt::format(fmt::runtime(shape), "tokens_first").c_str()});
    const Workload packed = workload_of({"attention", fmt::format(fmt::runtime(shape), "packed").c_str()});
    const WorkDone one = work_of(*apart.launches[0].kernel, apart), other = work_of(*packed.launches[0].kernel, packed);
    EXPECT_EQ(bytes_of_range(packed, "qkv"), 2U * 256 * (4 + 2 * 2) * 64 * 2);
    EXPECT_EQ(loaded_from(other, "qkv"), loaded_from(one, "q") + loaded_from(one, "k") + loaded_from(one, "v"));
    EXPECT_EQ(other.stored_of.at("o"), one.stored_of.at("o"));
    EXPECT_EQ(other.operations, one.operations);
}

/// A token's row has its heads of queries, then of keys, then of values: block 0 reads those of the first head.
TEST(AttentionPattern, PackedFindsEachHeadInATokensRow) {
    constexpr std::uint64_t kHead = 64 * 2, kToken = (4 + 2 * 2) * kHead;
    const Workload workload = workload_of({"attention", R"({"queries": 64, "context": 64, "heads": 4, "kv_heads": 2,
                                                            "head_dim": 64, "tile_q": 64, "layout": "packed"})"});
    Kernel& kernel = *workload.launches[0].kernel;
    ASSERT_EQ(kernel.shape().blocks, 4U);
    std::set<std::uint64_t> heads; // of queries, keys and values, by their places in a token's row
    const auto block = kernel.open(3);
    for (unsigned w = 0; w < kernel.shape().warps(); ++w)
        for (const Inst* inst = block->warp(w).fetch(); inst->op != Op::exit; inst = block->warp(w).fetch())
            for (unsigned lane = 0; inst->op == Op::load && lane < kWarpLanes; ++lane)
                if ((inst->mask >> lane & 1) != 0)
                    heads.insert((inst->address(lane) - workload.ranges[0].base) % kToken / kHead);
    EXPECT_EQ(heads, (std::set<std::uint64_t>{3, 4 + 1, 4 + 2 + 1})) << "query head 3 is of KV head 1";
}

TEST(AttentionPattern, WithAsynchronousInstructionsDoesTheSameWork) {
    const auto work = [](const char* matrix) {
        const Workload workload = workload_of(
            {"attention",
             fmt::format(R"({{"queries": 500, "context": 500, "heads": 2, "kv_heads": 1, "matrix": "{}"}})", matrix)
                 .c_str()});
        return work_of(*workload.launches[0].kernel, workload);
    };
    const WorkDone warps = work("HMMA.16816");
    for (const char* const matrix : {"HGMMA.64x64x16", "UTCHMMA.128x64x16"}) {
        const WorkDone done = work(matrix);
        EXPECT_EQ(done.operations, warps.operations) << matrix;
        EXPECT_EQ(done.loaded, warps.loaded) << matrix;
        EXPECT_EQ(done.stored, warps.stored) << matrix;
    }
}

/// Keys of the next tile replace those that a warp's scores are made of, and values those of the tile's results:
/// between the wait for the instructions and the loads is a barrier of all warps.
TEST(AttentionPattern, LoadsIntoTilesOfAsynchronousInstructionsAfterAllWarpsKnowTheirEnd) {
    const Workload workload = workload_of({"attention", R"({"queries": 128, "context": 512, "heads": 1, "kv_heads": 1,
                                                            "causal": false, "matrix": "UTCHMMA.128x64x16"})"});
    const auto block = workload.launches[0].kernel->open(0);
    std::vector<unsigned> ended; // barriers of the first warp before it has waited for its n-th product
    std::vector<std::uint8_t> pending;
    unsigned barriers = 0;
    WarpStream& first = block->warp(0);
    for (const Inst* inst = first.fetch(); inst->op != Op::exit; inst = first.fetch()) {
        if (inst->op == Op::barrier) ++barriers;
        if (inst->op != Op::compute) continue;
        if (inst->unit == ExecutionUnit::tensor) {
            pending.push_back(inst->dst);
            continue;
        }
        for (std::size_t i = ended.size(); i < pending.size(); ++i)
            if (inst->src[0] == pending[i]) ended.push_back(barriers);
    }
    constexpr std::size_t kTiles = 512 / 64;
    ASSERT_EQ(ended.size(), 2 * kTiles); // scores and results of each tile, in turns
    for (const char* const array : {"k", "v"}) {
        const auto range = std::find_if(workload.ranges.begin(), workload.ranges.end(),
                                        [&](const Range& one) { return one.name == array; });
        for (unsigned w = 0; w < 4; ++w) {
            std::vector<unsigned> loaded(kTiles, ~0U); // barriers before a warp first loads a tile, from the last on
            unsigned passed = 0;
            const auto again = workload.launches[0].kernel->open(0);
            WarpStream& warp = again->warp(w);
            for (const Inst* inst = warp.fetch(); inst->op != Op::exit; inst = warp.fetch()) {
                if (inst->op == Op::barrier) ++passed;
                if (inst->op != Op::load) continue;
                const std::uint64_t at = inst->address(static_cast<unsigned>(__builtin_ctz(inst->mask)));
                if (at < range->base || at >= range->base + range->bytes) continue;
                unsigned& tile = loaded[kTiles - 1 - (at - range->base) / (range->bytes / kTiles)];
                tile = std::min(tile, passed);
            }
            const std::size_t product = array[0] == 'k' ? 0 : 1;
            for (std::size_t tile = 0; tile + 1 < kTiles; ++tile)
                EXPECT_GT(loaded[tile + 1], ended[2 * tile + product]) << array << ", tile " << tile << ", warp " << w;
        }
    }
}

TEST(TensorPatterns, RefuseSizesThatDoNotFitTheInstruction) {
    EXPECT_NE(refusal_of({"gemm", R"({"n": 100})"}).find("n: multiples of 128 are allowed"), std::string::npos);
    EXPECT_NE(refusal_of({"gemm", R"({"k": 4096, "split_k": 3})"}).find("k: multiples of 96"), std::string::npos);
    EXPECT_NE(refusal_of({"gemm", R"({"element": "fp8"})"}).find("HMMA.16816 multiplies half, and element is fp8"),
              std::string::npos);
    EXPECT_NE(refusal_of({"gemm", R"({"stages": 16, "tile_k": 64})"}).find("stages"), std::string::npos);
    EXPECT_NE(refusal_of({"gemm", R"({"matrix": "HGMMA.64x128x16", "warps_n": 1, "tile_k": 64})"})
                  .find("warps_m: HGMMA.64x128x16 is of groups of 4 warps"),
              std::string::npos);
    // As many results as whole instructions have, in another shape.
    EXPECT_NE(refusal_of({"gemm", R"({"matrix": "HGMMA.64x128x16", "tile_m": 32, "tile_n": 256, "tile_k": 64})"})
                  .find("tile_m: 32 is no multiple of 64, the rows of HGMMA.64x128x16"),
              std::string::npos);
    EXPECT_NE(refusal_of({"gemm", R"({"matrix": "UTCHMMA.128x256x16", "tile_m": 256, "tile_k": 64})"})
                  .find("tile_n: 128 is no multiple of 256, the columns of UTCHMMA.128x256x16"),
              std::string::npos);
    EXPECT_NE(refusal_of({"gemm", R"({"tile_m": 16, "tile_n": 64})"})
                  .find("tile_m: 16 is no multiple of 32, the rows of 2 warps with HMMA.16816"),
              std::string::npos);
    EXPECT_NE(refusal_of({"attention", R"({"matrix": "HGMMA.64x64x16", "warps": 8, "row_groups": 4})"})
                  .find("row_groups: with an asynchronous instruction each warp has rows of its own"),
              std::string::npos);
    EXPECT_NE(refusal_of({"attention", R"({"matrix": "HGMMA.64x64x16", "warps": 2})"})
                  .find("warps: 2 is no multiple of 4: the instruction is of groups of four warps"),
              std::string::npos);
    EXPECT_NE(refusal_of({"attention", R"({"matrix": "UTCHMMA.128x128x16"})"})
                  .find("tile_kv: 64 is no multiple of 128: columns of the matrix instruction, which makes scores"),
              std::string::npos);
    EXPECT_NE(refusal_of({"attention", R"({"matrix": "UTCHMMA.256x128x16.2CTA", "tile_q": 256, "tile_kv": 128})"})
                  .find("UTCHMMA.256x128x16.2CTA is of two SMs"),
              std::string::npos);
    EXPECT_NE(refusal_of({"attention", R"({"layout": "packed", "queries": 64})"})
                  .find("layout: packed has as many queries as tokens of the context, or splits"),
              std::string::npos);
    EXPECT_NE(refusal_of({"attention", R"({"heads": 9})"}).find("heads: 9 is no multiple of 8"), std::string::npos);
    EXPECT_NE(refusal_of({"attention", R"({"splits": 4})"}).find("only decode, queries 1, has splits"),
              std::string::npos);
    EXPECT_NE(refusal_of({"attention", R"({"queries": 9, "context": 8})"}).find("context"), std::string::npos);
    EXPECT_NE(refusal_of({"attention", R"({"warps": 7})"}).find("warps"), std::string::npos);
}

} // namespace
} // namespace numavp
