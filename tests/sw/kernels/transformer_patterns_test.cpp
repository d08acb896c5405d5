/// Work of transformers: closed forms of vector products, experts and collectives, and layers of published models.
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sw/loops/routing.h"
#include "tests/support/places.h"
#include "tests/sw/kernels/pattern_cases.h"
#include "tests/sw/kernels/work_done.h"

namespace numavp {
namespace {

WorkDone all_of(const Workload& workload) {
    WorkDone all;
    for (const Launch& launch : workload.launches) {
        const WorkDone done = work_of(*launch.kernel, workload);
        all.loaded += done.loaded;
        all.stored += done.stored;
        all.vector_flops += done.vector_flops;
        for (const auto& [array, bytes] : done.loaded_of) all.loaded_of[array] += bytes;
        for (const auto& [array, bytes] : done.stored_of) all.stored_of[array] += bytes;
    }
    return all;
}

TEST(GemvPattern, ReadsEachWeightOnceAndDoesTwoOperationsForEachWeightAndVector) {
    const Workload workload = workload_of({"gemv", R"({"n": 101, "k": 520, "vectors": 3, "rows": 4})"});
    const WorkDone done = all_of(workload);
    EXPECT_EQ(done.loaded_of.at("w"), 101U * 520 * 2);
    EXPECT_EQ(done.loaded_of.at("x"), 26U * 3 * 520 * 2) << "by each of 26 warps";
    EXPECT_EQ(done.stored_of.at("y"), 101U * 3 * 2);
    // Besides them the address of each batch of loads is computed on another pipe, and sums over lanes are shuffles.
    EXPECT_EQ(done.vector_flops, 2U * 101 * 520 * 3);
}

TEST(ElementwisePattern, ReadsEachInputAndWritesTheResultOnce) {
    const Workload workload = workload_of({"elementwise", R"({"elements": 5000, "inputs": 3})"});
    const WorkDone done = all_of(workload);
    EXPECT_EQ(done.loaded, 3U * 5000 * 2);
    EXPECT_EQ(done.stored, 5000U * 2);
}

TEST(GroupedGemmPattern, ReadsTheWeightsOfExpertsThatHaveTokensOnly) {
    const Workload workload = workload_of({"grouped_gemm", R"({"tokens": 2, "experts": 16, "top": 2, "n": 128, "k": 64,
                                                               "tile_m": 32})"});
    const WorkDone done = all_of(workload);
    const std::uint64_t of_expert = 128U * 64 * 2;
    EXPECT_EQ(done.loaded_of.at("b") % of_expert, 0U);
    EXPECT_GE(done.loaded_of.at("b"), 2 * of_expert);
    EXPECT_LE(done.loaded_of.at("b"), 4 * of_expert);
    EXPECT_EQ(done.loaded_of.at("a"), 4U * 64 * 2) << "tile_n is n: each row is read once";
    EXPECT_EQ(done.stored, 4U * 128 * 2);
}

/// Mean number of experts with a token under uniform routing, over seeds.
double touched(unsigned experts, unsigned top, unsigned tokens) {
    constexpr unsigned kSeeds = 200;
    unsigned sum = 0;
    for (unsigned seed = 1; seed <= kSeeds; ++seed)
        for (const std::uint64_t of : routed_tokens({tokens, experts, top, 0, seed})) sum += of != 0;
    return static_cast<double>(sum) / kSeeds;
}

TEST(Routing, TouchesAsManyExpertsAsUniformDrawsWould) {
    EXPECT_EQ(touched(8, 2, 1), 2.0);
    EXPECT_NEAR(touched(8, 2, 4), 5.47, 0.15); // 8 (1 - (6 / 8)^4)
    EXPECT_NEAR(touched(8, 2, 8), 7.2, 0.15);
    EXPECT_NEAR(touched(8, 2, 16), 7.9, 0.1);
    EXPECT_EQ(touched(256, 8, 1), 8.0);
    EXPECT_NEAR(touched(256, 8, 16), 102, 1.5);
    EXPECT_NEAR(touched(256, 8, 128), 252, 1);
}

TEST(Routing, HasTheInequalityThatWasAskedForAndGivesEachTokenItsExperts) {
    for (const unsigned percent : {0U, 10U, 24U, 33U}) {
        const std::vector<std::uint64_t> tokens = routed_tokens({100000, 64, 1, percent, 7});
        EXPECT_EQ(std::accumulate(tokens.begin(), tokens.end(), std::uint64_t{0}), 100000U);
        double differences = 0;
        for (const std::uint64_t a : tokens)
            for (const std::uint64_t b : tokens) differences += a > b ? static_cast<double>(a - b) : 0;
        const double gini = differences / (64.0 * 100000);
        EXPECT_NEAR(gini, percent / 100.0, percent == 0 ? 0.02 : 0.01);
    }
    const std::vector<std::uint64_t> all = routed_tokens({9, 4, 4, 20, 1});
    EXPECT_EQ(all, std::vector<std::uint64_t>(4, 9)) << "each token has each expert once";
}

/// Bytes that one rank moves to or from its peers in all launches; the digit `r` is the rank.
struct Exchanged {
    std::uint64_t read = 0, written = 0;
    std::size_t launches = 0;
};
Exchanged exchanged(const char* pattern, const char* algorithm, unsigned ranks, std::uint64_t bytes) {
    const Workload workload = workload_of(
        {pattern, fmt::format(R"({{"bytes": {}, "ranks": {}, "algorithm": "{}", "blocks": 2, "threads": 64}})", bytes,
                              ranks, algorithm)
                      .c_str()});
    Exchanged sum;
    sum.launches = workload.launches.size();
    constexpr unsigned kRank = 1;
    const std::string own = fmt::format("_{}", kRank);
    for (const Launch& launch : workload.launches) {
        EXPECT_EQ(launch.kernel->shape().digits.back().name, 'r');
        EXPECT_EQ(launch.kernel->shape().digits.back().count, ranks);
        const std::uint64_t each = launch.kernel->shape().blocks / ranks;
        for (std::uint64_t b = kRank * each; b < (kRank + 1) * each; ++b) {
            const WorkDone done = work_of_block(*launch.kernel, workload, b);
            for (const auto& [array, loaded] : done.loaded_of)
                if (array.substr(array.size() - 2) != own) sum.read += loaded;
            for (const auto& [array, stored] : done.stored_of)
                if (array.substr(array.size() - 2) != own) sum.written += stored;
        }
    }
    return sum;
}

/// Steps and bytes for each rank of n with S bytes, by the textbook: 2 (n - 1) / n S of ring and two-shot all-reduce,
/// (n - 1) S of one-shot, (n - 1) / n S of the others.
TEST(Collectives, MoveTheBytesOfTheirAlgorithmInItsSteps) {
    constexpr std::uint64_t kBytes = 65536;
    const auto expect = [](const char* pattern, const char* algorithm, std::uint64_t read, std::uint64_t written,
                           std::size_t launches) {
        const Exchanged found = exchanged(pattern, algorithm, 4, kBytes);
        EXPECT_EQ(found.read, read) << pattern << ' ' << algorithm;
        EXPECT_EQ(found.written, written) << pattern << ' ' << algorithm;
        EXPECT_EQ(found.launches, launches) << pattern << ' ' << algorithm;
    };
    expect("all_reduce", "ring", 0, 2 * kBytes / 4 * 3, 6);
    expect("all_reduce", "one_shot", 3 * kBytes, 0, 1);
    expect("all_reduce", "two_shot", 2 * kBytes / 4 * 3, 0, 2);
    expect("all_reduce", "tree", 2 * kBytes, 0, 4);               // rank 1: its child's sum, and the result
    expect("all_reduce", "in_switch", kBytes / 4, kBytes / 4, 1); // of the array that stands for all
    expect("all_gather", "ring", 0, kBytes / 4 * 3, 3);
    expect("all_gather", "one_shot", kBytes / 4 * 3, 0, 1);
    expect("reduce_scatter", "ring", 0, kBytes / 4 * 3, 4); // the last adds what came, and sends nothing
    expect("reduce_scatter", "one_shot", kBytes / 4 * 3, 0, 1);
    expect("all_to_all", "ring", 0, kBytes / 4 * 3, 4); // the first is the part that stays
    expect("all_to_all", "one_shot", kBytes / 4 * 3, 0, 1);
}

TEST(TransformerPatterns, RefuseWhatDoesNotFit) {
    const auto expect = [](const char* pattern, const char* parameters, const char* says) {
        const std::string refusal = refusal_of({pattern, parameters});
        EXPECT_NE(refusal.find(says), std::string::npos) << refusal;
    };
    expect("gemv", R"({"k": 4})", "k: ");
    expect("gemv", R"({"k": 12})", "k: 12 elements are no whole loads of 16 bytes; multiples of 8 are allowed");
    expect("elementwise", R"({"width": 3})", "width: 3 bytes; powers of two are allowed");
    expect("elementwise", R"({"elements": 9})", "elements: 9 elements of 2 bytes are no whole accesses of 16 bytes");
    expect("grouped_gemm", R"({"experts": 2, "top": 3})", "top: 3 experts of a token; at most 2");
    expect("all_gather", R"({"algorithm": "tree"})",
           "algorithm: tree is an algorithm of all_reduce; all_gather has ring and one_shot");
    expect("all_reduce", R"({"barrier": "flags"})", "barrier: flags are of the algorithm in_switch, and this is ring");
    expect("transformer_layer", R"({"tensor_parallel": 2, "algorithm": "in_switch"})",
           "algorithm: in_switch is not of a layer; ring, one_shot, two_shot and tree are allowed");
    expect("all_reduce", R"({"bytes": 1000})", "bytes: 1000 is no multiple of 128: 16 bytes for each of 8 ranks");
    expect("all_reduce", R"({"threads": 40})", "threads: 40 threads are not whole warps");
    expect("transformer_layer", R"({"tensor_parallel": 3})", "tensor_parallel: 3 ranks have no equal shares of heads");
    expect("transformer_layer", R"({"phase": "decode"})", "splits: decode has at least 1");
    expect("transformer_layer", R"({"tile_n": 96})", "tile_n: o has 4096 columns on a rank, no multiple of 96");
    expect("transformer_layer", R"({"experts": 12})", "experts: 12 experts; multiples of 8");
    expect("transformer_layer", R"({"products": "vectors"})", "products: vectors are for decode of a dense layer");
    expect("transformer_layer", R"({"phase": "decode", "splits": 2, "tile_q": 16, "row_groups": 1,
                                    "products": "vectors", "hidden": 4100})",
           "products: qkv has 4100 rows of weights on a rank; vectors have multiples of 8");
    expect("transformer_layer", R"({"tensor_parallel": 3, "heads": 24, "kv_heads": 24, "ffn": 384})",
           "tensor_parallel: 3 ranks have no equal shares of hidden, which is 4096: its multiples of 24 have");
}

