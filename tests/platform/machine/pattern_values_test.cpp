/// Values of patterns on tensor cores: every load sees what a flat memory has there, and so does memory in the end.
#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "common/system/load_system.h"
#include "platform/machine/system.h"
#include "sw/workloads/workload_file.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/hand_kernel.h"

namespace numavp::test {
namespace {

/// A pattern behind a kernel that fills its arrays. A byte's value follows from its address and from who wrote it, so
/// that a flat memory is one mark a byte.
class FilledPattern final : public DataHooks {
  public:
    FilledPattern(const std::string& pattern, const json& parameters)
        : workload_(read_workload(
              {{"name", "filled"}, {"kernels", {{{"pattern", pattern}, {"parameters", parameters}}}}}, "filled")) {
        std::vector<Launch> launches = {fill()};
        launches.insert(launches.end(), workload_.launches.begin(), workload_.launches.end());
        workload_.launches = std::move(launches);
        for (const Range& range : workload_.ranges) written_.emplace_back(range.bytes, false);
    }
    const Workload& workload() const { return workload_; }
    void produce(std::uint64_t cookie, std::uint64_t line, ByteMask mask, unsigned char* bytes) override {
        for (unsigned i = 0; i < kLineBytes; ++i) {
            if (!mask.test(i)) continue;
            bytes[i] = value(line + i, cookie != kFill);
            if (cookie != kFill) written(line + i) = true;
        }
    }
    void consume(std::uint64_t, std::uint64_t line, ByteMask mask, const unsigned char* bytes) override {
        for (unsigned i = 0; i < kLineBytes; ++i) {
            if (!mask.test(i)) continue;
            ++compared_;
            if (bytes[i] != value(line + i, written(line + i)) && wrong_.empty())
                wrong_ = fmt::format("a load saw {:#04x} at {:#x}", bytes[i], line + i);
        }
    }
    /// First difference from the flat memory; empty if there is none.
    std::string wrong_in(System& system) {
        for (std::size_t r = 0; r < workload_.ranges.size() && wrong_.empty(); ++r) {
            const Range& range = workload_.ranges[r];
            std::vector<unsigned char> found(range.bytes);
            system.debug_read(range.base, found.data(), found.size());
            for (std::uint64_t i = 0; i < range.bytes && wrong_.empty(); ++i)
                if (found[i] != value(range.base + i, written_[r][i]))
                    wrong_ = fmt::format("memory has {:#04x} at {:#x} in the end", found[i], range.base + i);
        }
        return wrong_;
    }
    std::uint64_t compared() const { return compared_; }
    std::uint64_t results() const {
        std::uint64_t sum = 0;
        for (const std::vector<bool>& range : written_)
            sum += static_cast<std::uint64_t>(std::count(range.begin(), range.end(), true));
        return sum;
    }

  private:
    static constexpr std::uint64_t kFill = 1; ///< cookie of the kernel that fills; patterns have 0

    static unsigned char value(std::uint64_t address, bool by_pattern) {
        const std::uint64_t mixed = (address + (by_pattern ? 0x51ULL << 50 : 0)) * 0x9e3779b97f4a7c15ULL;
        return static_cast<unsigned char>(mixed >> 56);
    }
    std::vector<bool>::reference written(std::uint64_t address) {
        for (std::size_t r = 0; r < workload_.ranges.size(); ++r) {
            const Range& range = workload_.ranges[r];
            if (address >= range.base && address < range.base + range.bytes) return written_[r][address - range.base];
        }
        throw ModelError(fmt::format("{:#x} lies in no array", address));
    }
    /// A block of one warp for each 8 KiB.
    Launch fill() const {
        constexpr std::uint64_t kPart = 8192;
        std::vector<std::pair<std::uint64_t, std::uint64_t>> parts; // address and end
        for (const Range& range : workload_.ranges)
            for (std::uint64_t at = 0; at < range.bytes; at += kPart)
                parts.emplace_back(range.base + at, range.base + std::min(range.bytes, at + kPart));
        return hand_launch("fill", parts.size(), 1, [parts](std::uint64_t block, unsigned) {
            WarpCode code;
            for (std::uint64_t at = parts[block].first; at < parts[block].second; at += kLineBytes) {
                const std::uint64_t words = (parts[block].second - at + 3) / 4;
                code.push_back(store(at));
                code.back().mask = words >= kWarpLanes ? ~0U : (1U << words) - 1;
                code.back().cookie = kFill;
            }
            return code;
        });
    }

