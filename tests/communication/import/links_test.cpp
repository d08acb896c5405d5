/// Links of GPUs: matrices of hwloc by name, counts in the place of bandwidths, NVLink-C2C; bandwidths of memories.
#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "communication/import/found_paths.h"
#include "communication/import/machine_writer.h"
#include "tests/communication/import/samples.h"

namespace numavp::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

/// GPUs of another maker than NVIDIA: OS devices `prefix`N with gp_index 10 * N + 13, their PCI devices one less.
std::string gpus_of(const std::string& prefix, unsigned count, const std::string& model) {
    std::string objects;
    for (unsigned n = 0; n < count; ++n)
        objects += fmt::format(
            R"(<object type="PCIDev" gp_index="{0}" pci_busid="0000:c{1}:00.0" pci_type="0380 [{2}:7408] [0000:0000] 01" pci_link_speed="31.5">
<object type="OSDev" gp_index="{3}" name="{4}{1}" osdev_type="5"><info name="GPUModel" value="{5}"/></object></object>
)",
            10 * n + 12, n, prefix == "ze" ? "8086" : "1002", 10 * n + 13, prefix, model);
    return objects;
}

std::string matrix_of(const std::string& name, const std::string& indexes, const std::string& values,
                      const std::string& kind = "9") {
    const auto count = static_cast<std::size_t>(std::count(indexes.begin(), indexes.end(), ' ') + 1);
    return fmt::format(R"(<distances2 type="OSDev" indexing="gp" nbobjs="{}" kind="{}" name="{}"><indexes>{}</indexes>
<u64values>{}</u64values></distances2>
)",
                       count, kind, name, indexes, values);
}

std::string amd_file(unsigned gpus, const std::string& matrices) {
    return hwloc_file("2.0", hwloc_package(0, gpus_of("rsmi", gpus, "AMD INSTINCT MI250X"), "AMD EPYC 7A53"), matrices);
}

/// The edges of GPUs alone.
std::string of_gpus(const std::vector<std::string>& texts) {
    std::istringstream lines(edges_of(texts));
    std::string found;
    for (std::string line; std::getline(lines, line);)
        if (line.compare(0, 3, "pci") != 0 && line.compare(0, 3, "smp") != 0 && line.compare(0, 3, "mem") != 0)
            found += line + "\n";
    return found;
}

double speed_of(const FoundMachine& machine, LinkType type, std::size_t a, std::size_t b) {
    const auto gpus = machine.all(PartType::gpu);
    const FoundLink* link = machine.link_between(type, gpus[a], gpus[b]);
    return link ? link->gbytes_per_s : 0;
}

