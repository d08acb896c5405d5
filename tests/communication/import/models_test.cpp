/// Models of GPUs and CPUs: what a name stands for, and what the numbers in a matrix do not tell.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "communication/import/machine_writer.h"
#include "communication/import/part_facts.h"
#include "tests/communication/import/samples.h"

namespace numavp::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

struct ModelRow {
    const char *name, *model; ///< as the driver has it, and in the table
    unsigned sms, nvlinks;
    double link, pcie, memory; ///< GB/s one way, of an NVLink or xGMI link the first
    unsigned gib;
};
class GpuModels : public ::testing::TestWithParam<ModelRow> {};
TEST_P(GpuModels, AreKnownByTheNamesOfTheDriver) {
    const ModelRow& row = GetParam();
    const GpuFacts* facts = gpu_facts(row.name);
    ASSERT_NE(facts, nullptr) << row.name;
    EXPECT_EQ(facts->model, row.model);
    EXPECT_EQ(facts->sms, row.sms);
    EXPECT_EQ(facts->nvlinks, row.nvlinks);
    EXPECT_EQ(facts->link_gbytes_per_s, row.link);
    EXPECT_NEAR(facts->pcie_gbytes_per_s, row.pcie, 0.01);
    EXPECT_EQ(facts->memory_gbytes_per_s, row.memory);
    EXPECT_EQ(facts->memory_gib, row.gib);
    EXPECT_THAT(known_gpus(), HasSubstr(row.model));
}
INSTANTIATE_TEST_SUITE_P(
    Table, GpuModels,
    ::testing::Values(ModelRow{"NVIDIA B200", "B200", 148, 18, 50, 63.02, 8000, 180},
                      ModelRow{"NVIDIA GB200", "GB200", 152, 18, 50, 63.02, 8000, 186},
                      ModelRow{"NVIDIA B300 SXM6 AC", "B300", 148, 18, 50, 121, 8000, 288},
                      ModelRow{"NVIDIA GB300", "GB300", 152, 18, 50, 121, 8000, 288},
                      ModelRow{"NVIDIA L40S", "L40S", 142, 0, 0, 31.51, 864, 48},
                      ModelRow{"NVIDIA GeForce RTX 4090", "RTX 4090", 128, 0, 0, 31.51, 1008, 24},
                      ModelRow{"NVIDIA GeForce RTX 5090", "RTX 5090", 170, 0, 0, 63.02, 1792, 32},
                      ModelRow{"NVIDIA H20", "H20", 78, 18, 25, 63.02, 4000, 96},
                      ModelRow{"NVIDIA H800", "H800", 132, 8, 25, 63.02, 3350, 80},
                      ModelRow{"NVIDIA A800-SXM4-80GB", "A800", 108, 8, 25, 31.51, 2039, 80},
                      ModelRow{"NVIDIA GH200 480GB", "GH200", 132, 18, 25, 63.02, 4000, 96},
                      ModelRow{"NVIDIA H200", "H200", 132, 18, 25, 63.02, 4800, 141},
                      ModelRow{"NVIDIA H100 80GB HBM3", "H100", 132, 18, 25, 63.02, 3350, 80},
                      ModelRow{"NVIDIA H100 NVL", "H100 NVL", 132, 12, 25, 63.02, 3938, 94},
                      ModelRow{"NVIDIA A100-SXM4-40GB", "A100", 108, 12, 25, 31.51, 1555.2, 40},
                      ModelRow{"NVIDIA L40", "L40", 142, 0, 0, 31.51, 864, 48},
                      ModelRow{"NVIDIA L4", "L4", 58, 0, 0, 31.51, 300, 24},
                      ModelRow{"NVIDIA A40", "A40", 84, 4, 14.0625, 31.51, 696, 48},
                      ModelRow{"NVIDIA GeForce RTX 3090", "RTX 3090", 82, 4, 14.0625, 31.51, 936.2, 24},
                      ModelRow{"NVIDIA A30", "A30", 56, 4, 25, 31.51, 933, 24},
                      ModelRow{"NVIDIA A100 80GB PCIe", "A100 80GB PCIe", 108, 12, 25, 31.51, 1935, 80},
                      ModelRow{"NVIDIA A800 80GB PCIe", "A800 80GB PCIe", 108, 8, 25, 31.51, 1935, 80},
                      ModelRow{"NVIDIA A800 40GB Active", "A800 40GB", 108, 8, 25, 31.51, 1555.2, 40},
                      ModelRow{"NVIDIA A800-SXM4-40GB", "A800-SXM4-40GB", 108, 8, 25, 31.51, 1555.2, 40},
                      ModelRow{"NVIDIA H800 PCIe", "H800 PCIe", 114, 8, 25, 63.02, 2039, 80},
                      ModelRow{"NVIDIA H100 PCIe", "H100 PCIe", 114, 12, 25, 63.02, 2039, 80},
                      ModelRow{"NVIDIA H20-3e", "H20-3e", 78, 18, 25, 63.02, 4800, 141},
                      ModelRow{"NVIDIA GH200 144G HBM3e", "GH200 144G", 132, 18, 25, 63.02, 4900, 144},
                      ModelRow{"NVIDIA RTX PRO 6000 Blackwell Server Edition", "RTX PRO 6000 Blackwell Server", 188, 0,
                               0, 63.02, 1597, 96},
                      ModelRow{"NVIDIA RTX PRO 6000 Blackwell Workstation Edition", "RTX PRO 6000", 188, 0, 0, 63.02,
                               1792, 96},
                      ModelRow{"AMD Instinct MI250X", "MI250X", 110, 0, 50, 31.51, 1638.4, 64},
                      ModelRow{"AMD Instinct MI210", "MI210", 104, 0, 50, 31.51, 1638.4, 64},
                      ModelRow{"AMD Instinct MI355X", "MI355X", 256, 0, 76.8, 63.02, 8000, 288},
                      ModelRow{"AMD Instinct MI300X", "MI300X", 304, 0, 64, 63.02, 5300, 192}),
    [](const auto& row) { return fmt::format("Row{}", row.index); });