TEST(TransformerPatterns, RefuseSettingsOfALayerThatItDoesNotUse) {
    const auto refused = [](const json& parameters) {
        return refusal_of({"transformer_layer", parameters.dump().c_str()});
    };
    const json prefill = {{"tokens", 128}};
    const json decode = {{"phase", "decode"}, {"splits", 2}, {"tile_q", 16}, {"row_groups", 1}};
    json vectors = decode;
    vectors["products"] = "vectors";
    for (const json& base : {prefill, decode, vectors}) EXPECT_EQ(refused(base), "");
    struct {
        const json& base;
        const char* name;
        json value;
        const char* says;
    } const rows[] = {{prefill, "context", 64, "is of decode; 4096 is allowed without"},
                      {decode, "tokens", 64, "is of prefill; 2048 is allowed without"},
                      {prefill, "top", 1, "is of layers with experts; 2 is allowed without"},
                      {prefill, "gini_percent", 10, "is of layers with experts; 0 is allowed without"},
                      {prefill, "algorithm", "ring", "is of tensor_parallel above 1; two_shot is allowed without"},
                      {prefill, "blocks", 8, "is of tensor_parallel above 1; 32 is allowed without"},
                      {vectors, "tile_m", 64, "is of products tensor_cores; 128 is allowed without"},
                      {vectors, "tile_n", 64, "is of products tensor_cores; 128 is allowed without"},
                      {vectors, "tile_k", 64, "is of products tensor_cores; 32 is allowed without"},
                      {vectors, "stages", 3, "is of products tensor_cores; 4 is allowed without"},
                      {vectors, "warps_m", 1, "is of products tensor_cores; 2 is allowed without"},
                      {vectors, "warps_n", 1, "is of products tensor_cores; 2 is allowed without"},
                      {vectors, "registers", 96, "is of products tensor_cores; 168 is allowed without"},
                      {vectors, "matrix", "HMMA.1688", "is of products tensor_cores; HMMA.16816 is allowed without"}};
    for (const auto& row : rows) {
        json parameters = row.base;
        parameters[row.name] = row.value;
        const std::string found = refused(parameters);
        EXPECT_NE(found.find(fmt::format("{}: {}", row.name, row.says)), std::string::npos) << found;
    }
}