struct MatrixRow {
    const char *what, *prefix;
    unsigned gpus;
    std::string matrices;
    const char* edges;
    double first; ///< GB/s between gpu0 and gpu1
};
class LinkMatrix : public ::testing::TestWithParam<MatrixRow> {};
TEST_P(LinkMatrix, JoinsGpus) {
    const MatrixRow& row = GetParam();
    const std::string text =
        hwloc_file("2.0", hwloc_package(0, gpus_of(row.prefix, row.gpus, "Some GPU"), "X"), row.matrices);
    EXPECT_EQ(of_gpus({text}), row.edges) << row.what;
    const FoundMachine machine = machine_of_texts({text});
    const LinkType type = std::string(row.prefix) == "ze" ? LinkType::xelink : LinkType::xgmi;
    EXPECT_DOUBLE_EQ(speed_of(machine, type, 0, 1), row.first) << row.what;
    EXPECT_THAT(machine.notes, Not(Contains(HasSubstr("is not read"))));
    EXPECT_NO_THROW(make_machine_file(machine, "x"));
}
INSTANTIATE_TEST_SUITE_P(
    Files, LinkMatrix,
    ::testing::Values(
        MatrixRow{"xGMI, two", "rsmi", 2, matrix_of("XGMIBandwidth", "13 23", "1000000 200000 200000 1000000"),
                  "xgmi gpu0 gpu1\n", 200},
        MatrixRow{"xGMI, one pair of three", "rsmi", 3,
                  matrix_of("XGMIBandwidth", "13 23 33", "1000000 50000 0 50000 1000000 0 0 0 1000000"),
                  "xgmi gpu0 gpu1\n", 50},
        MatrixRow{"xGMI, of different bandwidths", "rsmi", 3,
                  matrix_of("XGMIBandwidth", "13 23 33", "0 100000 50000 100000 0 200000 50000 200000 0"),
                  "xgmi gpu0 gpu1\nxgmi gpu0 gpu2\nxgmi gpu1 gpu2\n", 100},
        MatrixRow{"xGMI, in another order", "rsmi", 3,
                  matrix_of("XGMIBandwidth", "33 13 23", "0 50000 0 50000 0 100000 0 100000 0"),
                  "xgmi gpu2 gpu0\nxgmi gpu0 gpu1\n", 100},
        MatrixRow{"xGMI, with hops: the farther pair has no link", "rsmi", 3,
                  matrix_of("XGMIBandwidth", "13 23 33", "0 50000 50000 50000 0 50000 50000 50000 0") +
                      matrix_of("XGMIHops", "13 23 33", "0 1 2 1 0 1 2 1 0", "32"),
                  "xgmi gpu0 gpu1\nxgmi gpu1 gpu2\n", 50},
        MatrixRow{"xGMI, with hops as weights, in another order", "rsmi", 3,
                  matrix_of("XGMIHops", "33 23 13", "0 15 30 15 0 15 30 15 0", "5") +
                      matrix_of("XGMIBandwidth", "13 23 33", "0 50000 50000 50000 0 50000 50000 50000 0"),
                  "xgmi gpu0 gpu1\nxgmi gpu1 gpu2\n", 50},
        MatrixRow{"Xe Link", "ze", 2, matrix_of("XeLinkBandwidth", "13 23", "1000000 26500 26500 1000000"),
                  "xelink gpu0 gpu1\n", 26.5},
        MatrixRow{"no links", "rsmi", 2, matrix_of("XGMIBandwidth", "13 23", "1000000 0 0 1000000"), "", 0}),
    [](const auto& row) { return fmt::format("Row{}", row.index); });

/// Intel's GPUs of two tiles: links of tiles are those of their GPU, and what a GPU has in itself is no link.
TEST(LinkMatrix, AddsLinksOfTiles) {
    std::string gpus = gpus_of("ze", 2, "Intel Data Center GPU Max 1550");
    for (unsigned n = 0; n < 2; ++n) {
        const std::size_t at = gpus.find("</object>", gpus.find(fmt::format("name=\"ze{}\"", n)));
        gpus.insert(
            at,
            fmt::format(
                R"(<object type="OSDev" gp_index="{}" name="ze{}.0" osdev_type="5"/><object type="OSDev" gp_index="{}" name="ze{}.1" osdev_type="5"/>)",
                100 + 10 * n, n, 101 + 10 * n, n));
    }
    const std::string values = "1000000 1000000 1000000 0 0 0 1000000 1000000 1000000 0 20000 0 "
                               "1000000 1000000 1000000 0 0 30000 0 0 0 1000000 1000000 1000000 "
                               "0 20000 0 1000000 1000000 1000000 0 0 30000 1000000 1000000 1000000";
    const FoundMachine machine = machine_of_texts({hwloc_file(
        "2.0", hwloc_package(0, gpus, "X"), matrix_of("XeLinkBandwidth", "13 100 101 23 110 111", values))});
    EXPECT_EQ(std::count_if(machine.links.begin(), machine.links.end(),
                            [](const FoundLink& link) { return link.type == LinkType::xelink; }),
              1);
    EXPECT_DOUBLE_EQ(speed_of(machine, LinkType::xelink, 0, 1), 50);
}

TEST(LinkMatrix, IsUsedByPathsAndWires) {
    const FoundMachine machine =
        machine_of_texts({amd_file(2, matrix_of("XGMIBandwidth", "13 23", "1000000 200000 200000 1000000"))});
    EXPECT_THAT(paths_text(machine), HasSubstr("gpu0 gpu1 200 GB/s gpu0 =xgmi= gpu1\n"));
    const ordered_json system = make_machine_file(machine, "x").system;
    EXPECT_THAT(system["network"]["wires"].dump(), HasSubstr(R"({"from":"gpu[0]","to":"gpu[1]","link":"xgmi"})"));
    EXPECT_EQ(system["gpu"]["sms"], 110) << "a die of an MI250X";
}