    Workload workload_;
    std::vector<std::vector<bool>> written_; ///< of each range, each byte: by the pattern
    std::string wrong_;
    std::uint64_t compared_ = 0;
};

struct ValueCase {
    const char* name;
    const char* pattern;
    const char* parameters;
    std::uint64_t results; ///< bytes that the pattern writes
};
constexpr ValueCase kValueCases[] = {
    {"gemm", "gemm", R"({"m": 96, "n": 128, "k": 64, "tile_m": 64, "tile_n": 64})", 96 * 128 * 2},
    {"split_k", "gemm", R"({"m": 64, "n": 64, "k": 128, "tile_m": 64, "tile_n": 64, "split_k": 4, "bypass_l1": false})",
     64 * 64 * (2 + 4 * 4)},
    {"attention", "attention", R"({"queries": 100, "context": 100, "heads": 4, "kv_heads": 2, "head_dim": 64,
                                   "tile_q": 64})",
     100 * 4 * 64 * 2},
    {"decode", "attention", R"({"queries": 1, "context": 200, "heads": 4, "kv_heads": 2, "head_dim": 64, "splits": 3,
                                "tile_q": 64, "batch": 2})",
     2 * 4 * (64 * 2 + 3 * (64 * 4 + 4))},
    {"packed", "attention", R"({"queries": 100, "context": 100, "heads": 4, "kv_heads": 2, "head_dim": 64,
                                "tile_q": 64, "layout": "packed"})",
     100 * 4 * 64 * 2},
    {"gemv", "gemv", R"({"n": 100, "k": 512, "vectors": 3, "rows": 4})", 3 * 100 * 2},
    {"elementwise", "elementwise", R"({"elements": 4096, "inputs": 2})", 4096 * 2},
    {"grouped_gemm", "grouped_gemm", R"({"tokens": 40, "experts": 4, "n": 128, "k": 64, "tile_m": 32})", 80 * 128 * 2},
    {"batched_gemm", "batched_gemm", R"({"count": 3, "m": 70, "n": 128, "k": 64, "a_part": 96, "c_part": 160,
                                         "tile_n": 64})",
     3 * 70 * 128 * 2},
    {"latent", "attention",
     R"({"queries": 1, "context": 200, "heads": 40, "kv_heads": 1, "head_dim": 96, "value_dim": 64,
                                "latent": true, "splits": 3, "tile_q": 32, "warps": 2, "batch": 2})",
     2 * 40 * (64 * 2 + 3 * (64 * 4 + 4))},
    {"values_apart", "attention", R"({"queries": 90, "context": 90, "heads": 3, "kv_heads": 3, "head_dim": 96,
                                      "value_dim": 64, "value_pitch": 128, "tile_q": 64})",
     90 * 3 * 64 * 2},
    // In place: three of four parts of each scratch array are used.
    {"ring", "all_reduce", R"({"bytes": 8192, "ranks": 4, "blocks": 2, "threads": 64})", 4 * (8192 + 8192 / 4 * 3)},
    {"one_shot", "all_reduce", R"({"bytes": 8192, "ranks": 4, "blocks": 2, "threads": 64, "algorithm": "one_shot"})",
     4 * 8192},
    {"two_shot", "all_reduce", R"({"bytes": 8192, "ranks": 4, "blocks": 2, "threads": 64, "algorithm": "two_shot"})",
     4 * 8192},
    {"tree", "all_reduce", R"({"bytes": 8192, "ranks": 4, "blocks": 2, "threads": 64, "algorithm": "tree"})", 4 * 8192},
    {"all_gather", "all_gather", R"({"bytes": 8192, "ranks": 4, "blocks": 2, "threads": 64})", 4 * 8192},
    {"reduce_scatter", "reduce_scatter", R"({"bytes": 8192, "ranks": 4, "blocks": 2, "threads": 64})",
     8192 + 4 * 8192 / 4 * 3},
    {"all_to_all", "all_to_all", R"({"bytes": 8192, "ranks": 4, "blocks": 2, "threads": 64})", 4 * 8192}};

/// A layer of each kind, whose results are those of all its kernels.
struct LayerCase {
    const char* name;
    const char* parameters;
};
inline void PrintTo(const LayerCase& layer, std::ostream* out) { *out << layer.name; }
constexpr LayerCase kLayerCases[] = {
    {"prefill", R"({"hidden": 128, "heads": 4, "kv_heads": 2, "head_dim": 64, "ffn": 128, "tokens": 48,
                    "tensor_parallel": 2, "tile_m": 64, "tile_n": 64, "tile_q": 64, "blocks": 2})"},
    {"decode", R"({"hidden": 128, "heads": 4, "kv_heads": 2, "head_dim": 64, "ffn": 64, "experts": 8,
                   "phase": "decode", "batch": 3, "context": 70, "splits": 2, "tile_m": 16, "tile_n": 32, "warps_m": 1,
                   "warps_n": 4, "tile_q": 16, "row_groups": 1, "tensor_parallel": 2, "algorithm": "ring", "blocks": 1})"},
    {"latent_prefill", R"({"hidden": 128, "heads": 4, "head_dim": 32, "q_lora": 64, "kv_lora": 64, "rope_dim": 32,
                           "ffn": 64, "experts": 8, "shared_experts": 1, "tokens": 48, "tensor_parallel": 2, "tile_m": 64,
                           "tile_n": 32, "tile_q": 64, "blocks": 2})"},
    {"latent_decode",
     R"({"hidden": 128, "heads": 80, "tensor_parallel": 2, "blocks": 1, "head_dim": 32, "q_lora": 64, "kv_lora": 96, "rope_dim": 32,
                          "ffn": 64, "phase": "decode", "batch": 3, "context": 70, "splits": 2, "tile_m": 16, "tile_n": 32,
                          "warps_m": 1, "warps_n": 4, "tile_q": 32, "warps": 2})"},
    {"groups", R"({"hidden": 128, "heads": 4, "kv_heads": 2, "head_dim": 64, "ffn": 128, "phase": "decode", "batch": 3,
                   "context": 70, "splits": 2, "tile_m": 16, "tile_n": 32, "warps_m": 1, "warps_n": 4, "tile_q": 16,
                   "row_groups": 1, "tensor_parallel": 2, "data_parallel": 2, "algorithm": "ring", "blocks": 1})"}};

