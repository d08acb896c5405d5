/// Files of one machine that contradict each other, in both directions of what may differ, and the numbers that a
/// machine file gets of what agrees.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "communication/import/machine_writer.h"
#include "tests/communication/import/samples.h"

namespace numavp::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

auto contradicts(const std::string& what) {
    return AllOf(StartsWith("b: "), HasSubstr(what), HasSubstr("contradicts a; files of one machine are expected"));
}

// --- Links of two GPUs -----------------------------------------------------------------------------------------------

/// Two P100 of one package with `lanes` NVLinks between them, in hwloc's matrix; -1: no matrix.
std::string hwloc_with_lanes(int lanes) {
    const std::string matrix =
        lanes < 0 ? ""
                  : fmt::format(R"(<distances2 type="OSDev" nbobjs="2" kind="9" name="NVLinkBandwidth" indexing="gp">
<indexes>105 205</indexes><u64values>0 {0} {0} 0</u64values></distances2>
)",
                                20'000 * lanes);
    return hwloc_file("2.0", hwloc_package(0, hwloc_gpu({"0000", 0}) + hwloc_gpu({"0003", 1})), matrix);
}
std::string topo_with_word(const std::string& word) {
    return fmt::format("GPU0 GPU1 CPU Affinity\nGPU0 X {0} 0-1\nGPU1 {0} X 0-1\n", word);
}
/// NCCL's file of the same GPUs; 0: without links.
std::string nccl_with_lanes(unsigned lanes) {
    const auto gpu = [lanes](const std::string& mine, unsigned number, const std::string& other) {
        const std::string link =
            lanes == 0
                ? ""
                : fmt::format("<nvlink target=\"{}:01:00.0\" count=\"{}\" tclass=\"0x030200\"/>\n", other, lanes);
        return fmt::format("<pci busid=\"{0}:01:00.0\" class=\"0x030200\" vendor=\"0x10de\" device=\"0x15f9\" "
                           "link_speed=\"8.0 GT/s PCIe\" link_width=\"16\">\n<gpu dev=\"{1}\" sm=\"60\" rank=\"{1}\" "
                           "gdr=\"1\">\n{2}</gpu>\n</pci>\n",
                           mine, number, link);
    };
    return "<system version=\"1\">\n<cpu host_hash=\"0x1\" numaid=\"0\" affinity=\"3\" arch=\"ppc64\">\n" +
           gpu("0000", 0, "0003") + gpu("0003", 1, "0000") + "</cpu>\n</system>\n";
}

TEST(ContradictedLinks, OfTheMatrixDifferInNumberEitherWay) {
    const auto refused = [](int there, const char* here) {
        return refusal_of({hwloc_with_lanes(there), topo_with_word(here)});
    };
    EXPECT_EQ(refused(2, "NV2"), "");
    EXPECT_EQ(refused(0, "PHB"), "");
    EXPECT_EQ(refused(-1, "NV2"), "") << "a file without the matrix says nothing of NVLinks";
    EXPECT_THAT(refused(2, "NV1"), HasSubstr("GPU0 and GPU1 have 1 NVLinks here, which, with 2 there,"));
    EXPECT_THAT(refused(1, "NV2"), HasSubstr("GPU0 and GPU1 have 2 NVLinks here, which, with 1 there,"));
    EXPECT_THAT(refused(2, "PHB"), HasSubstr("GPU0 and GPU1 have 0 NVLinks here, which, with 2 there,"));
    EXPECT_THAT(refused(0, "NV2"), HasSubstr("GPU0 and GPU1 have 2 NVLinks here, which, with 0 there,"));
}

TEST(ContradictedLinks, OfNcclDifferInNumberEitherWay) {
    const auto refused = [](int there, unsigned here) {
        return refusal_of({hwloc_with_lanes(there), nccl_with_lanes(here)});
    };
    EXPECT_EQ(refused(2, 2), "");
    EXPECT_EQ(refused(0, 0), "");
    EXPECT_EQ(refused(-1, 2), "");
    EXPECT_THAT(refused(2, 1), HasSubstr("gpu0 and gpu1 have 1 NVLinks here, which, with 2 there, contradicts a"));
    EXPECT_THAT(refused(1, 2), HasSubstr("gpu0 and gpu1 have 2 NVLinks here, which, with 1 there, contradicts a"));
    EXPECT_THAT(refused(0, 2), HasSubstr("gpu0 and gpu1 have 2 NVLinks here, which, with 0 there, contradicts a"));
    EXPECT_THAT(refused(2, 0), HasSubstr("gpu0 and gpu1 have 0 NVLinks here, which, with 2 there, contradicts a"));
}