TEST(GpuModels, AreNotTheBeginningsOfOthers) {
    for (const char* name : {"NVIDIA RTX A4000", "NVIDIA RTX A1000", "NVIDIA T400", "NVIDIA H2000", "NVIDIA B2000", ""})
        EXPECT_EQ(gpu_facts(name), nullptr) << name;
    EXPECT_EQ(gib_in_name("NVIDIA GH200 480GB"), 0U) << "the memory of its CPU";
    EXPECT_EQ(gib_in_name("Tesla V100-SXM3-32GB"), 32U);
}

std::string all_pairs(unsigned gpus, const std::string& word) {
    std::string text;
    for (unsigned g = 0; g < gpus; ++g) text += fmt::format("GPU{} ", g);
    text += "CPU Affinity NUMA Affinity GPU NUMA ID\n";
    for (unsigned a = 0; a < gpus; ++a) {
        text += fmt::format("GPU{}", a);
        for (unsigned b = 0; b < gpus; ++b) text += a == b ? " X" : " " + word;
        text += a < gpus / 2 ? " 0-55,112-167 0 N/A\n" : " 56-111,168-223 1 N/A\n";
    }
    return text;
}

struct FabricRow {
    const char *model, *word;
    unsigned gpus;
    double gbytes_per_s; ///< of each GPU to the switches
};
class GpuFabrics : public ::testing::TestWithParam<FabricRow> {};
TEST_P(GpuFabrics, HaveTheBandwidthOfTheModel) {
    const FabricRow& row = GetParam();
    const FoundMachine machine = machine_of_texts({all_pairs(row.gpus, row.word)}, {row.model, ""});
    const auto switches = machine.all(PartType::nv_switch);
    ASSERT_EQ(switches.size(), 1U);
    for (const std::size_t gpu : machine.all(PartType::gpu))
        EXPECT_EQ(machine.link_between(LinkType::nv, gpu, switches[0])->gbytes_per_s, row.gbytes_per_s);
    const ordered_json network = make_machine_file(machine, "x").system["network"];
    EXPECT_THAT(network["links"].dump(), HasSubstr(fmt::format(R"("nvlink","gbytes_per_s":{:.1f})", row.gbytes_per_s)));
}
INSTANTIATE_TEST_SUITE_P(Machines, GpuFabrics,
                         ::testing::Values(FabricRow{"B200", "NV18", 8, 900}, FabricRow{"B300", "NV18", 8, 900},
                                           FabricRow{"GB200", "NV18", 4, 900}, FabricRow{"H20", "NV18", 8, 450},
                                           FabricRow{"H800", "NV8", 8, 200}, FabricRow{"A800", "NV8", 8, 200},
                                           FabricRow{"H800", "NV8", 3, 200}, FabricRow{"H100", "NV18", 8, 450},
                                           FabricRow{"V100", "NV6", 3, 150}));

TEST(GpuFabrics, AreNoneOfGpusWithoutNvlink) {
    for (const char* model : {"L40S", "RTX 4090", "RTX 5090"}) {
        const FoundMachine machine = machine_of_texts({all_pairs(4, "SYS")}, {model, ""});
        EXPECT_EQ(machine.all(PartType::nv_switch).size(), 0U);
        EXPECT_THAT(machine.notes, Not(Contains(HasSubstr("has NVLinks")))) << model;
    }
    EXPECT_THAT(machine_of_texts({all_pairs(2, "SYS")}, {"B200", ""}).notes, Not(Contains(HasSubstr("not known"))));
}

// --- POWER -----------------------------------------------------------------------------------------------------------