/// A shipped workload of one layer with some of its parameters changed.
Workload layer_of(const std::string& name, const json& changes) {
    std::ifstream file(test::source_dir() + "/configs/workloads/today/" + name + ".json");
    json value = json::parse(file);
    value["kernels"][0]["parameters"].update(changes);
    return read_workload(value, Place(name));
}

/// Numbers of a model that its authors or its configuration file give (docs/use/WORKLOADS.md).
struct PublishedModel {
    const char* name;                ///< of the workload of decode, without its phase
    double layers, head;             ///< head: elements of the output matrix, of which a token uses all
    double used_millions;            ///< weights of a layer that a token uses
    double giga_flops;               ///< products of all layers and the head, a token
    double flops_digit;              ///< last digit that is printed of it
    std::uint64_t kib_a_token;       ///< keys and values of all layers
    std::uint64_t attention_a_token; ///< operations of all layers for a token of queries and one of the context
    unsigned experts, top;
    std::vector<unsigned> ranks; ///< tensor parallel
};
const std::vector<PublishedModel>& published_models() {
    static const std::vector<PublishedModel> models = {
        {"llama-2-7b", 32, 4096.0 * 32000, 202.4, 13.21, 0.01, 512, 524288, 0, 0, {1, 2, 4, 8}},
        {"llama-3-8b", 32, 4096.0 * 128256, 218.1, 15.01, 0.01, 128, 524288, 0, 0, {1, 2, 4, 8}},
        {"llama-3-70b", 80, 8192.0 * 128256, 855.6, 139.0, 0.1, 320, 2621440, 0, 0, {1, 2, 4, 8}},
        {"mixtral-8x7b", 32, 4096.0 * 32000, 394.3, 25.50, 0.01, 128, 524288, 8, 2, {1, 2, 4, 8}}};
    return models;
}

