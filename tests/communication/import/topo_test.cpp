/// nvidia-smi topo -m, in new and old words, and numactl -H.
#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/communication/import/samples.h"

namespace numavp::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

TEST(TopoMatrix, MakesTreesOfWords) {
    EXPECT_EQ(edges_of({topo_file()}), R"(smp pkg0 pkg1
pci pkg0 hb0 0
pci hb0 sw0 0
pci sw0 gpu0 0
pci sw0 gpu1 0
pci sw0 NIC0 0
pci pkg1 hb1 0
pci hb1 gpu2 0
pci pkg1 hb2 0
pci hb2 sw1 0
pci sw1 gpu3 0
pci sw1 NIC1 0
nv gpu0 gpu1 x4
nv gpu0 gpu2 x4
nv gpu0 gpu3 x4
nv gpu1 gpu2 x4
nv gpu1 gpu3 x4
nv gpu2 gpu3 x4
)");
}

TEST(TopoMatrix, ReadsBlanksAndColoursAndPrompts) {
    std::string blanks = topo_file(), coloured = "$ nvidia-smi topo -m\n\x1b[4m" + topo_file();
    std::replace(blanks.begin(), blanks.end(), '\t', ' ');
    coloured.insert(coloured.find("CPU Affinity") + 12, "\x1b[0m");
    EXPECT_EQ(edges_of({blanks}), edges_of({topo_file()}));
    EXPECT_EQ(edges_of({coloured}), edges_of({topo_file()}));
    std::string lines = topo_file(); // of Windows
    for (std::size_t at = lines.find('\n'); at != std::string::npos; at = lines.find('\n', at + 2))
        lines.insert(at, "\r");
    EXPECT_EQ(edges_of({lines}), edges_of({topo_file()}));
}

/// All pairs with more links than a GPU has: they lead to switches.
TEST(TopoMatrix, FindsNvSwitches) {
    std::string text = "GPU0 GPU1 GPU2 CPU Affinity NUMA Affinity\nGPU0 X NV18 NV18 0-7 0\nGPU1 NV18 X NV18 0-7 "
                       "0\nGPU2 NV18 NV18 X 8-15 1\n";
    const FoundMachine machine = machine_of_texts({text});
    EXPECT_THAT(edge_list(machine), HasSubstr("nv gpu0 nvswitch0 x18\nnv gpu1 nvswitch0 x18\nnv gpu2 nvswitch0 x18\n"));
    EXPECT_EQ(machine.parts[machine.all(PartType::gpu)[0]].model, "H100");
    EXPECT_EQ(machine.link_between(LinkType::nv, machine.all(PartType::gpu)[0], machine.all(PartType::nv_switch)[0])
                  ->gbytes_per_s,
              450);
}

/// CPU lists that are the same for all GPUs (a container's) say nothing: the words do.
TEST(TopoMatrix, PartsGpusByWordsWhereAffinitiesDoNot) {
    const std::string text = "GPU0 GPU1 GPU2 GPU3 CPU Affinity\nGPU0 X NV1 NV1 SOC 1-1\nGPU1 NV1 X SOC NV1 1-1\n"
                             "GPU2 NV1 SOC X NV1 1-1\nGPU3 SOC NV1 NV1 X 1-1\n";
    const FoundMachine machine = machine_of_texts({text});
    EXPECT_EQ(machine.all(PartType::package).size(), 2U);
    EXPECT_EQ(machine.package_of(machine.all(PartType::gpu)[1]), machine.all(PartType::package)[0]);
    EXPECT_EQ(machine.package_of(machine.all(PartType::gpu)[3]), machine.all(PartType::package)[1]);
    EXPECT_THAT(machine.notes, Contains(HasSubstr("part no GPUs")));
}