TEST(LinkMatrix, SaysWhatDiffersAndWhatIsNotRead) {
    const auto notes = [](const std::string& matrices) { return machine_of_texts({amd_file(2, matrices)}).notes; };
    EXPECT_THAT(
        notes(matrix_of("XGMIBandwidth", "13 23", "0 200000 100000 0")),
        Contains(HasSubstr("xGMI links of gpu0 and gpu1 are 200 GB/s one way and 100 the other: 100 are taken")));
    EXPECT_THAT(notes(matrix_of("CXLBandwidth", "13 23", "0 200000 200000 0")),
                Contains(HasSubstr("the matrix 'CXLBandwidth' of OSDev is not read")));
    EXPECT_THAT(notes(""), Not(Contains(HasSubstr("is not read"))));
    EXPECT_THAT(refusal_of({amd_file(2, matrix_of("XGMIBandwidth", "13 99", "0 200000 200000 0"))}),
                HasSubstr("the matrix XGMIBandwidth names the object '99', which is not there"));
    EXPECT_THAT(refusal_of({amd_file(2, matrix_of("XGMIBandwidth", "13 23", "0 200000 x 0"))}),
                HasSubstr("'x' is no value of a matrix"));
}

// --- Counts ----------------------------------------------------------------------------------------------------------

/// hwloc-annotate's transformation divides by the least, so that two NVLinks of each pair are 1.
struct CountsRow {
    const char *what, *model, *indexes, *values, *edges;
    double first;
};
class LinkCounts : public ::testing::TestWithParam<CountsRow> {};
TEST_P(LinkCounts, AreMultiplesOfLinks) {
    const CountsRow& row = GetParam();
    std::string gpus;
    for (unsigned n = 0; n < 4; ++n) gpus += hwloc_gpu({fmt::format("000{}", n + 1), n, row.model});
    const std::string switches =
        R"(<object type="PCIDev" gp_index="900" subtype="NVSwitch" pci_busid="0000:c4:00.0" pci_type="0680 [10de:1af1] [0000:0000] a1"/>
<object type="PCIDev" gp_index="901" subtype="NVSwitch" pci_busid="0000:c5:00.0" pci_type="0680 [10de:1af1] [0000:0000] a1"/>)";
    const std::string indexes = row.indexes;
    const auto count = std::count(indexes.begin(), indexes.end(), ' ') + 1;
    const std::string text =
        hwloc_file("2.0", hwloc_package(0, gpus + switches, "X"),
                   fmt::format(R"(<distances2hetero nbobjs="{}" kind="25" name="NVLinkBandwidth"><indexes>{}</indexes>
<u64values>{}</u64values></distances2hetero>)",
                               count, indexes, row.values));
    EXPECT_EQ(of_gpus({text}), row.edges) << row.what;
    const FoundMachine machine = machine_of_texts({text});
    const auto first = std::find_if(machine.links.begin(), machine.links.end(),
                                    [](const FoundLink& link) { return link.type == LinkType::nv; });
    ASSERT_NE(first, machine.links.end());
    EXPECT_DOUBLE_EQ(first->gbytes_per_s, row.first) << row.what;
    EXPECT_THAT(machine.notes, Contains(HasSubstr("counts links")));
}
INSTANTIATE_TEST_SUITE_P(
    Matrices, LinkCounts,
    ::testing::Values(
        CountsRow{"POWER8: two each to the CPU and the neighbour", "Tesla P100-SXM2-16GB",
                  "OSDev:105 OSDev:205 Package:1", "0 1 1 1 0 1 1 1 0",
                  "nv gpu0 gpu1 x2\nnv pkg0 gpu0 x2\nnv pkg0 gpu1 x2\n", 40},
        CountsRow{"POWER9: three each", "Tesla V100-SXM2-16GB", "OSDev:105 OSDev:205 Package:1", "0 1 1 1 0 1 1 1 0",
                  "nv gpu0 gpu1 x3\nnv pkg0 gpu0 x3\nnv pkg0 gpu1 x3\n", 75},
        CountsRow{
            "all of a V100, singly and in pairs", "Tesla V100-SXM2-16GB", "OSDev:105 OSDev:205 OSDev:305 OSDev:405",
            "0 2 2 2 2 0 2 2 2 2 0 2 2 2 2 0",
            "nv gpu0 gpu1 x2\nnv gpu0 gpu2 x2\nnv gpu0 gpu3 x2\nnv gpu1 gpu2 x2\nnv gpu1 gpu3 x2\nnv gpu2 gpu3 x2\n",
            50},
        CountsRow{"one and two", "Tesla V100-SXM2-16GB", "OSDev:105 OSDev:205 OSDev:305", "0 2 1 2 0 1 1 1 0",
                  "nv gpu0 gpu1 x4\nnv gpu0 gpu2 x2\nnv gpu1 gpu2 x2\n", 100},
        CountsRow{"switches", "NVIDIA A100-SXM4-40GB", "OSDev:105 OSDev:205 PCIDev:900 PCIDev:901",
                  "0 0 1 1 0 0 1 1 1 1 0 0 1 1 0 0",
                  "nv gpu0 nvswitch0 x6\nnv gpu0 nvswitch1 x6\nnv gpu1 nvswitch0 x6\nnv gpu1 nvswitch1 x6\n", 150},
        CountsRow{"an unknown model", "NVIDIA Some GPU", "OSDev:105 OSDev:205", "0 3 3 0", "nv gpu0 gpu1 x3\n", 60}),
    [](const auto& row) { return fmt::format("Row{}", row.index); });