std::uint64_t bytes_of_arrays(const Workload& workload, const std::string& begins) {
    std::uint64_t sum = 0;
    for (const Range& range : workload.ranges)
        if (range.name.rfind(begins, 0) == 0) sum += range.bytes;
    return sum;
}

/// Work of a layer as it is built, from a block of each kernel: all blocks of a product do the same operations.
struct LayerWork {
    double products = 0;                             ///< operations whose results are stored
    std::uint64_t weights = 0;                       ///< elements that a token uses
    std::uint64_t kv = 0;                            ///< bytes of keys and values
    std::uint64_t kv_loaded = 0, weights_loaded = 0; ///< bytes that blocks read
    double attention = 0;                            ///< operations, with rows of tiles that are not stored
};
LayerWork layer_work(const Workload& workload, const PublishedModel& model, unsigned ranks = 1) {
    LayerWork work;
    for (const Range& range : workload.ranges) {
        if (range.name.rfind("w_", 0) != 0) continue;
        const bool expert =
            model.experts != 0 && (range.name.rfind("w_gate", 0) == 0 || range.name.rfind("w_down", 0) == 0);
        const bool on_each = range.name.rfind("w_router", 0) == 0; // ranks have a copy
        const std::uint64_t copies = on_each ? ranks : expert ? model.experts : 1;
        work.weights += range.bytes / 2 * (expert ? model.top : 1) / copies;
    }
    work.kv = bytes_of_arrays(workload, "k_") + bytes_of_arrays(workload, "v_");
    for (const Launch& launch : workload.launches) {
        Kernel& kernel = *launch.kernel;
        const std::string& name = kernel.shape().name;
        const auto blocks = static_cast<double>(kernel.shape().blocks);
        if (name.rfind("attention_combine", 0) == 0 || name.rfind("all_reduce", 0) == 0) continue;
        const WorkDone block = work_of_block(kernel, workload, 0);
        if (name.rfind("attention", 0) == 0) {
            for (const auto& [array, bytes] : block.loaded_of)
                if (array[0] == 'k' || array[0] == 'v') work.kv_loaded += bytes * kernel.shape().blocks;
            work.attention = static_cast<double>(block.operations) * blocks;
        } else {
            for (const auto& [array, bytes] : block.loaded_of)
                if (array[0] == 'w') work.weights_loaded += bytes * kernel.shape().blocks;
            work.products += (static_cast<double>(block.operations) + static_cast<double>(block.vector_flops)) * blocks;
        }
    }
    return work;
}

