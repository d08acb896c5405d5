/// Ranks of collectives and the GPUs of a machine: what `run` says where they are not the same.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "common/inputs/workload_names.h"
#include "common/system/load_system.h"
#include "platform/machine/workload_fit.h"
#include "sw/workloads/workload_file.h"

namespace numavp::test {
namespace {

std::string said_of(const char* system, const std::vector<std::string>& settings, unsigned ranks) {
    const json value = {
        {"name", "sum"},
        {"kernels",
         {{{"pattern", "all_reduce"},
           {"parameters", {{"bytes", 128 * ranks}, {"ranks", ranks}, {"algorithm", "two_shot"}, {"blocks", 2}}}}}}};
    return unlike_ranks(load_system(system, settings), read_workload(value, "sum"));
}

TEST(Ranks, OfAnotherNumberThanTheGpusAreSaid) {
    EXPECT_EQ(said_of("dgx-h100", {}, 8), "") << "the two CPUs have no SMs";
    EXPECT_NE(said_of("gb200-nvl72", {}, 8)
                  .find("has 8 ranks, and the system 72 sockets with SMs: ranks spread over several, and its bandwidth "
                        "is not that of 8 GPUs"),
              std::string::npos)
        << said_of("gb200-nvl72", {}, 8);
    EXPECT_NE(said_of("dgx-h100", {}, 16).find("has 16 ranks, and the system 8 sockets with SMs: ranks share them"),
              std::string::npos);
}

TEST(Ranks, WhoseBlocksRunAnywhereAreSaid) {
    EXPECT_NE(said_of("dgx-h100", {"dispatch.split=fine_grained"}, 8)
                  .find("has a rank for each socket, and dispatch.split fine_grained runs its blocks anywhere"),
              std::string::npos);
}

/// 72 groups of one rank are the rack's GPUs too; 64 ranks and nine groups of one rank are not.
TEST(Ranks, OfSeveralGroupsAreThoseOfAll) {
    const auto said = [](unsigned groups, unsigned ranks) {
        json layer = {{"hidden", 1024}, {"heads", 8},    {"kv_heads", 8}, {"head_dim", 64},
                      {"ffn", 1024},    {"tokens", 128}, {"tile_n", 64},  {"tensor_parallel", ranks}};
        layer["data_parallel"] = groups;
        const json value = {{"name", "layer"},
                            {"kernels", {{{"pattern", "transformer_layer"}, {"parameters", layer}}}}};
        return unlike_ranks(load_system("gb200-nvl72", {}), read_workload(value, "layer"));
    };
    EXPECT_EQ(said(9, 8), "");
    EXPECT_EQ(said(72, 1), "");
    EXPECT_NE(said(8, 8).find("has 64 ranks, and the system 72 sockets with SMs"), std::string::npos) << said(8, 8);
    EXPECT_NE(said(9, 1).find("has 9 ranks, and the system 72 sockets with SMs"), std::string::npos) << said(9, 1);
}

TEST(Ranks, OfTheRacksDecodeStepAreItsGpus) {
    const SystemConfig rack = load_system("gb200-nvl72", {"gpu.sm.tensor.cores=blackwell"});
    const Workload step = load_workload("llama-3-70b-decode-rack", workload_folders("llama-3-70b-decode-rack"));
    EXPECT_EQ(unlike_ranks(rack, step), "");
    EXPECT_NO_THROW(check_fit(rack, step));
}

TEST(Ranks, OfOtherPatternsAreNone) {
    const json value = {{"name", "product"}, {"kernels", {{{"pattern", "gemm"}, {"parameters", {{"m", 64}}}}}}};
    EXPECT_EQ(unlike_ranks(load_system("gb200-nvl72", {}), read_workload(value, "product")), "");
}

} // namespace
} // namespace numavp::test