/// Two NVSwitches with six links of each of two GPUs are one router with twelve; a third that one GPU alone has is
/// apart.
TEST(NvSwitches, ThatJoinTheSameGpusAreOneRouter) {
    const auto part = [](const char* number, const char* bus) {
        return fmt::format(
            R"(<object type="PCIDev" gp_index="{}" subtype="NVSwitch" pci_busid="0000:{}:00.0" pci_type="0680 [10de:1af1] [0000:0000] a1"/>)",
            number, bus);
    };
    const std::string text = hwloc_file("2.0",
                                        hwloc_package(0,
                                                      hwloc_gpu({"0001", 0, "NVIDIA A100-SXM4-40GB"}) +
                                                          hwloc_gpu({"0002", 1, "NVIDIA A100-SXM4-40GB"}) +
                                                          part("900", "c4") + part("901", "c5") + part("902", "c6"),
                                                      "X"),
                                        R"(<distances2hetero nbobjs="5" kind="25" name="NVLinkBandwidth">
<indexes>OSDev:105 OSDev:205 PCIDev:900 PCIDev:901 PCIDev:902</indexes>
<u64values>0 0 150000 125000 25000 0 0 150000 125000 0 150000 150000 0 0 0 125000 125000 0 0 0 25000 0 0 0 0</u64values></distances2hetero>)");
    const FoundMachine machine = machine_of_texts({text});
    EXPECT_THAT(edge_list(machine), HasSubstr("nv gpu0 nvswitch1 x5\n")) << "as it was found";
    const MachineText made = make_machine_file(machine, "x");
    EXPECT_THAT(made.system["parts"].dump(), HasSubstr(R"({"name":"nvswitch","count":2,"kind":"router"})"));
    const std::string wires = made.system["network"]["wires"].dump();
    EXPECT_THAT(wires, HasSubstr(R"({"from":"gpu[0]","to":"nvswitch[0]","link":"nvlink"})"));
    EXPECT_THAT(wires, HasSubstr(R"({"from":"gpu[0]","to":"nvswitch[1]","link":"nvlink_2"})"));
    EXPECT_THAT(wires, Not(HasSubstr(R"("from":"gpu[1]","to":"nvswitch[1]")")));
    EXPECT_THAT(made.system["network"]["links"].dump(), HasSubstr(R"({"name":"nvlink","gbytes_per_s":275.0})"));
    EXPECT_THAT(made.notes, Contains(HasSubstr("NVSwitches that join the same GPUs are taken as one")));
}