/// nvidia-smi does not show the NVLinks of a POWER CPU to its GPUs.
TEST(TopoMatrix, AddsLinksToPowerCpus) {
    const std::string power8 = "GPU0 GPU1 CPU Affinity\nGPU0 X NV2 0-0,8-8,16-16\nGPU1 NV2 X 0-0,8-8,16-16\n";
    EXPECT_THAT(edges_of({power8}), HasSubstr("nv pkg0 gpu0 x2\nnv pkg0 gpu1 x2\nnv gpu0 gpu1 x2\n"));
    EXPECT_THAT(machine_of_texts({power8}).notes, Contains(HasSubstr("NVLinks of a POWER8")));
    const std::string power9 =
        "GPU0 GPU1 GPU2 GPU3 CPU Affinity NUMA Affinity GPU NUMA ID\nGPU0 X NV3 SYS SYS 0-63 0 255\n"
        "GPU1 NV3 X SYS SYS 0-63 0 254\nGPU2 SYS SYS X NV3 64-127 8 253\nGPU3 SYS SYS NV3 X 64-127 8 252\n";
    EXPECT_THAT(edges_of({power9}), HasSubstr("nv pkg1 gpu2 x3\n"));
    const FoundMachine machine = machine_of_texts({power9});
    const auto gpus = machine.all(PartType::gpu);
    EXPECT_EQ(machine.link_between(LinkType::nv, gpus[0], gpus[1])->gbytes_per_s, 75);
}

TEST(TopoMatrix, TakesTheModelThatIsGiven) {
    const std::string text = "GPU0 GPU1 CPU Affinity\nGPU0 X NV2 0-7\nGPU1 NV2 X 0-7\n";
    const auto speed = [&](const AssumedModels& models) {
        const FoundMachine machine = machine_of_texts({text}, models);
        const auto gpus = machine.all(PartType::gpu);
        return machine.link_between(LinkType::nv, gpus[0], gpus[1])->gbytes_per_s;
    };
    EXPECT_EQ(speed({}), 40);
    EXPECT_EQ(speed({"V100", ""}), 50);
}

/// Without names the GPUs are the oldest that have so many links: 4 of a P100, 6 of a V100, 12 of an A100 may all be
/// used.
TEST(TopoMatrix, TakesTheOldestGpuThatHasItsLinks) {
    struct Row {
        const char* lanes;
        const char* model;
        double gbytes_per_s;
    };
    for (const Row& row : {Row{"NV4", "P100", 4 * 20}, Row{"NV5", "V100", 5 * 25}, Row{"NV6", "V100", 6 * 25},
                           Row{"NV7", "A100", 7 * 25}, Row{"NV12", "A100", 12 * 25}, Row{"NV13", "H100", 13 * 25}}) {
        const std::string lanes = row.lanes;
        const FoundMachine machine =
            machine_of_texts({fmt::format("GPU0 GPU1 CPU Affinity\nGPU0 X {0} 0-7\nGPU1 {0} X 0-7\n", lanes)});
        const auto gpus = machine.all(PartType::gpu);
        EXPECT_EQ(machine.parts[gpus[0]].model, row.model) << lanes;
        EXPECT_EQ(machine.link_between(LinkType::nv, gpus[0], gpus[1])->gbytes_per_s, row.gbytes_per_s) << lanes;
    }
}

TEST(TopoMatrix, ReadsOneGpu) {
    EXPECT_EQ(edges_of({"\tGPU0\tCPU Affinity\nGPU0\t X \t0-11\n"}), "pci pkg0 hb0 0\npci hb0 gpu0 0\n");
}

TEST(NumaTable, MakesPackagesOfNodes) {
    const FoundMachine machine = machine_of_texts({numactl_file()});
    EXPECT_EQ(edge_list(machine), "smp pkg0 pkg1\n");
    EXPECT_EQ(machine.nodes[1].memory_bytes, std::uint64_t{16} << 30);
    EXPECT_EQ(machine.nodes[1].cpus.text(), "8-15");
    EXPECT_EQ(machine.distances.at({1, 0}), 21U);
}

/// A POWER9's: memories of GPUs have no CPUs.
TEST(NumaTable, ReadsNodesWithoutCpus) {
    const std::string text =
        "available: 3 nodes (0,8,255)\nnode 0 cpus: 0 1\nnode 0 size: 100 MB\nnode 8 cpus: 2 3\nnode 8 size: 100 MB\n"
        "node 255 cpus:\nnode 255 size: 100 MB\nnode distances:\nnode   0   8  255\n  0:  10  40  80\n  8:  40  10  "
        "80\n 255:  80  80  10\n";
    EXPECT_EQ(edges_of({text}), "smp pkg0 pkg1\nmem pkg0 numa255\n");
    const std::string topo = "GPU0 CPU Affinity NUMA Affinity GPU NUMA ID\nGPU0 X 2-3 8 255\n";
    EXPECT_EQ(edges_of({text, topo}), "smp pkg0 pkg1\npci pkg1 hb0 0\npci hb0 gpu0 0\n");
}

} // namespace
} // namespace numavp::test