class PublishedLayers : public ::testing::TestWithParam<PublishedModel> {};

TEST_P(PublishedLayers, OfDecodeReadEachWeightAndEachKeyOnceAndHaveThePublishedSizes) {
    const PublishedModel& model = GetParam();
    for (const unsigned ranks : model.ranks)
        for (const auto& [batch, context] : {std::pair{16, 4096}, {16, 1}, {64, 4096}, {256, 32768}}) {
            const unsigned tile = static_cast<unsigned>(std::min(batch, 64));
            const Workload workload = layer_of(std::string(model.name) + "-decode", {{"tensor_parallel", ranks},
                                                                                     {"batch", batch},
                                                                                     {"context", context},
                                                                                     {"tile_m", tile},
                                                                                     {"warps_m", tile / 16},
                                                                                     {"warps_n", 4},
                                                                                     {"stages", 2}});
            const LayerWork work = layer_work(workload, model, ranks);
            SCOPED_TRACE(fmt::format("{} ranks, batch {}, context {}", ranks, batch, context));
            EXPECT_NEAR(static_cast<double>(work.weights) / 1e6, model.used_millions, 0.05);
            EXPECT_EQ(work.kv * static_cast<std::uint64_t>(model.layers), model.kib_a_token * 1024 *
                                                                              static_cast<std::uint64_t>(batch) *
                                                                              static_cast<std::uint64_t>(context));
            if (context >= 64 * 8) {
                EXPECT_EQ(work.kv_loaded, work.kv) << "each part of the context is read once";
            }
            if (model.experts == 0) { // tiles of experts are filled up, by as much as routing draws
                EXPECT_EQ(work.products, 2.0 * static_cast<double>(work.weights) * batch);
                EXPECT_EQ(work.weights_loaded, 2 * work.weights * (static_cast<unsigned>(batch) / tile))
                    << "by one block of each row of tiles";
                const double token = work.products / batch * model.layers + 2 * model.head;
                EXPECT_NEAR(token / 1e9, model.giga_flops, model.flops_digit / 2 + 1e-9);
            }
        }
}

TEST_P(PublishedLayers, OfDecodeDoThePublishedOperationsOfAttentionInTheRowsThatTheyStore) {
    const PublishedModel& model = GetParam();
    const Workload workload = layer_of(std::string(model.name) + "-decode", {{"batch", 16}, {"context", 4096}});
    std::ifstream file(test::source_dir() + "/configs/workloads/today/" + model.name + "-decode.json");
    const json parameters = json::parse(file)["kernels"][0]["parameters"];
    // A block has the query heads of a KV head as rows, of which its tile has more.
    const double rows = parameters["heads"].get<double>() / parameters["kv_heads"].get<double>();
    const double stored = rows / parameters["tile_q"].get<double>();
    const double operations = layer_work(workload, model).attention * stored * model.layers;
    EXPECT_EQ(operations / (16.0 * 4096), static_cast<double>(model.attention_a_token));
}

