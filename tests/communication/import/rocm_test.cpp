/// Tables of rocm-smi --showtopo: ways between AMD's GPUs, their NUMA nodes, and bandwidths of xGMI.
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "communication/import/machine_writer.h"
#include "communication/import/rocm_table.h"
#include "tests/communication/import/samples.h"

namespace numavp::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

using Words = std::vector<std::vector<std::string>>;

std::string rocm_table(const std::string& title, const Words& rows) {
    std::string text = fmt::format("{:=^80}\n      ", " " + title + " ");
    for (std::size_t g = 0; g < rows.size(); ++g) text += fmt::format(" {:12}", fmt::format("GPU{}", g));
    text += "\n";
    for (std::size_t g = 0; g < rows.size(); ++g) {
        text += fmt::format("{:7}", fmt::format("GPU{}", g));
        for (const std::string& word : rows[g]) text += fmt::format("{:12} ", word);
        text += "\n";
    }
    return text + "\n";
}

std::string rocm_nodes(const std::vector<int>& nodes) {
    std::string text = "================================== Numa Nodes ==================================\n";
    for (std::size_t g = 0; g < nodes.size(); ++g)
        text += fmt::format("GPU[{0}]\t\t: (Topology) Numa Node: {1}\nGPU[{0}]\t\t: (Topology) Numa Affinity: {1}\n", g,
                            nodes[g]);
    return text;
}

std::string rocm_file(const Words& weights, const Words& types, const std::vector<int>& nodes,
                      const std::string& more = "") {
    Words hops = types;
    for (auto& row : hops)
        for (auto& word : row) word = word == "0" ? "0" : word == "XGMI" ? "1" : "3";
    return "\n======================= ROCm System Management Interface =======================\n" +
           rocm_table("Weight between two GPUs", weights) + rocm_table("Hops between two GPUs", hops) +
           rocm_table("Link Type between two GPUs", types) + rocm_nodes(nodes) + more +
           "============================= End of ROCm SMI Log ==============================\n";
}

Words all_types(std::size_t gpus, const std::string& type) {
    Words rows(gpus, std::vector<std::string>(gpus, type));
    for (std::size_t g = 0; g < gpus; ++g) rows[g][g] = "0";
    return rows;
}

/// Four GPUs behind PCIe alone, on four NUMA nodes of one package.
std::string pcie_file() { return rocm_file(all_types(4, "52"), all_types(4, "PCIE"), {0, 1, 3, 2}); }
/// Two hives of two on two packages.
std::string hives_file() {
    const Words weights{
        {"0", "15", "72", "72"}, {"15", "0", "72", "72"}, {"72", "72", "0", "15"}, {"72", "72", "15", "0"}};
    Words types = weights;
    for (auto& row : types)
        for (auto& word : row) word = word == "15" ? "XGMI" : word == "72" ? "PCIE" : "0";
    return rocm_file(weights, types, {0, 0, 1, 1});
}
/// A square of dies: those on the diagonal are two hops apart.
Words square_weights() {
    return {{"0", "15", "30", "15"}, {"15", "0", "15", "30"}, {"30", "15", "0", "15"}, {"15", "30", "15", "0"}};
}
std::string square_file(const std::string& more = "") {
    return rocm_file(square_weights(), all_types(4, "XGMI"), {0, 0, 0, 0}, more);
}
std::string bandwidths() {
    return rocm_table("Bandwidth", {{"N/A", "50000-200000", "0-0", "50000-50000"},
                                    {"50000-200000", "N/A", "50000-100000", "0-0"},
                                    {"0-0", "50000-100000", "N/A", "50000-200000"},
                                    {"50000-50000", "0-0", "50000-200000", "N/A"}}) +
           "Format: min-max; Units: mps\n\"0-0\" min-max bandwidth indicates devices are not connected directly\n";
}

std::string of_kind(const FoundMachine& machine, const std::string& kind) {
    std::istringstream lines(edge_list(machine));
    std::string found;
    for (std::string line; std::getline(lines, line);)
        if (line.substr(0, line.find(' ')) == kind) found += line + "\n";
    return found;
}

TEST(RocmTables, TellNodesOfOnePackage) {
    const FoundMachine machine = machine_of_texts({pcie_file()}, {"MI210", ""});
    EXPECT_EQ(of_kind(machine, "mem"), "mem pkg0 numa0\nmem pkg0 numa1\nmem pkg0 numa2\nmem pkg0 numa3\n");
    EXPECT_EQ(machine.distances.at({0, 3}), 12U);
    EXPECT_THAT(edge_list(machine), AllOf(HasSubstr("pci numa3 hb2 0\npci hb2 gpu2 0\n"), Not(HasSubstr("xgmi"))));
    EXPECT_THAT(machine.notes, Contains(HasSubstr("NUMA nodes at distances up to 12 count as parts of one")));
    EXPECT_NO_THROW(make_machine_file(machine, "x"));
}

