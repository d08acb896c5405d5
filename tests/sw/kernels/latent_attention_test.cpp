/// Latent attention and its layer: DeepSeek-V3's numbers, as its configuration file gives them.
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/places.h"
#include "tests/sw/kernels/pattern_cases.h"
#include "tests/sw/kernels/work_done.h"

namespace numavp {
namespace {

constexpr std::uint64_t kHeads = 128, kNope = 128, kRope = 64, kLatent = 512, kModelLayers = 61;

/// Decode of one token with `context` latent rows.
Workload absorbed(unsigned context) {
    return workload_of(
        {"attention", fmt::format(R"({{"queries": 1, "context": {}, "heads": 128, "kv_heads": 1, "head_dim": 576,
                                       "value_dim": 512, "latent": true, "splits": 4, "tile_q": 64, "warps": 8,
                                       "row_groups": 4}})",
                                  context)
                          .c_str()});
}

TEST(LatentAttention, ReadsOneRowOfEachTokenForAllHeadsAndDoesThePublishedOperations) {
    constexpr std::uint64_t kContext = 512;
    const Workload workload = absorbed(kContext);
    const WorkDone done = work_of(*workload.launches[0].kernel, workload);
    EXPECT_EQ(done.operations, 278'528U * kContext); // 128 heads x (576 + 512) x 2
    EXPECT_EQ(bytes_of_range(workload, "k"), kContext * (kLatent + kRope) * 2);
    EXPECT_EQ(bytes_of_range(workload, "v"), 0U) << "values lie in the keys' rows";
    const std::uint64_t of_token = bytes_of_range(workload, "k") / kContext * kModelLayers;
    EXPECT_NEAR(static_cast<double>(of_token) / 1024, 68.6, 0.05) << "KiB a token";
    // A block has 64 of the 128 heads: two read each row.
    EXPECT_EQ(loaded_from(done, "k"), 2 * kContext * (kLatent + kRope) * 2);
    EXPECT_EQ(loaded_from(done, "q"), 4U * kHeads * (kLatent + kRope) * 2) << "by the blocks of each split";
    EXPECT_EQ(done.stored_of.at("parts"), 4U * kHeads * kLatent * 4);
    EXPECT_EQ(done.stored_of.at("sums"), 4U * kHeads * 4);
}

/// Bytes of an array that a block loads or stores, from its beginning.
std::set<std::uint64_t> touched_by(Kernel& kernel, const Workload& workload, std::uint64_t block, const char* array) {
    std::set<std::uint64_t> found;
    const auto opened = kernel.open(block);
    for (unsigned w = 0; w < kernel.shape().warps(); ++w)
        for (const Inst* inst = opened->warp(w).fetch(); inst->op != Op::exit; inst = opened->warp(w).fetch())
            for (unsigned lane = 0; (inst->op == Op::load || inst->op == Op::store) && lane < kWarpLanes; ++lane)
                for (const Range& range : workload.ranges)
                    if (range.name == array && (inst->mask >> lane & 1) != 0 && inst->address(lane) >= range.base &&
                        inst->address(lane) < range.base + range.bytes)
                        found.insert(inst->address(lane) - range.base);
    return found;
}

TEST(LatentAttention, BlocksOfAPartOfTheContextFollowEachOtherAndWriteTheirOwnHeads) {
    const Workload workload = absorbed(512);
    Kernel& kernel = *workload.launches[0].kernel;
    ASSERT_EQ(kernel.shape().blocks, 8U);
    ASSERT_EQ(kernel.shape().digits.front().name, 'q');
    ASSERT_EQ(kernel.shape().digits.front().count, 2U);
    EXPECT_EQ(touched_by(kernel, workload, 0, "k"), touched_by(kernel, workload, 1, "k"));
    EXPECT_EQ(*touched_by(kernel, workload, 2, "k").begin(), 128U * 576 * 2) << "the second of four parts";
    const std::set<std::uint64_t> first = touched_by(kernel, workload, 2, "sums"),
                                  second = touched_by(kernel, workload, 3, "sums");
    ASSERT_EQ(first.size(), 64U);
    ASSERT_EQ(second.size(), 64U);
    EXPECT_EQ(*first.begin(), 4U) << "of head 0 the second part";
    EXPECT_EQ(*second.begin(), (64U * 4 + 1) * 4) << "of head 64 the second part";
}

/// The next keys are on their way before the scores of a tile are made: they have a place of their own.
TEST(LatentAttention, LoadsTheNextTileBeforeItUsesOne) {
    const Workload workload = absorbed(1024);
    const auto block = workload.launches[0].kernel->open(0);
    std::string order; // K: loads of keys, M: matrix instructions; each run of the same once
    WarpStream& warp = block->warp(0);
    const std::uint64_t keys = bytes_of_range(workload, "k");
    std::uint64_t base = 0;
    for (const Range& range : workload.ranges)
        if (range.name == "k") base = range.base;
    for (const Inst* inst = warp.fetch(); inst->op != Op::exit; inst = warp.fetch()) {
        char what = 0;
        if (inst->op == Op::compute && inst->unit == ExecutionUnit::tensor) what = 'M';
        if (inst->op == Op::load && inst->address(0) >= base && inst->address(0) < base + keys) what = 'K';
        if (what != 0 && (order.empty() || order.back() != what)) order += what;
    }
    // Four tiles: the first two before the scores of the first; each later one before the scores of the one before it.
    EXPECT_EQ(order, "KMKMKM");
}

/// A tile of keys is loaded in the place of the last but one, whose results all warps know to be done: behind their
/// wait for its instructions is a barrier.
TEST(LatentAttention, LoadsIntoTilesOfAsynchronousInstructionsAfterAllWarpsKnowTheirEnd) {
    constexpr std::size_t kTiles = 512 / 64;
    for (const char* const matrix : {"HGMMA.64x64x16", "UTCHMMA.128x64x16"}) {
        const Workload workload = workload_of(
            {"attention", fmt::format(R"({{"queries": 256, "context": 512, "heads": 1, "kv_heads": 1, "head_dim": 128,
                                           "value_dim": 64, "latent": true, "tile_q": 256, "causal": false,
                                           "matrix": "{}"}})",
                                      matrix)
                              .c_str()});
        const std::uint64_t base = workload.ranges[1].base, each = workload.ranges[1].bytes / kTiles;
        ASSERT_EQ(workload.ranges[1].name, "k");
        for (unsigned w = 0; w < 4; ++w) {
            const auto block = workload.launches[0].kernel->open(0);
            std::vector<std::uint8_t> products; // accumulators of scores and results, in turns
            std::vector<unsigned> ended;        // barriers before the wait for each
            std::vector<unsigned> loaded(kTiles, 0);
            unsigned barriers = 0;
            for (const Inst* inst = block->warp(w).fetch(); inst->op != Op::exit; inst = block->warp(w).fetch()) {
                if (inst->op == Op::barrier) ++barriers;
                const bool of_tensor = inst->op == Op::compute && inst->unit == ExecutionUnit::tensor;
                if (of_tensor) products.push_back(inst->dst);
                for (std::size_t i = ended.size(); inst->op == Op::compute && !of_tensor && i < products.size(); ++i)
                    if (inst->src[0] == products[i]) ended.push_back(barriers);
                if (inst->op != Op::load) continue;
                const std::uint64_t at = inst->address(static_cast<unsigned>(__builtin_ctz(inst->mask)));
                if (at < base || at >= base + kTiles * each) continue;
                unsigned& first = loaded[kTiles - 1 - (at - base) / each];
                if (first == 0) first = barriers;
            }
            if (w == 0) {
                ASSERT_EQ(ended.size(), 2 * kTiles) << matrix;
            }
            if (ended.size() != 2 * kTiles) continue; // tcgen05: the first warp issues all
            for (std::size_t tile = 2; tile < kTiles; ++tile)
                EXPECT_GT(loaded[tile], ended[2 * (tile - 2) + 1]) << matrix << ", tile " << tile << ", warp " << w;
        }
    }
}