/// 2 products of each weight and token; attention does half of all pairs of tokens, and the whole tiles of the
/// diagonal.
TEST_P(PublishedLayers, OfPrefillDoThePublishedOperations) {
    const PublishedModel& model = GetParam();
    const json of_warps, of_sm = {{"matrix", "UTCHMMA.128x64x16"}, {"attention_matrix", "UTCHMMA.128x64x16"}};
    for (const auto& [tokens, instructions] : {std::pair{512U, of_warps}, {4096U, of_warps}, {512U, of_sm}}) {
        json changes = {{"tokens", tokens}};
        if (!instructions.is_null()) changes.update(instructions);
        const Workload workload = layer_of(std::string(model.name) + "-prefill", changes);
        const LayerWork work = layer_work(workload, model);
        if (model.experts == 0) {
            EXPECT_EQ(work.products, 2.0 * static_cast<double>(work.weights) * static_cast<double>(tokens));
        }
        std::uint64_t attention = 0;
        for (const Launch& launch : workload.launches) {
            Kernel& kernel = *launch.kernel;
            if (kernel.shape().name.rfind("attention", 0) != 0) continue;
            const std::uint64_t of_head = tokens / 128; // query blocks; heads are all alike
            for (std::uint64_t b = 0; b < of_head; ++b) attention += work_of_block(kernel, workload, b).operations;
            attention *= kernel.shape().blocks / of_head;
        }
        const double pairs = static_cast<double>(tokens) * static_cast<double>(tokens + 128) / 2;
        EXPECT_EQ(static_cast<double>(attention) * model.layers, static_cast<double>(model.attention_a_token) * pairs);
    }
}

/// Attention of prefill reads what qkv has written, all of it, and nothing else: a token's queries once, and the keys
/// and values of each query block's tiles for each query head.
TEST_P(PublishedLayers, OfPrefillReadTheKeysThatTheLayerWrote) {
    const PublishedModel& model = GetParam();
    constexpr std::uint64_t kTokens = 256, kTile = 128;
    const Workload workload = layer_of(std::string(model.name) + "-prefill", {{"tokens", kTokens}});
    EXPECT_EQ(bytes_of_arrays(workload, "k_") + bytes_of_arrays(workload, "v_"), 0U);
    std::ifstream file(test::source_dir() + "/configs/workloads/today/" + model.name + "-prefill.json");
    const json parameters = json::parse(file)["kernels"][0]["parameters"];
    const auto row = parameters["head_dim"].get<std::uint64_t>() * 2;
    const auto heads = parameters["heads"].get<std::uint64_t>(), kv_heads = parameters["kv_heads"].get<std::uint64_t>();
    EXPECT_EQ(bytes_of_arrays(workload, "qkv_"), kTokens * (heads + 2 * kv_heads) * row);
    std::uint64_t queries = 0, all = 0;
    for (const Launch& launch : workload.launches) {
        Kernel& kernel = *launch.kernel;
        if (kernel.shape().name.rfind("attention", 0) != 0) continue;
        for (const std::uint64_t block :
             {std::uint64_t{0}, std::uint64_t{1}}) { // query blocks of a head; heads are all alike
            for (const auto& [array, bytes] : work_of_block(kernel, workload, block).loaded_of) {
                EXPECT_EQ(array.rfind("qkv_", 0), 0U) << array;
                all += bytes * kernel.shape().blocks / 2;
            }
            queries += kTile * row * kernel.shape().blocks / 2;
        }
    }
    EXPECT_EQ(queries, kTokens * heads * row);
    EXPECT_EQ(all, queries + 2 * (kTile + 2 * kTile) * row * heads) << "the second query block reads all tokens";
}