TEST(RocmTables, TellHives) {
    const FoundMachine machine = machine_of_texts({hives_file()}, {"MI100", ""});
    EXPECT_EQ(edge_list(machine),
              "smp pkg0 pkg1\npci pkg0 hb0 0\npci hb0 gpu0 0\npci pkg0 hb1 0\npci hb1 gpu1 0\npci pkg1 hb2 0\n"
              "pci hb2 gpu2 0\npci pkg1 hb3 0\npci hb3 gpu3 0\nxgmi gpu0 gpu1\nxgmi gpu2 gpu3\n");
    EXPECT_EQ(machine.distances.at({1, 0}), 32U);
    EXPECT_EQ(machine.link_between(LinkType::xgmi, machine.all(PartType::gpu)[0], machine.all(PartType::gpu)[1])
                  ->gbytes_per_s,
              46);
    EXPECT_NO_THROW(make_machine_file(machine, "x"));
}

TEST(RocmTables, TellDirectLinksByWeights) {
    EXPECT_EQ(of_kind(machine_of_texts({square_file()}), "xgmi"),
              "xgmi gpu0 gpu1\nxgmi gpu0 gpu3\nxgmi gpu1 gpu2\nxgmi gpu2 gpu3\n");
    EXPECT_THAT(machine_of_texts({square_file()}).notes,
                Contains(HasSubstr("one link of 50 GB/s a direction, an MI210's,")));
    EXPECT_THAT(machine_of_texts({square_file()}, {"MI300X", ""}).notes,
                Contains(HasSubstr("one link of 64 GB/s a direction, a MI300X's,")));
}

TEST(RocmTables, TellBandwidths) {
    const FoundMachine machine = machine_of_texts({square_file(bandwidths())}, {"MI250X", ""});
    const std::vector<std::size_t> gpus = machine.all(PartType::gpu);
    EXPECT_EQ(machine.link_between(LinkType::xgmi, gpus[0], gpus[1])->gbytes_per_s, 200);
    EXPECT_EQ(machine.link_between(LinkType::xgmi, gpus[1], gpus[2])->gbytes_per_s, 100);
    EXPECT_EQ(machine.link_between(LinkType::xgmi, gpus[0], gpus[3])->gbytes_per_s, 50);
    EXPECT_EQ(machine.link_between(LinkType::xgmi, gpus[0], gpus[2]), nullptr);
    EXPECT_THAT(machine.notes, Not(Contains(HasSubstr("what xGMI carries"))));
}

/// Types alone, and what a driver could not read.
TEST(RocmTables, MayLackMuch) {
    const std::string types =
        rocm_table("Link Type between two GPUs", {{"0", "XGMI", "XXXX"}, {"XGMI", "0", "XXXX"}, {"XXXX", "XXXX", "0"}});
    EXPECT_EQ(edge_list(machine_of_texts({types})),
              "pci pkg0 hb0 0\npci hb0 gpu0 0\npci pkg0 hb1 0\npci hb1 gpu1 0\npci pkg0 hb2 0\npci hb2 gpu2 0\n"
              "xgmi gpu0 gpu1\n");
    const std::string unknown = rocm_file({{"0", "N/A"}, {"N/A", "0"}}, all_types(2, "XXXX"), {-1, -1},
                                          "ERROR: GPU[0]\t: Cannot read Numa Node\n");
    EXPECT_THAT(edge_list(machine_of_texts({unknown})), Not(HasSubstr("xgmi")));
    EXPECT_EQ(refusal_of({"\x1b[1m" + hives_file()}), "");
    const std::string numbers = "=== Link Type between two GPUs ===\n      GPU1 GPU3\nGPU1 0 XGMI\nGPU3 XGMI 0\n";
    EXPECT_THAT(edge_list(machine_of_texts({numbers})), HasSubstr("xgmi gpu0 gpu1\n"));
    EXPECT_THAT(
        machine_of_texts({rocm_table("Link Type between two GPUs", all_types(2, "XGMI")), numactl_file()}).notes,
        Contains(HasSubstr("does not say at which package GPU1 is: pkg0 is taken")));
}

std::string rocm_hwloc(unsigned second_package, const std::string& matrices) {
    std::string gpus[2];
    for (unsigned n = 0; n < 2; ++n)
        gpus[n] = fmt::format(
            R"(<object type="PCIDev" gp_index="{0}" pci_busid="0000:c{1}:00.0" pci_type="0380 [1002:7408] [0000:0000] 01">
<object type="OSDev" gp_index="{2}" name="rsmi{1}" osdev_type="5"/></object>)",
            10 * n + 512, n, 10 * n + 513);
    return hwloc_file("2.0",
                      hwloc_package(0, gpus[0] + (second_package == 0 ? gpus[1] : "")) +
                          hwloc_package(1, second_package == 1 ? gpus[1] : ""),
                      matrices);
}