/// The shipped machines with few SMs, with pages that lie with their first users, are interleaved, or have replicas.
struct MachineCase {
    const char* name;
    const char* system;
    std::vector<std::string> settings;
};
inline void PrintTo(const MachineCase& machine, std::ostream* out) { *out << machine.name; }
const std::vector<MachineCase>& machine_cases() {
    static const std::vector<MachineCase> cases = {
        {"b200", "b200", {"socket.sms=2"}},
        {"b200_interleaved", "b200", {"socket.sms=2", "placement.policy=page_interleave"}},
        {"b200_copies", "b200-copies", {"socket.sms=2", "socket.l2.directory_lines=4096"}},
        {"b200_replicas", "b200", {"socket.sms=2", "socket.l2.organisation=replicating", "replication.policy=full"}},
        {"mi300x", "mi300x", {"xcd.sms=2"}},
        {"mi300x_persistent", "mi300x", {"xcd.sms=2", "dispatch.split=persistent"}}};
    return cases;
}

class LayerValues : public ::testing::TestWithParam<std::tuple<LayerCase, MachineCase>> {};

TEST_P(LayerValues, AreThoseOfAFlatMemory) {
    const auto& [layer_case, machine] = GetParam();
    std::vector<std::string> settings = machine.settings;
    settings.insert(settings.end(), {"checks.functional=true", "checks.protocol=true", "dispatch.launch_cycles=100"});
    FilledPattern layer("transformer_layer", json::parse(layer_case.parameters));
    SystemOptions options;
    options.hooks = &layer;
    System system(load_system(machine.system, settings), layer.workload(), options);
    system.run();
    EXPECT_EQ(system.progress().kernels_done, layer.workload().launches.size());
    EXPECT_EQ(layer.wrong_in(system), "");
    EXPECT_GT(layer.compared(), 10000U);
}

INSTANTIATE_TEST_SUITE_P(All, LayerValues,
                         ::testing::Combine(::testing::ValuesIn(kLayerCases), ::testing::ValuesIn(machine_cases())),
                         [](const auto& row) {
                             return fmt::format("{}_{}", std::get<0>(row.param).name, std::get<1>(row.param).name);
                         });

class PatternValues : public ::testing::TestWithParam<std::tuple<ValueCase, L2Organisation>> {};

TEST_P(PatternValues, AreThoseOfAFlatMemory) {
    const auto& [value_case, organisation] = GetParam();
    SystemConfig config = small_system(4);
    config.checks.functional = true;
    config.socket.sm.shared_kib = 128;
    config.socket.sm.tensor.cores = TensorCores::ampere;
    config.socket.l2.organisation = organisation;
    config.placement.policy = PlacementKind::page_interleave;
    config.placement.page_kib = 4;
    config.dispatch.split = BlockSplit::modulo;
    config.dispatch.order.policy = BlockOrderPolicy::hq_minor_swz;
    FilledPattern pattern(value_case.pattern, json::parse(value_case.parameters));
    SystemOptions options;
    options.hooks = &pattern;
    System system(config, pattern.workload(), options);
    system.run();
    EXPECT_EQ(system.progress().kernels_done, pattern.workload().launches.size());
    EXPECT_EQ(pattern.wrong_in(system), "");
    EXPECT_GT(pattern.compared(), 10000U);
    EXPECT_EQ(pattern.results(), value_case.results);
}

INSTANTIATE_TEST_SUITE_P(All, PatternValues,
                         ::testing::Combine(::testing::ValuesIn(kValueCases),
                                            ::testing::Values(L2Organisation::coherent, L2Organisation::numa_aware)),
                         [](const auto& row) {
                             return std::string(std::get<0>(row.param).name) + "_" +
                                    std::string(kL2Organisations.name(std::get<1>(row.param)));
                         });

} // namespace
} // namespace numavp::test