TEST_P(PublishedLayers, AddUpTwiceTheHiddenValuesOfEachTokenOverTheirRanks) {
    const PublishedModel& model = GetParam();
    const Workload workload = layer_of(std::string(model.name) + "-decode", {{"tensor_parallel", 4}, {"batch", 16}});
    const std::uint64_t hidden = model.layers == 80 ? 8192 : 4096;
    const std::uint64_t bytes = 16 * hidden * 2;
    std::uint64_t loaded = 0;
    for (const Launch& launch : workload.launches)
        if (launch.kernel->shape().name.rfind("all_reduce", 0) == 0) loaded += work_of(*launch.kernel, workload).loaded;
    // Two-shot: each rank reads its part of 4 arrays, then the 3 other sums; two all-reduces.
    EXPECT_EQ(loaded, 2U * 4 * (bytes + bytes / 4 * 3));
}

using BytesByArray = std::map<std::string, std::uint64_t>;

/// The same bytes of the arrays whose rank is `first` higher.
BytesByArray of_later_ranks(const BytesByArray& bytes, unsigned long first) {
    BytesByArray later;
    for (const auto& [array, count] : bytes) {
        const std::size_t end = array.rfind('_') + 1;
        later[array.substr(0, end) + std::to_string(std::stoul(array.substr(end)) + first)] = count;
    }
    return later;
}

/// Groups of ranks do what one group does, each with arrays of its own: a sum reads those of its group alone.
TEST_P(PublishedLayers, OfSeveralGroupsDoTheWorkOfEach) {
    constexpr unsigned kRanks = 4, kGroups = 3;
    const std::string name = std::string(GetParam().name) + "-decode";
    for (const char* algorithm : {"two_shot", "ring"}) {
        json changes = {{"tensor_parallel", kRanks}, {"batch", 16}, {"context", 512}, {"algorithm", algorithm}};
        const Workload one = layer_of(name, changes);
        changes["data_parallel"] = kGroups;
        const Workload all = layer_of(name, changes);
        ASSERT_EQ(all.ranges.size(), kGroups * one.ranges.size());
        EXPECT_EQ(bytes_of_arrays(all, ""), kGroups * bytes_of_arrays(one, ""));
        ASSERT_EQ(all.launches.size(), one.launches.size());
        for (std::size_t i = 0; i < all.launches.size(); ++i) {
            Kernel &kernel = *all.launches[i].kernel, &of_one = *one.launches[i].kernel;
            const std::uint64_t blocks = of_one.shape().blocks;
            SCOPED_TRACE(fmt::format("{}, {}", algorithm, kernel.shape().name));
            ASSERT_EQ(kernel.shape().blocks, kGroups * blocks);
            EXPECT_EQ(kernel.shape().accesses, kGroups * of_one.shape().accesses);
            const auto& digits = kernel.shape().digits;
            ASSERT_EQ(digits.empty(), of_one.shape().digits.empty());
            if (!digits.empty()) {
                ASSERT_EQ(digits.size(), of_one.shape().digits.size() + 1);
                EXPECT_EQ(digits.back().name, 'd');
                EXPECT_EQ(digits.back().count, kGroups);
                EXPECT_EQ(digits[digits.size() - 2].name, 'r');
                EXPECT_EQ(digits[digits.size() - 2].count, kRanks);
            }
            // The first and last block of each group, which are of its first and last rank.
            for (unsigned group = 0; group < kGroups; ++group)
                for (const std::uint64_t block : {std::uint64_t{0}, blocks - 1}) {
                    const WorkDone done = work_of_block(kernel, all, group * blocks + block);
                    const WorkDone expected = work_of_block(of_one, one, block);
                    EXPECT_EQ(done.operations, expected.operations);
                    EXPECT_EQ(done.loaded_of, of_later_ranks(expected.loaded_of, group * kRanks));
                    EXPECT_EQ(done.stored_of, of_later_ranks(expected.stored_of, group * kRanks));
                }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, PublishedLayers, ::testing::ValuesIn(published_models()), [](const auto& row) {
    std::string name = row.param.name;
    for (char& c : name)
        if (c == '-') c = '_';
    return name;
});

} // namespace
} // namespace numavp