TEST(RocmTables, CompleteOthersOrContradictThem) {
    const std::string two = rocm_file({{"0", "15"}, {"15", "0"}}, all_types(2, "XGMI"), {0, 0});
    EXPECT_THAT(edges_of({rocm_hwloc(0, ""), two}), HasSubstr("xgmi gpu0 gpu1\n"));
    EXPECT_EQ(edges_of({two, rocm_hwloc(0, "")}), edges_of({rocm_hwloc(0, ""), two})) << "whatever their order";
    EXPECT_THAT(refusal_of({rocm_hwloc(1, ""), two}),
                HasSubstr("GPU1 is at pkg0 here, which, with pkg1 there, contradicts a"));
    EXPECT_THAT(refusal_of({rocm_hwloc(0, ""), hives_file()}), HasSubstr("its 4 GPUs contradict a, which has 2"));
    const std::string matrix =
        R"(<distances2 type="OSDev" indexing="gp" nbobjs="2" kind="9" name="XGMIBandwidth"><indexes>513 523</indexes>
<u64values>0 {0} {0} 0</u64values></distances2>)";
    EXPECT_EQ(edges_of({rocm_hwloc(0, fmt::format(matrix, 50000)), two}),
              edges_of({rocm_hwloc(0, fmt::format(matrix, 50000))}));
    EXPECT_THAT(refusal_of({rocm_hwloc(0, fmt::format(matrix, 0)), two}),
                AllOf(StartsWith("b: line"), HasSubstr("that xGMI joins GPU0 and GPU1 contradicts a")));
    EXPECT_THAT(edges_of({numactl_file(), two}), HasSubstr("pci pkg0 hb1 0\npci hb1 gpu1 0\nxgmi gpu0 gpu1\n"));
}

struct BrokenRocm {
    const char *from, *to; ///< of square_file() with bandwidths
    const char* sentence;
};
class BrokenRocmTable : public ::testing::TestWithParam<BrokenRocm> {};
TEST_P(BrokenRocmTable, IsRefusedWithItsPlace) {
    const BrokenRocm& row = GetParam();
    std::string text = square_file(bandwidths());
    const std::size_t at = text.find(row.from);
    ASSERT_NE(at, std::string::npos) << row.from;
    text.replace(at, std::string(row.from).size(), row.to);
    EXPECT_THAT(refusal_of({text}), AllOf(StartsWith("a"), HasSubstr(row.sentence)));
}
INSTANTIATE_TEST_SUITE_P(
    Table, BrokenRocmTable,
    ::testing::Values(
        BrokenRocm{"30 ", "far", "a: line 5: 'far' is no number; a whole number up to 100000 is expected"},
        BrokenRocm{"30 ", "-30", "a: line 5: '-30' is no number"},
        BrokenRocm{"30 ", "", "a: line 5: the row of GPU0 has 3 entries; 4 are expected, one for each column"},
        BrokenRocm{"30 ", "30 1", "a: line 5: the row of GPU0 has 5 entries"},
        BrokenRocm{"GPU1   15", "GPU0   15", "a: line 6: the row of GPU0 is there twice; rows must differ"},
        BrokenRocm{"GPU1   15", "GPU7   15",
                   "a: line 6: the row GPU7 has no column; a row for each column is expected"},
        BrokenRocm{"GPU3   15", "gone   15",
                   "a: line 3: the table 'Weight between two GPUs' has 3 rows; 4 are expected"},
        BrokenRocm{"GPU2         GPU3", "GPU2         GPU2", "a: line 4: the column GPU2 is there twice"},
        BrokenRocm{"GPU2         GPU3", "GPU2         CPU0", "a: line 4: 'CPU0' is no GPU"},
        BrokenRocm{
            "Link Type between two GPUs", "Link accessibility between two GPUs",
            "a: the table 'Link Type between two GPUs' is missing; the whole of what rocm-smi --showtopo prints"},
        BrokenRocm{"XGMI ", "YGMI ", "'YGMI' is no kind of link; XGMI, PCIE and XXXX are allowed"},
        BrokenRocm{"XGMI ", "PCIE ", "the kinds of link from GPU1 to GPU0 and back differ"},
        BrokenRocm{"Numa Node: 0", "Numa Node: here", "'here' is no number of a NUMA node"},
        BrokenRocm{"GPU[3]", "GPU[9]", "GPU 9 is in none of the tables before"},
        BrokenRocm{"GPU[3]", "GPU[x]", "'x' is no number of a GPU"},
        BrokenRocm{"50000-200000", "50000", "'50000' are no bandwidths; the least and the most in MB/s"}),
    [](const auto& row) { return fmt::format("Row{}", row.index); });

TEST(BrokenRocmTable, OfOtherGpusIsRefused) {
    const std::string three = rocm_table("Weight between two GPUs", all_types(3, "15"));
    EXPECT_THAT(refusal_of({three + rocm_table("Link Type between two GPUs", all_types(2, "XGMI"))}),
                HasSubstr("a: line 8: the GPUs are not those of the table before"));
    EXPECT_THAT(refusal_of({rocm_nodes({0})}), HasSubstr("GPU 0 is in none of the tables before"));
}

} // namespace
} // namespace numavp::test