/// Two A100 at an NVSwitch. The matrix has as many links for each pair as a GPU has to switches.
std::string hwloc_with_switch() {
    return hwloc_file(
        "2.0",
        hwloc_package(
            0,
            hwloc_gpu({"0000", 0, "NVIDIA A100-SXM4-40GB"}) + hwloc_gpu({"0003", 1, "NVIDIA A100-SXM4-40GB"}) +
                R"(<object type="PCIDev" gp_index="900" subtype="NVSwitch" pci_busid="0000:c4:00.0" pci_type="0680 [10de:1af1] [0000:0000] a1"/>)"),
        R"(<distances2hetero nbobjs="3" kind="25" name="NVLinkBandwidth"><indexes>OSDev:105 OSDev:205 PCIDev:900</indexes>
<u64values>0 0 300000 0 0 300000 300000 300000 0</u64values></distances2hetero>
)");
}
std::string nccl_at_switch(unsigned lanes) {
    std::string text = nccl_with_lanes(1);
    for (const char* target :
         {"0000:01:00.0\" count=\"1\" tclass=\"0x030200", "0003:01:00.0\" count=\"1\" tclass=\"0x030200"}) {
        const std::string link = fmt::format("target=\"{}\"", target);
        text.replace(text.find(link), link.size(),
                     fmt::format("target=\"0000:c4:00.0\" count=\"{}\" tclass=\"0x068000\"", lanes));
    }
    return text;
}

TEST(ContradictedLinks, OfSwitchesAreSomeOrNone) {
    EXPECT_EQ(refusal_of({hwloc_with_switch(), topo_with_word("NV12")}), "");
    EXPECT_THAT(refusal_of({hwloc_with_switch(), topo_with_word("PHB")}),
                HasSubstr("GPU0 and GPU1 have 0 NVLinks here, which, with an NVSwitch there, contradicts a"));
    EXPECT_EQ(refusal_of({hwloc_with_switch(), nccl_at_switch(12)}), "");
    EXPECT_THAT(refusal_of({hwloc_with_switch(), nccl_at_switch(6)}),
                HasSubstr("gpu0 has 6 NVLinks to NVSwitches here, which, with 12 there, contradicts a"));
    EXPECT_THAT(refusal_of({hwloc_with_switch(), nccl_with_lanes(0)}),
                HasSubstr("gpu0 has 0 NVLinks to NVSwitches here, which, with 12 there, contradicts a"));
    EXPECT_THAT(refusal_of({hwloc_with_lanes(0), nccl_at_switch(6)}),
                HasSubstr("gpu0 has 6 NVLinks to NVSwitches here, which, with 0 there, contradicts a"));
}

/// rocm-smi's kinds of links against hwloc's matrix of xGMI.
TEST(ContradictedLinks, OfXgmiAreThereInBothOrInNone) {
    const auto hwloc = [](const char* values) {
        std::string gpus;
        for (unsigned n = 0; n < 2; ++n)
            gpus += fmt::format(
                R"(<object type="PCIDev" gp_index="{0}" pci_busid="0000:c{1}:00.0" pci_type="0380 [1002:7408] [0000:0000] 01">
<object type="OSDev" gp_index="{2}" name="rsmi{1}" osdev_type="5"/></object>)",
                10 * n + 512, n, 10 * n + 513);
        return hwloc_file(
            "2.0", hwloc_package(0, gpus),
            fmt::format(R"(<distances2 type="OSDev" indexing="gp" nbobjs="2" kind="9" name="XGMIBandwidth">
<indexes>513 523</indexes><u64values>{}</u64values></distances2>)",
                        values));
    };
    const auto table = [](const std::string& kind) {
        return fmt::format("=== Link Type between two GPUs ===\n      GPU0 GPU1\nGPU0 0 {0}\nGPU1 {0} 0\n", kind);
    };
    EXPECT_EQ(refusal_of({hwloc("0 50000 50000 0"), table("XGMI")}), "");
    EXPECT_EQ(refusal_of({hwloc("0 0 0 0"), table("PCIE")}), "");
    EXPECT_THAT(refusal_of({hwloc("0 0 0 0"), table("XGMI")}),
                HasSubstr("that xGMI joins GPU0 and GPU1 contradicts a"));
    EXPECT_THAT(refusal_of({hwloc("0 50000 50000 0"), table("PCIE")}),
                HasSubstr("that xGMI does not join GPU0 and GPU1 contradicts a"));
}