TEST(LinkCounts, OfOthersAreRefused) {
    EXPECT_THAT(refusal_of({amd_file(2, matrix_of("XGMIBandwidth", "13 23", "0 1 1 0"))}),
                AllOf(HasSubstr("a: line "), HasSubstr("the matrix XGMIBandwidth has values up to 1, too small")));
    const std::string text = hwloc_file("2.0", hwloc_package(0, hwloc_gpu({"0001", 0}) + hwloc_gpu({"0002", 1}), "X"),
                                        matrix_of("NVLinkBandwidth", "105 205", "0 400 400 0"));
    EXPECT_THAT(refusal_of({text}), HasSubstr("the matrix NVLinkBandwidth has values up to 400, too small"));
}

// --- NVLink-C2C ------------------------------------------------------------------------------------------------------

struct C2cRow {
    const char* model;
    double gbytes_per_s;
};
class NvlinkC2c : public ::testing::TestWithParam<C2cRow> {};
TEST_P(NvlinkC2c, JoinsAGpuToItsCpu) {
    const FoundMachine machine = machine_of_texts(
        {"GPU0 GPU1 CPU Affinity NUMA Affinity\nGPU0 X SYS 0-71 0\nGPU1 SYS X 72-143 1\n"}, {GetParam().model, ""});
    EXPECT_THAT(edge_list(machine), HasSubstr("c2c pkg0 gpu0\nc2c pkg1 gpu1\n"));
    const ordered_json network = make_machine_file(machine, "x").system["network"];
    EXPECT_EQ(network["links"].back()["name"], "nvlink_c2c");
    EXPECT_EQ(network["links"].back()["gbytes_per_s"], GetParam().gbytes_per_s);
    EXPECT_THAT(network.dump(), Not(HasSubstr("pcie"))) << "it stands in the place of PCIe";
    EXPECT_THAT(network["wires"].dump(), HasSubstr(R"({"from":"cpu[1]","to":"gpu[1]","link":"nvlink_c2c"})"));
    EXPECT_EQ(make_machine_file(machine, "x").system["cpu"]["memory"]["bandwidth_gbps"], 512) << "a Grace";
    EXPECT_THAT(machine.notes, Contains(HasSubstr("NVLink-C2C, which no file shows")));
}
INSTANTIATE_TEST_SUITE_P(Models, NvlinkC2c,
                         ::testing::Values(C2cRow{"GH200", 450}, C2cRow{"NVIDIA GH200 480GB", 450},
                                           C2cRow{"NVIDIA GH200 144G HBM3e", 450}, C2cRow{"GB200", 225},
                                           C2cRow{"NVIDIA GB300", 225}));

TEST(NvlinkC2c, IsFoundByTheModelInHwloc) {
    const FoundMachine machine =
        machine_of_texts({hwloc_file("2.0", hwloc_package(0, hwloc_gpu({"0009", 0, "NVIDIA GH200 480GB"}), ""))});
    EXPECT_THAT(edge_list(machine), HasSubstr("c2c pkg0 gpu0\n"));
    EXPECT_THAT(paths_text(machine), HasSubstr("numa0 cuda0 450 GB/s pkg0 =c2c= gpu0\n"));
    EXPECT_EQ(machine.parts[machine.all(PartType::package)[0]].model, "Grace");
    const std::string h100 = hwloc_file("2.0", hwloc_package(0, hwloc_gpu({"0009", 0, "NVIDIA H100 PCIe"}), "X"));
    EXPECT_THAT(edges_of({h100}), Not(HasSubstr("c2c")));
    EXPECT_THAT(make_machine_file(machine_of_texts({h100}), "x").system.dump(), HasSubstr("pcie"));
}

// --- Bandwidths of memories ------------------------------------------------------------------------------------------

std::string memory_attribute(const std::string& name, const std::string& values) {
    return "<memattr name=\"" + name + "\" flags=\"5\">\n" + values + "</memattr>\n";
}
std::string value_of(const std::string& gp, const std::string& value, const std::string& from = "0x1") {
    return "<memattr_value target_obj_type=\"NUMANode\" target_obj_gp_index=\"" + gp + "\" value=\"" + value +
           "\" initiator_cpuset=\"" + from + "\"/>\n";
}