/// A lane multiplies what its load brought: 4 elements of a row of 128, and of each quarter of a row of 512.
TEST(LatentAttention, PartsOfLongRowsAreAddedUpOnce) {
    const auto operations = [](unsigned values) {
        const Workload workload = workload_of(
            {"attention", fmt::format(R"({{"queries": 1, "context": 256, "heads": 16, "kv_heads": 1, "head_dim": 576,
                                           "value_dim": {}, "latent": true, "splits": 4, "tile_q": 64, "warps": 8,
                                           "row_groups": 4}})",
                                      values)
                              .c_str()});
        return work_of(*workload.launches[1].kernel, workload).vector_flops;
    };
    EXPECT_EQ(operations(64), 2U * 16 * 4 * 64);
    EXPECT_EQ(operations(128), 2U * 16 * 4 * 128);
    EXPECT_EQ(operations(512), 2U * 16 * 4 * 512);
}

TEST(LatentAttention, OfPrefillDoesThePublishedOperationsAndReadsValuesBetweenOtherThings) {
    constexpr std::uint64_t kTokens = 128;
    const Workload workload =
        workload_of({"attention", R"({"queries": 128, "context": 128, "heads": 128, "kv_heads": 128,
                                                            "head_dim": 192, "value_dim": 128, "value_pitch": 256,
                                                            "causal": false})"});
    Kernel& kernel = *workload.launches[0].kernel;
    const WorkDone done = work_of(kernel, workload);
    EXPECT_EQ(done.operations, 81'920U * kTokens * kTokens); // 128 heads x (192 + 128) x 2
    EXPECT_EQ(bytes_of_range(workload, "v"), kTokens * kHeads * 2 * kNope * 2);
    EXPECT_EQ(loaded_from(done, "v"), kTokens * kHeads * kNope * 2);
    EXPECT_EQ(loaded_from(done, "k"), kTokens * kHeads * (kNope + kRope) * 2);
    EXPECT_EQ(done.stored, kTokens * kHeads * kNope * 2);
    for (const std::uint64_t byte : touched_by(kernel, workload, 3, "v")) // head 3
        ASSERT_TRUE(byte % (kHeads * 2 * kNope * 2) / (2 * kNope * 2) == 3 && byte % (2 * kNope * 2) < kNope * 2)
            << byte;
}

TEST(BatchedGemm, MultipliesThePartOfEachRowThatIsOfItsProduct) {
    const Workload workload = workload_of({"batched_gemm", R"({"count": 3, "m": 70, "n": 128, "k": 64, "a_part": 96,
                                                               "c_part": 160, "tile_n": 64})"});
    Kernel& kernel = *workload.launches[0].kernel;
    const WorkDone done = work_of(kernel, workload);
    EXPECT_EQ(bytes_of_range(workload, "a"), 70U * 3 * 96 * 2);
    EXPECT_EQ(bytes_of_range(workload, "b"), 3U * 64 * 128 * 2);
    EXPECT_EQ(bytes_of_range(workload, "c"), 70U * 3 * 160 * 2);
    EXPECT_EQ(loaded_from(done, "a"), 3U * 70 * 64 * 2 * 2) << "by two tiles of columns";
    EXPECT_EQ(loaded_from(done, "b"), 2U * 3 * 64 * 128 * 2) << "by two tiles of rows";
    EXPECT_EQ(done.stored, 3U * 70 * 128 * 2);
    EXPECT_EQ(done.operations, 2U * 3 * 128 * 128 * 64) << "whole tiles of 64 rows";
    const std::uint64_t last = kernel.shape().blocks - 1; // product 2
    for (const std::uint64_t byte : touched_by(kernel, workload, last, "a"))
        ASSERT_TRUE(byte % (3 * 96 * 2) >= 2 * 96 * 2 && byte % (3 * 96 * 2) < (2 * 96 + 64) * 2) << byte;
    for (const std::uint64_t byte : touched_by(kernel, workload, last, "c"))
        ASSERT_TRUE(byte % (3 * 160 * 2) >= (2 * 160 + 64) * 2 && byte % (3 * 160 * 2) < (2 * 160 + 128) * 2) << byte;
}

Workload deepseek(const char* phase, const json& changes) {
    std::ifstream file(test::source_dir() + fmt::format("/configs/workloads/today/deepseek-v3-{}.json", phase));
    json value = json::parse(file);
    value["kernels"][0]["parameters"].update(changes);
    return read_workload(value, Place("deepseek"));
}

/// Weights that the kernels of a layer read, elements: all blocks of a product read as many.
std::uint64_t weights_read(const Workload& workload) {
    std::uint64_t bytes = 0;
    for (const Launch& launch : workload.launches) {
        const WorkDone block = work_of_block(*launch.kernel, workload, 0);
        for (const auto& [array, loaded] : block.loaded_of)
            if (array.rfind("w_", 0) == 0) bytes += loaded * launch.kernel->shape().blocks;
    }
    return bytes / 2;
}

/// q_a, q_b, kv_a, kv_b (absorbed: one half for keys, one for values), o, router, and 9 experts.
TEST(DeepSeekLayer, OfOneTokenReadsThePublishedWeights) {
    constexpr std::uint64_t kHidden = 7168, kExpert = 3 * kHidden * 2048;
    const std::uint64_t own = kHidden * 1536 + 1536 * kHeads * (kNope + kRope) + kHidden * (kLatent + kRope) +
                              kLatent * kHeads * 2 * kNope + kHeads * kNope * kHidden + kHidden * 256;
    const std::uint64_t read = weights_read(deepseek("decode", {{"batch", 1}, {"context", 256}}));
    EXPECT_EQ(read, own + 9 * kExpert);
    EXPECT_NEAR(static_cast<double>(read) / 1e6, 585, 0.5) << "as published";
}

TEST(DeepSeekLayer, RanksShareHeadsAndExpertsAndHaveCopiesOfWhatAllHeadsUse) {
    const auto bytes = [](const Workload& workload, const std::string& name) { return bytes_of_range(workload, name); };
    const json few = {{"experts", 8}, {"top", 2}, {"batch", 2}, {"context", 256}};
    json shared = few;
    shared["tensor_parallel"] = 4;
    const Workload one = deepseek("decode", few), four = deepseek("decode", shared);
    for (const char* const part :
         {"w_q_b", "w_absorb", "w_expand", "w_o", "w_gate_up", "w_down", "w_shared_gate_up", "w_shared_down"})
        EXPECT_EQ(4 * bytes(four, fmt::format("{}_3", part)), bytes(one, fmt::format("{}_0", part))) << part;
    for (const char* const part : {"w_q_a", "w_kv_a", "w_router", "latent_cache"})
        EXPECT_EQ(bytes(four, fmt::format("{}_3", part)), bytes(one, fmt::format("{}_0", part))) << part;
    EXPECT_EQ(four.launches.size(), one.launches.size() + 4) << "two all-reduces of two steps";
}

TEST(DeepSeekLayer, OfPrefillExpandsKeysAndValuesOfAllHeads) {
    const Workload workload = deepseek("prefill", {{"tokens", 128}, {"experts", 8}, {"top", 2}});
    std::vector<std::string> names;
    for (const Launch& launch : workload.launches) names.push_back(launch.kernel->shape().name.substr(0, 9));
    const std::string product = "gemm_128x", grouped = "grouped_g";
    EXPECT_EQ(names, (std::vector<std::string>{product, product, product, product, "attention", product, product,
                                               product, product, grouped, grouped}))
        << "q_a, q_b, kv_a, kv_b, attention, o, router, shared experts, experts";
    const WorkDone expanded = work_of(*workload.launches[3].kernel, workload);
    EXPECT_EQ(expanded.operations, 2U * 128 * kLatent * kHeads * 2 * kNope);
    EXPECT_EQ(loaded_from(expanded, "latent_0") % (128U * kLatent * 2), 0U) << "without the rotated part of a row";
}

TEST(LatentAttention, RefusesWhatDoesNotFit) {
    const auto expect = [](const char* pattern, const char* parameters, const char* says) {
        const std::string refusal = refusal_of({pattern, parameters});
        EXPECT_NE(refusal.find(says), std::string::npos) << refusal;
    };
    expect("attention", R"({"latent": true, "value_dim": 256})",
           "value_dim: latent values are a part of the keys' rows; at most head_dim is allowed");
    expect("attention", R"({"latent": true, "layout": "packed"})",
           "latent: packed keys have values of their own; tokens_first is allowed");
    expect("attention", R"({"latent": true, "value_pitch": 256})",
           "value_pitch: it is of values in an array of their own");
    expect("attention", R"({"value_pitch": 64})", "value_pitch: a row has 128 elements; at least as many are allowed");
    expect("attention", R"({"head_dim": 64, "value_dim": 16, "tile_q": 256, "warps": 32, "row_groups": 1})",
           "tile_kv: 64 is no multiple of 256: columns of a matrix instruction for each warp of a group");
    expect("attention", R"({"value_dim": 40, "matrix": "MFMA.16X16X16.F16"})",
           "value_dim: 40 is no multiple of 16: columns of a matrix instruction for each warp of a group");
    expect("gemm", R"({"a_pitch": 1024})", "a_pitch: a row has k, 4096, elements; at least as many, or 0, are allowed");
    expect("gemm", R"({"a_pitch": 4100})", "a_pitch: multiples of 8 are allowed");
    expect("batched_gemm", R"({"a_part": 64})",
           "a_part: 64 elements; multiples of 8 that are at least 128 are allowed");
    expect("batched_gemm", R"({"c_part": 513})",
           "c_part: 513 elements; multiples of 8 that are at least 512 are allowed");
    expect("transformer_layer", R"({"q_lora": 8})",
           "q_lora: is of latent attention, kv_lora above 0; 0 is allowed without");
    expect("transformer_layer", R"({"kv_lora": 512, "kv_heads": 4})",
           "kv_heads: is of layers without kv_lora; 8 is allowed without");
    expect("transformer_layer", R"({"shared_experts": 1})", "shared_experts: is of layers with experts; 0 is allowed");
    expect("transformer_layer", R"({"phase": "decode", "splits": 2, "kv_lora": 512, "products": "vectors"})",
           "products: vectors are for decode of a dense layer without kv_lora");
    expect("transformer_layer", R"({"kv_lora": 100, "rope_dim": 64})",
           "kv_lora: 100 is no multiple of 16, which HMMA.16816 needs in latent attention");
    expect("transformer_layer", R"({"kv_lora": 96, "rope_dim": 40})", "rope_dim: 40 is no multiple of 16");
    expect("transformer_layer", R"({"kv_lora": 496, "rope_dim": 64, "tile_n": 64})", "kv_a has 560 columns on a rank");
}

} // namespace
} // namespace numavp