/// Behind one PCIe switch no way leads through two packages.
TEST(ContradictedLinks, OfOneSwitchAreNotAcrossPackages) {
    const auto device = [](unsigned number) {
        return fmt::format(
            R"(<object type="PCIDev" gp_index="{0}3" pci_busid="0000:0{0}:00.0" pci_type="0302 [10de:15f9] [0000:0000] a1">
<object type="OSDev" gp_index="{0}5" name="nvml{1}" osdev_type="1"/></object>)",
            number, number - 2);
    };
    const std::string text = hwloc_file(
        "2.0", hwloc_package(0, R"(<object type="Bridge" gp_index="800" bridge_type="0-1" bridge_pci="0000:[00-04]">
<object type="Bridge" gp_index="801" bridge_type="1-1" bridge_pci="0000:[01-04]" pci_busid="0000:00:00.0">)" +
                                    device(2) + device(3) + "</object></object>"));
    EXPECT_EQ(refusal_of({text, topo_with_word("PIX")}), "");
    EXPECT_THAT(refusal_of({text, topo_with_word("SYS")}),
                HasSubstr("GPU0 and GPU1 are SYS here, which, with one PCIe bridge of both there, contradicts a"));
}

// --- NUMA nodes ------------------------------------------------------------------------------------------------------

std::string hwloc_of_nodes(const std::string& distances) {
    return hwloc_file("2.0", hwloc_package(0, "", "X") + hwloc_package(1, "", "X"),
                      distances.empty()
                          ? ""
                          : R"(<distances2 type="NUMANode" nbobjs="2" kind="5" name="NUMALatency" indexing="os">
<indexes>0 1</indexes><u64values>)" +
                                distances + "</u64values></distances2>");
}
std::string table_of_nodes(const std::string& first, const std::string& second) {
    return numactl_text({{0, "0 1", 16'384}, {1, "2 3", 16'384}}, "0: " + first + "\n1: " + second + "\n");
}

TEST(ContradictedNodes, DistancesAreComparedThereAndBack) {
    const std::string hwloc = hwloc_of_nodes("10 40 30 10");
    EXPECT_EQ(refusal_of({hwloc, table_of_nodes("10 40", "30 10")}), "");
    EXPECT_THAT(refusal_of({hwloc, table_of_nodes("10 30", "30 10")}),
                contradicts("a distance of 30 from node 0 to 1, with 40 there,"));
    EXPECT_THAT(refusal_of({hwloc, table_of_nodes("10 40", "40 10")}),
                contradicts("a distance of 40 from node 1 to 0, with 30 there,"));
    EXPECT_THAT(refusal_of({hwloc, table_of_nodes("11 40", "30 10")}),
                contradicts("a distance of 11 from node 0 to 0, with 10 there,"));
}

/// What one file lacks the other gives: distances, and sizes of memories.
TEST(ContradictedNodes, WhatIsNotKnownIsCompleted) {
    const FoundMachine machine = machine_of_texts({hwloc_of_nodes(""), table_of_nodes("10 40", "30 10")});
    EXPECT_EQ(machine.distances.at({0, 1}), 40U);
    EXPECT_EQ(machine.distances.at({1, 0}), 30U);
    const FoundMachine half = machine_of_texts({hwloc_of_nodes("10 0 30 10"), table_of_nodes("10 40", "30 10")});
    EXPECT_EQ(half.distances.at({0, 1}), 40U) << "a 0 is none";
    std::string unsized = hwloc_of_nodes("");
    const std::string size = " local_memory=\"17179869184\"";
    unsized.erase(unsized.rfind(size), size.size());
    const FoundMachine sized = machine_of_texts({unsized, table_of_nodes("10 40", "30 10")});
    EXPECT_EQ(sized.nodes[1].memory_bytes, std::uint64_t{16} << 30);
    EXPECT_TRUE(sized.nodes[1].knows_memory);
}

// --- Numbers of the machine file -------------------------------------------------------------------------------------