struct BandwidthsRow {
    const char* what;
    std::string attributes;
    double first, second; ///< GB/s of two packages' memories; 0: not told
};
class MemoryAttributes : public ::testing::TestWithParam<BandwidthsRow> {};
TEST_P(MemoryAttributes, AreBandwidthsOfNodes) {
    const BandwidthsRow& row = GetParam();
    const FoundMachine machine =
        machine_of_texts({hwloc_file("2.0", hwloc_package(0, "", "X") + hwloc_package(1, "", "X"), row.attributes)});
    EXPECT_NEAR(machine.nodes[0].memory_gbytes_per_s, row.first, 1e-9) << row.what;
    EXPECT_NEAR(machine.nodes[1].memory_gbytes_per_s, row.second, 1e-9) << row.what;
    const MachineText made = make_machine_file(machine, "x");
    const double first = row.first > 0 ? row.first : 76.8, second = row.second > 0 ? row.second : 76.8;
    EXPECT_NEAR(made.system["cpu"]["memory"]["bandwidth_gbps"].get<double>(), first, 1e-9) << row.what;
    if (first != second) {
        EXPECT_NEAR(made.system["cpu[1]"]["memory"]["bandwidth_gbps"].get<double>(), second, 1e-9) << row.what;
    }
    const bool all = row.first > 0 && row.second > 0;
    const auto assumed = Contains(HasSubstr("the bandwidth of the memory of a NUMA node is not in the files"));
    if (all)
        EXPECT_THAT(made.notes, Not(assumed));
    else
        EXPECT_THAT(made.notes, assumed);
}
INSTANTIATE_TEST_SUITE_P(
    Files, MemoryAttributes,
    ::testing::Values(
        BandwidthsRow{"both", memory_attribute("Bandwidth", value_of("2", "200000") + value_of("12", "400000")),
                      209.7152, 419.4304},
        BandwidthsRow{"one", memory_attribute("Bandwidth", value_of("12", "100000")), 0, 104.8576},
        BandwidthsRow{"the nearest CPUs count",
                      memory_attribute("Bandwidth", value_of("2", "50000", "0xc") + value_of("2", "200000") +
                                                        value_of("12", "200000", "0xc") + value_of("12", "50000")),
                      209.7152, 209.7152},
        BandwidthsRow{"reads and writes",
                      memory_attribute("ReadBandwidth", value_of("2", "200000") + value_of("12", "100000")) +
                          memory_attribute("WriteBandwidth", value_of("2", "100000")),
                      157.2864, 104.8576},
        BandwidthsRow{"writes alone", memory_attribute("WriteBandwidth", value_of("2", "100000")), 104.8576, 0},
        BandwidthsRow{"the attribute of both goes before",
                      memory_attribute("ReadBandwidth", value_of("2", "1000000")) +
                          memory_attribute("Bandwidth", value_of("2", "200000")),
                      209.7152, 0},
        BandwidthsRow{"other attributes and objects",
                      memory_attribute("Latency", value_of("2", "26")) +
                          memory_attribute("Capacity", value_of("2", "1")) +
                          memory_attribute("Bandwidth", value_of("77", "5") + value_of("2", "0")),
                      0, 0}),
    [](const auto& row) { return fmt::format("Row{}", row.index); });

TEST(MemoryAttributes, AreOfFastMemoryToo) {
    const FoundMachine machine = machine_of_texts({hwloc_file(
        "2.0",
        hwloc_package(
            0, R"(<object type="NUMANode" os_index="1" cpuset="0x3" gp_index="77" local_memory="17179869184"/>)", "X"),
        memory_attribute("Bandwidth", value_of("2", "200000") + value_of("77", "400000")))});
    const ordered_json system = make_machine_file(machine, "x").system;
    EXPECT_EQ(system["cpu"]["memory"]["bandwidth_gbps"], 209.7152);
    EXPECT_EQ(system["memory"]["memory"]["bandwidth_gbps"], 419.4304);
}

TEST(MemoryAttributes, AreNumbers) {
    for (const char* bad : {"fast", "", "-1", "1e300", "99999999999999999999", "12 "}) {
        const std::string text =
            hwloc_file("2.0", hwloc_package(0, "", "X"), memory_attribute("Bandwidth", value_of("2", bad)));
        EXPECT_THAT(refusal_of({text}), HasSubstr(fmt::format("'{}' is no value of a memory attribute; MiB/s", bad)));
    }
}

} // namespace
} // namespace numavp::test