struct PowerRow {
    const char *what, *text, *model;
};
class PowerCpus : public ::testing::TestWithParam<PowerRow> {};
TEST_P(PowerCpus, AreToldByMoreThanNumbers) {
    const FoundMachine machine = machine_of_texts({GetParam().text});
    EXPECT_EQ(machine.parts[machine.all(PartType::package)[0]].model, GetParam().model) << GetParam().what;
}
INSTANTIATE_TEST_SUITE_P(
    Matrices, PowerCpus,
    ::testing::Values(
        PowerRow{"8 nodes in turn, one GPU", "GPU0 CPU Affinity NUMA Affinity GPU NUMA ID\nGPU0 X 0,8,16,24 0 N/A\n",
                 ""},
        PowerRow{"the same of an older driver", "GPU0 CPU Affinity\nGPU0 X 0,8,16,24\n", ""},
        PowerRow{"the same as ranges, without NVLinks",
                 "GPU0 GPU1 CPU Affinity\nGPU0 X SYS 0-0,8-8\nGPU1 SYS X 0-0,8-8\n", ""},
        PowerRow{"with NVLinks, of a driver of today",
                 "GPU0 GPU1 CPU Affinity NUMA Affinity\nGPU0 X NV18 0,8,16 0\nGPU1 NV18 X 0,8,16 0\n", ""},
        PowerRow{"16 nodes in turn",
                 "GPU0 GPU1 CPU Affinity NUMA Affinity\nGPU0 X NV4 0,16,32 0\nGPU1 NV4 X 0,16,32 0\n", ""},
        PowerRow{"nodes 0 and 8 of an EPYC whose L3 caches are nodes",
                 "GPU0 GPU1 CPU Affinity NUMA Affinity GPU NUMA ID\nGPU0 X SYS 0-7,128-135 0 N/A\nGPU1 SYS X "
                 "64-71,192-199 8 "
                 "N/A\n",
                 ""},
        PowerRow{"the same without second threads",
                 "GPU0 GPU1 CPU Affinity NUMA Affinity\nGPU0 X SYS 0-7 0\nGPU1 SYS X 64-71 8\n", ""},
        PowerRow{"an S822LC", "GPU0 GPU1 CPU Affinity\nGPU0 X NV2 0-0,8-8,16-16\nGPU1 NV2 X 0-0,8-8,16-16\n", "POWER8"},
        PowerRow{"an AC922", "GPU0 GPU1 CPU Affinity NUMA Affinity\nGPU0 X SYS 0-63 0\nGPU1 SYS X 64-127 8\n",
                 "POWER9"},
        PowerRow{"an AC922 with cores switched off",
                 "GPU0 GPU1 CPU Affinity NUMA Affinity GPU NUMA ID\nGPU0 X SYS 0-59 0 255\nGPU1 SYS X 88-171 8 254\n",
                 "POWER9"}),
    [](const auto& row) { return fmt::format("Row{}", row.index); });

TEST(PowerCpus, AreGivenByTheUser) {
    const std::string one = "GPU0 CPU Affinity NUMA Affinity GPU NUMA ID\nGPU0 X 0,8,16,24 0 N/A\n";
    const ordered_json plain = make_machine_file(machine_of_texts({one}), "x").system;
    EXPECT_EQ(plain["cpu"]["memory"]["bandwidth_gbps"], 76.8);
    const ordered_json power = make_machine_file(machine_of_texts({one}, {"", "POWER8"}), "x").system;
    EXPECT_EQ(power["cpu"]["memory"]["bandwidth_gbps"], 115.2);
    EXPECT_EQ(make_machine_file(machine_of_texts({one}, {"", "Grace"}), "x").system["cpu"]["memory"]["bandwidth_gbps"],
              512);
}

// --- Numbers of hwloc's info elements --------------------------------------------------------------------------------

TEST(HwlocReader, ReadsSizesWhole) {
    const auto with = [](const std::string& key, const std::string& value) {
        std::string text = hwloc_file("2.0", hwloc_package(0, hwloc_gpu({}), "X"));
        const std::size_t at = text.find("value=\"", text.find("\"" + key + "\"")) + 7;
        return text.replace(at, text.find('"', at) - at, value);
    };
    for (const char* bad : {"99999999999999999999", "-1", "16 GB", "much", "1099511627776", "12KiBs"})
        EXPECT_THAT(refusal_of({with("CUDAGlobalMemorySize", bad)}),
                    HasSubstr(fmt::format("CUDAGlobalMemorySize '{}' is no size in KiB", bad)));
    for (const char* bad : {"99999999999999999999", "1025", "-1", "many"})
        EXPECT_THAT(refusal_of({with("CUDAMultiProcessors", bad)}),
                    HasSubstr(fmt::format("CUDAMultiProcessors '{}' is no number of SMs", bad)));
    EXPECT_EQ(refusal_of({with("CUDAGlobalMemorySize", "16671616KiB")}), "");
    EXPECT_EQ(refusal_of({with("CUDAGlobalMemorySize", "16671616")}), "");
}

} // namespace
} // namespace numavp::test