nlohmann::ordered_json link_named(const ordered_json& network, const std::string& name) {
    for (const auto& link : network["links"])
        if (link["name"] == name) return link;
    return nullptr;
}

/// The narrowest part of a way between two routers is its bandwidth: the root port of one GPU, the uplink of two.
TEST(WrittenWires, HaveTheBandwidthOfTheNarrowestPart) {
    const ordered_json one =
        make_machine_file(machine_of_texts({hwloc_file("2.0", hwloc_package(0, hwloc_gpu({})))}), "x")
            .system["network"];
    EXPECT_EQ(one["wires"].size(), 1U);
    EXPECT_DOUBLE_EQ(link_named(one, "pcie")["gbytes_per_s"].get<double>(), 7.876923);
    const auto device = [](unsigned number, const char* speed) {
        return fmt::format(
            R"(<object type="PCIDev" gp_index="{0}3" pci_busid="0000:0{0}:00.0" pci_type="0302 [10de:15f9] [0000:0000] a1" pci_link_speed="{2}">
<object type="OSDev" gp_index="{0}5" name="nvml{1}" osdev_type="1"/></object>)",
            number, number - 2, speed);
    };
    const std::string text = hwloc_file(
        "2.0", hwloc_package(0, R"(<object type="Bridge" gp_index="800" bridge_type="0-1" bridge_pci="0000:[00-04]">
<object type="Bridge" gp_index="801" bridge_type="1-1" bridge_pci="0000:[01-04]" pci_busid="0000:00:00.0" pci_link_speed="6.5">)" +
                                    device(2, "15.5") + device(3, "8.25") + "</object></object>"));
    const ordered_json two = make_machine_file(machine_of_texts({text}), "x").system["network"];
    EXPECT_EQ(two["wires"].dump(), R"([{"from":"cpu[0]","to":"pcie[0]","link":"pcie"},)"
                                   R"({"from":"pcie[0]","to":"gpu[0]","link":"pcie_2"},)"
                                   R"({"from":"pcie[0]","to":"gpu[1]","link":"pcie_3"}])");
    EXPECT_EQ(link_named(two, "pcie")["gbytes_per_s"], 6.5) << "the switch's own way up";
    EXPECT_EQ(link_named(two, "pcie_2")["gbytes_per_s"], 15.5);
    EXPECT_EQ(link_named(two, "pcie_3")["gbytes_per_s"], 8.25);
}

/// All memories of a system have one size: that of most, to the nearest GiB.
TEST(WrittenMachine, MemoriesHaveTheSizeOfMost) {
    const auto gib = [](std::vector<unsigned> mebibytes) {
        std::vector<SampleNode> nodes;
        for (unsigned n = 0; n < mebibytes.size(); ++n) nodes.push_back({n, std::to_string(n), mebibytes[n]});
        const ordered_json system = make_machine_file(machine_of_texts({numactl_text(nodes)}), "x").system;
        return system["cpu"]["memory"]["capacity_gib"].get<unsigned>();
    };
    EXPECT_EQ(gib({16'384, 32'768, 32'768}), 32U);
    EXPECT_EQ(gib({16'384, 16'384, 32'768}), 16U);
    EXPECT_EQ(gib({15'900, 15'900}), 16U) << "what firmware keeps for itself";
    EXPECT_EQ(gib({15'871, 15'871}), 15U) << "below the half";
    EXPECT_EQ(gib({15'872, 15'872}), 16U);
    EXPECT_EQ(gib({100, 100}), 1U);
    EXPECT_EQ(gib({2'000'000, 2'000'000}), 1024U) << "the most that a system has";
}

/// A model that differs from the first GPU's is a section of its own.
TEST(WrittenMachine, GpusThatDifferHaveTheirOwnSections) {
    const ordered_json system =
        make_machine_file(
            machine_of_texts({hwloc_file("2.0", hwloc_package(0, hwloc_gpu({"0000", 0, "Tesla P100-SXM2-16GB"}) +
                                                                     hwloc_gpu({"0003", 1, "Tesla V100-SXM2-16GB"})))}),
            "x")
            .system;
    EXPECT_EQ(system["gpu"]["memory"]["bandwidth_gbps"], 732.0);
    EXPECT_EQ(system["gpu[1]"]["memory"]["bandwidth_gbps"], 900.0);
    EXPECT_FALSE(system.contains("gpu[0]"));
}

} // namespace
} // namespace numavp::test
