/// NUMA nodes: those without memory or CPUs, the packages that they are parts of, distances that could not be read.
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "communication/import/machine_writer.h"
#include "communication/import/numa_groups.h"
#include "tests/communication/import/samples.h"

namespace numavp::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;

std::string parts_of(const FoundMachine& machine) { return make_machine_file(machine, "x").system["parts"].dump(); }

std::string topo_of_one(const std::string& own_node) {
    return "GPU0 CPU Affinity NUMA Affinity GPU NUMA ID\nGPU0 X 0-1 0 " + own_node + "\n";
}

// --- Nodes without memory --------------------------------------------------------------------------------------------

/// A GH200's: node 1 is the GPU's memory, the others are kept for partitions of the GPU.
TEST(NodesWithoutMemory, AndWithoutCpusAreNoParts) {
    std::vector<SampleNode> nodes{{0, "0 1", 480'000}, {1, "", 97'280}};
    for (unsigned id = 2; id < 9; ++id) nodes.push_back({id, "", 0});
    const FoundMachine machine = machine_of_texts({numactl_text(nodes), topo_of_one("1")}, {"GH200", ""});
    EXPECT_EQ(machine.all(PartType::memory).size(), 0U);
    EXPECT_EQ(machine.nodes.size(), 2U);
    EXPECT_EQ(parts_of(machine), R"([{"name":"gpu","count":1,"kind":"gpu"},{"name":"cpu","count":1,"kind":"cpu"}])");
    EXPECT_THAT(machine.notes, Contains(HasSubstr("NUMA nodes 2-8 of a have neither memory nor CPUs")));
}

/// A GB200's tray, as its four GPUs have their memories at nodes 2, 10, 18 and 26.
TEST(NodesWithoutMemory, LeaveTheMemoriesOfFourGpus) {
    std::vector<SampleNode> nodes{{0, "0 1", 480'000}, {1, "2 3", 480'000}};
    for (unsigned id = 2; id < 34; ++id) nodes.push_back({id, "", id % 8 == 2 ? 188'416U : 0U});
    const std::string topo = "GPU0 GPU1 GPU2 GPU3 CPU Affinity NUMA Affinity GPU NUMA ID\n"
                             "GPU0 X NV18 NV18 NV18 0-1 0,2-17 2\nGPU1 NV18 X NV18 NV18 0-1 0,2-17 10\n"
                             "GPU2 NV18 NV18 X NV18 2-3 1,18-33 18\nGPU3 NV18 NV18 NV18 X 2-3 1,18-33 26\n";
    const FoundMachine machine = machine_of_texts({numactl_text(nodes), topo}, {"GB200", ""});
    EXPECT_EQ(machine.all(PartType::memory).size(), 0U);
    const auto gpus = machine.all(PartType::gpu);
    ASSERT_EQ(gpus.size(), 4U);
    for (const std::size_t gpu : gpus) EXPECT_EQ(machine.parts[gpu].memory_bytes, std::uint64_t{188'416} << 20);
    EXPECT_EQ(machine.parts[machine.nodes[4].part].name, "gpu2") << "node 18";
    EXPECT_THAT(parts_of(machine), HasSubstr(R"({"name":"cpu","count":2,"kind":"cpu"})"));
}

struct EmptyNodesRow {
    const char* what;
    std::vector<SampleNode> nodes;
    std::size_t memories, left;
};
class EmptyNodes : public ::testing::TestWithParam<EmptyNodesRow> {};
TEST_P(EmptyNodes, OfATableMakeNoMemory) {
    const FoundMachine machine = machine_of_texts({numactl_text(GetParam().nodes)});
    EXPECT_EQ(machine.all(PartType::memory).size(), GetParam().memories);
    EXPECT_EQ(machine.nodes.size(), GetParam().left);
}
INSTANTIATE_TEST_SUITE_P(
    Tables, EmptyNodes,
    ::testing::Values(EmptyNodesRow{"one at the end", {{0, "0", 100}, {1, "", 0}}, 0, 1},
                      EmptyNodesRow{"one before", {{0, "", 0}, {1, "0", 100}}, 0, 1},
                      EmptyNodesRow{"one between", {{0, "0", 100}, {1, "", 0}, {2, "1", 100}}, 0, 2},
                      EmptyNodesRow{"with fast memory beside", {{0, "0", 100}, {1, "", 0}, {2, "", 50}}, 1, 2},
                      EmptyNodesRow{"a POWER9's without its driver",
                                    {{0, "0", 100}, {8, "1", 100}, {254, "", 0}, {255, "", 0}},
                                    0,
                                    2},
                      EmptyNodesRow{"none", {{0, "0", 100}, {1, "1", 100}}, 0, 2}),
    [](const auto& row) { return fmt::format("Row{}", row.index); });

/// hwloc leaves the attribute out for a node of 0 bytes, and gives a node without CPUs those of the nearest.
TEST(NodesWithoutMemory, OfHwlocAreNoParts) {
    const auto file = [](const char* node) {
        return hwloc_file("2.0", hwloc_package(0, node + hwloc_gpu({"0009", 0, "NVIDIA GH200 480GB"}), "X"));
    };
    for (const char* node : {R"(<object type="NUMANode" os_index="3" cpuset="0x3"/>)",
                             R"(<object type="NUMANode" os_index="3" cpuset="0x0"/>)",
                             R"(<object type="NUMANode" os_index="3" cpuset="0x3" local_memory="0"/>)",
                             R"(<object type="NUMANode" os_index="3" cpuset="0x1" local_memory="0"/>)",
                             R"(<object type="NUMANode" os_index="3" subtype="GPUMemory" cpuset="0x0"/>)"}) {
        const FoundMachine machine = machine_of_texts({file(node)});
        EXPECT_EQ(machine.all(PartType::memory).size(), 0U) << node;
        EXPECT_EQ(machine.nodes.size(), 1U) << node;
    }
    const FoundMachine full =
        machine_of_texts({file(R"(<object type="NUMANode" os_index="3" cpuset="0x3" local_memory="1073741824"/>)")});
    EXPECT_EQ(full.nodes.size(), 2U);
    EXPECT_EQ(full.nodes[1].part, full.all(PartType::gpu)[0]) << "as many nodes without CPUs as GPUs";
}

/// A node with CPUs and no memory is one of its package, and makes no memory.
TEST(NodesWithoutMemory, ButWithCpusArePlacesOfTheirPackage) {
    const std::string xml = hwloc_file("2.0", hwloc_package(0, "", "X"));
    const std::string table = numactl_text({{0, "0", 16'384}, {1, "1", 0}}, "0: 10 16\n1: 16 10\n");
    for (const auto& texts : {std::vector<std::string>{xml, table}, std::vector<std::string>{table, xml}}) {
        const FoundMachine machine = machine_of_texts(texts);
        EXPECT_EQ(edge_list(machine), "");
        ASSERT_EQ(machine.nodes.size(), 2U);
        EXPECT_EQ(machine.nodes[1].memory_bytes, 0U);
        EXPECT_EQ(machine.nodes[1].cpus.text(), "1");
        EXPECT_EQ(machine.parts[machine.nodes[1].part].name, "pkg0");
        EXPECT_EQ(parts_of(machine), R"([{"name":"cpu","count":1,"kind":"cpu"}])");
    }
    EXPECT_EQ(refusal_of({xml, numactl_text({{0, "0 1", 16'384}, {1, "9", 0}})}),
              "b: NUMA node 1, which is not there, contradicts a; files of one machine are expected")
        << "CPUs that hwloc does not know";
    EXPECT_THAT(refusal_of({xml, numactl_text({{0, "0", 16'384}, {1, "1", 8'000}})}), HasSubstr("NUMA node 1, which"));
}

/// In a machine with GPUs a package without memory is a router; without GPUs its cores need a memory.
TEST(NodesWithoutMemory, MakeRoutersOfPackages) {
    const std::string table = numactl_text({{0, "0", 16'384}, {1, "1", 0}}, "0: 10 21\n1: 21 10\n");
    const std::string topo = "GPU0 CPU Affinity NUMA Affinity\nGPU0 X 1 1\n";
    EXPECT_EQ(edges_of({table, topo}), "smp pkg0 pkg1\npci pkg1 hb0 0\npci hb0 gpu0 0\n");
    EXPECT_EQ(
        parts_of(machine_of_texts({table, topo})),
        R"([{"name":"gpu","count":1,"kind":"gpu"},{"name":"cpu","count":1,"kind":"cpu"},{"name":"package","count":1,"kind":"router"}])");
    const MachineText cores = make_machine_file(machine_of_texts({table}), "x");
    EXPECT_EQ(cores.system["parts"].dump(), R"([{"name":"cpu","count":2,"kind":"cpu"}])");
    EXPECT_THAT(cores.notes, Contains(HasSubstr("NUMA node 1 has no memory")));
}

/// Fast memory goes to the package of the nearest node.
TEST(NodesWithoutCpus, GoToTheNearestPackage) {
    const std::string flat = numactl_text({{0, "0", 100}, {1, "1", 100}, {2, "", 50}, {3, "", 50}},
                                          "0: 10 21 13 23\n1: 21 10 23 13\n2: 13 23 10 23\n3: 23 13 23 10\n");
    EXPECT_EQ(edges_of({flat}), "smp pkg0 pkg1\nmem pkg0 numa2\nmem pkg1 numa3\n");
    EXPECT_THAT(machine_of_texts({flat}).notes, Contains(HasSubstr("NUMA node 3 is not in the files: pkg1 is taken")));
}

// --- Packages of several nodes ---------------------------------------------------------------------------------------

DistanceRows rows_of(const std::string& text, std::size_t nodes) {
    DistanceRows rows(nodes, std::vector<unsigned>(nodes));
    std::istringstream in(text);
    for (auto& row : rows)
        for (unsigned& one : row) in >> one;
    return rows;
}

/// Distances of packages of `each` nodes: `within` inside, `across` between.
DistanceRows packages_of(std::size_t packages, std::size_t each, unsigned within, unsigned across) {
    DistanceRows rows(packages * each, std::vector<unsigned>(packages * each, across));
    for (std::size_t a = 0; a < rows.size(); ++a)
        for (std::size_t b = 0; b < rows.size(); ++b)
            if (a / each == b / each) rows[a][b] = a == b ? 10 : within;
    return rows;
}

struct GroupsRow {
    const char* what;
    DistanceRows rows;
    std::vector<std::size_t> of_node;
};
class GroupsByDistance : public ::testing::TestWithParam<GroupsRow> {};
TEST_P(GroupsByDistance, ArePackages) {
    EXPECT_EQ(groups_by_distance(GetParam().rows).of_node, GetParam().of_node) << GetParam().what;
}
INSTANTIATE_TEST_SUITE_P(
    Machines, GroupsByDistance,
    ::testing::Values(
        GroupsRow{"NPS4, two packages", packages_of(2, 4, 12, 32), {0, 0, 0, 0, 1, 1, 1, 1}},
        GroupsRow{"NPS2, two packages", packages_of(2, 2, 12, 32), {0, 0, 1, 1}},
        GroupsRow{"NPS4, one package", packages_of(1, 4, 12, 0), {0, 0, 0, 0}},
        GroupsRow{"SNC2, two packages", packages_of(2, 2, 11, 21), {0, 0, 1, 1}},
        GroupsRow{"SNC4, two packages", packages_of(2, 4, 13, 21), {0, 0, 0, 0, 1, 1, 1, 1}},
        GroupsRow{"SNC2, one package", packages_of(1, 2, 11, 0), {0, 0}},
        GroupsRow{"four dies each, the first EPYC", packages_of(2, 4, 16, 32), {0, 0, 0, 0, 1, 1, 1, 1}},
        GroupsRow{"SNC2, four packages", packages_of(4, 2, 11, 21), {0, 0, 1, 1, 2, 2, 3, 3}},
        GroupsRow{
            "pairs of quadrants in each package",
            rows_of("10 11 12 12 28 28 28 28 11 10 12 12 28 28 28 28 12 12 10 11 28 28 28 28 12 12 11 10 28 28 28 28 "
                    "28 28 28 28 10 11 12 12 28 28 28 28 11 10 12 12 28 28 28 28 12 12 10 11 28 28 28 28 12 12 11 10",
                    8),
            {0, 0, 0, 0, 1, 1, 1, 1}},
        GroupsRow{"two packages", packages_of(2, 1, 0, 21), {0, 1}},
        GroupsRow{"two packages of an Opteron", packages_of(2, 1, 0, 16), {0, 1}},
        GroupsRow{"four packages, all joined", packages_of(4, 1, 0, 16), {0, 1, 2, 3}},
        GroupsRow{"a ring of four", rows_of("10 16 22 16 16 10 16 22 22 16 10 16 16 22 16 10", 4), {0, 1, 2, 3}},
        GroupsRow{"pairs of packages", rows_of("10 21 31 31 21 10 31 31 31 31 10 21 31 31 21 10", 4), {0, 1, 2, 3}},
        GroupsRow{
            "a row that could not be read", rows_of("10 12 32 32 0 0 0 0 32 32 10 12 32 32 12 10", 4), {0, 0, 1, 1}},
        GroupsRow{"two that could not", rows_of("10 12 32 32 0 0 0 0 0 0 0 0 32 32 12 10", 4), {0, 1, 2, 3}}),
    [](const auto& row) { return fmt::format("Row{}", row.index); });

TEST(NumaTable, PartsPackagesIntoNodes) {
    std::string distances;
    std::vector<SampleNode> nodes;
    for (unsigned a = 0; a < 8; ++a) {
        nodes.push_back({a, fmt::format("{} {}", 2 * a, 2 * a + 1), 64'000});
        distances += fmt::format("{}:", a);
        for (unsigned b = 0; b < 8; ++b) distances += a == b ? " 10" : a / 4 == b / 4 ? " 12" : " 32";
        distances += "\n";
    }
    const std::string table = numactl_text(nodes, distances);
    const FoundMachine machine = machine_of_texts({table});
    std::string expected = "smp pkg0 pkg1\n";
    for (unsigned n = 0; n < 8; ++n) expected += fmt::format("mem pkg{} numa{}\n", n / 4, n);
    EXPECT_EQ(edge_list(machine), expected);
    EXPECT_EQ(machine.parts[1].cpus.text(), "8-15");
    EXPECT_THAT(machine.notes, Contains(HasSubstr("NUMA nodes at distances up to 12 count as parts of one")));
    EXPECT_EQ(parts_of(machine),
              R"([{"name":"cpu","count":8,"kind":"cpu"},{"name":"package","count":2,"kind":"router"}])");
    // A GPU is at the node that its matrix names.
    EXPECT_THAT(edges_of({table, "GPU0 GPU1 CPU Affinity NUMA Affinity\nGPU0 X SYS 4-5 2\nGPU1 SYS X 10-11 5\n"}),
                AllOf(HasSubstr("pci numa2 hb0 0\n"), HasSubstr("pci numa5 hb1 0\n")));
}

/// Of a matrix alone: cores and their second threads tell how many nodes there are.
TEST(TopoMatrix, PartsPackagesIntoNodes) {
    const std::string dgx = "GPU0 GPU1 GPU2 GPU3 CPU Affinity NUMA Affinity\nGPU0 X NV12 NV12 NV12 48-63,176-191 3\n"
                            "GPU1 NV12 X NV12 NV12 16-31,144-159 1\nGPU2 NV12 NV12 X NV12 112-127,240-255 7\n"
                            "GPU3 NV12 NV12 NV12 X 80-95,208-223 5\n";
    const FoundMachine machine = machine_of_texts({dgx});
    EXPECT_EQ(machine.all(PartType::package).size(), 2U);
    EXPECT_THAT(edge_list(machine),
                AllOf(HasSubstr("smp pkg0 pkg1\nmem pkg0 numa3\nmem pkg0 numa1\nmem pkg1 numa7\nmem pkg1 numa5\n"),
                      HasSubstr("pci numa3 hb0 0\n"), HasSubstr("pci numa5 hb3 0\n")));
    EXPECT_THAT(machine.notes, Contains(HasSubstr("parts of two packages")));
    EXPECT_NO_THROW(make_machine_file(machine, "x"));
    // Four packages: each is numbered through, and there are no more nodes than they.
    const std::string quad =
        "GPU0 GPU1 GPU2 GPU3 CPU Affinity NUMA Affinity\nGPU0 X NV6 NV6 NV6 0-71 0\n"
        "GPU1 NV6 X NV6 NV6 72-143 1\nGPU2 NV6 NV6 X NV6 144-215 2\nGPU3 NV6 NV6 NV6 X 216-287 3\n";
    EXPECT_EQ(machine_of_texts({quad}).all(PartType::package).size(), 4U);
    const std::string four = "GPU0 GPU1 GPU2 CPU Affinity NUMA Affinity\nGPU0 X SYS SYS 0-7,32-39 0\n"
                             "GPU1 SYS X SYS 8-15,40-47 1\nGPU2 SYS SYS X 24-31,56-63 3\n";
    EXPECT_EQ(machine_of_texts({four}).all(PartType::package).size(), 3U) << "4 nodes may be 4 packages";
}

// --- Distances that could not be read --------------------------------------------------------------------------------

const std::vector<SampleNode> kFour{{0, "0", 100}, {1, "1", 100}, {2, "2", 100}, {3, "3", 100}};
constexpr const char* kRing = "smp pkg0 pkg1\nsmp pkg0 pkg3\nsmp pkg1 pkg2\nsmp pkg2 pkg3\n";

class UnreadDistances : public ::testing::TestWithParam<const char*> {};
TEST_P(UnreadDistances, LeaveTheRing) {
    const FoundMachine machine = machine_of_texts({numactl_text(kFour, GetParam())});
    EXPECT_EQ(edge_list(machine), kRing);
    EXPECT_THAT(machine.notes, Contains(HasSubstr("are 0, as numactl prints them")));
}
INSTANTIATE_TEST_SUITE_P(Rows, UnreadDistances,
                         ::testing::Values("0: 10 16 22 16\n1: 0 0 0 0\n2: 22 16 10 16\n3: 16 22 16 10\n",
                                           "0: 0 0 0 0\n1: 16 10 16 22\n2: 22 16 10 16\n3: 16 22 16 10\n",
                                           "0: 10 16 22 16\n1: 16 10 16 22\n2: 22 16 10 16\n3: 0 0 0 0\n",
                                           "0: 10 16 22 16\n1: 0 0 0 0\n2: 22 16 10 16\n3: 0 0 0 0\n",
                                           "0: 10 16 0 16\n1: 16 10 16 22\n2: 0 16 10 16\n3: 16 22 16 10\n",
                                           "0: 10 16 22 16\n1: 16 0 16 22\n2: 22 16 10 16\n3: 16 22 16 10\n"));

TEST(UnreadDistances, ContradictNothing) {
    const std::string two = numactl_text({{0, "0 1", 16'384}, {1, "2 3", 16'384}}, "0: 10 40\n1: 0 0\n");
    EXPECT_EQ(refusal_of({power_file(), two}), "");
    EXPECT_EQ(edges_of({power_file(), two}), edges_of({power_file()}));
    const std::string wrong = numactl_text({{0, "0 1", 16'384}, {1, "2 3", 16'384}}, "0: 10 30\n1: 0 0\n");
    EXPECT_THAT(refusal_of({power_file(), wrong}), HasSubstr("a distance of 30 from node 0 to 1, with 40 there,"));
    // A zero in hwloc's matrix is as little known.
    std::string zeros = power_file();
    zeros.replace(zeros.find("10 40 40 10"), 11, "10 0 40 10 ");
    EXPECT_EQ(edges_of({zeros, two}), edges_of({power_file()}));
}

// --- CPUs as ranges --------------------------------------------------------------------------------------------------

struct CpusRow {
    const char *line, *cpus;
};
class CompressedCpus : public ::testing::TestWithParam<CpusRow> {};
TEST_P(CompressedCpus, AreRead) {
    const FoundMachine machine = machine_of_texts({std::string("node 0 cpus:") + GetParam().line + "\n"});
    EXPECT_EQ(machine.nodes[0].cpus.text(), GetParam().cpus);
}
INSTANTIATE_TEST_SUITE_P(Lines, CompressedCpus,
                         ::testing::Values(CpusRow{" 0-1, 4-5 (4)", "0-1,4-5"}, CpusRow{" 0-71 (72)", "0-71"},
                                           CpusRow{" 3 (1)", "3"}, CpusRow{" 0, 2, 4 (3)", "0,2,4"},
                                           CpusRow{" 0-15, 64-79, 128 (33)", "0-15,64-79,128"}, CpusRow{" 0-3", "0-3"},
                                           CpusRow{" 0,2-3", "0,2-3"}, CpusRow{" 0 1 2", "0-2"}));

TEST(CompressedCpus, OfANodeWithoutCpusAreNone) {
    const FoundMachine machine = machine_of_texts({"node 0 cpus: 0 (1)\nnode 1 cpus: (0)\nnode 1 size: 100 MB\n"});
    EXPECT_TRUE(machine.nodes[1].cpus.empty());
}

TEST(CompressedCpus, AreCounted) {
    EXPECT_EQ(refusal_of({"node 0 cpus: 0-3 (5)\n"}),
              "a: line 1: node 0 has 4 CPUs, and the line counts 5; the same are expected");
    EXPECT_THAT(refusal_of({"node 0 cpus: 0-3 (many)\n"}), HasSubstr("a: line 1: '(many)' is no number of CPUs"));
    EXPECT_THAT(refusal_of({"node 0 cpus: 3-0\n"}), HasSubstr("a: line 1: '3-0' is no number of a CPU"));
    EXPECT_THAT(refusal_of({"node 0 cpus: 0-1, (2)\n"}), HasSubstr("a: line 1: '0-1,' is no number of a CPU"));
    EXPECT_THAT(refusal_of({"node 0 cpus: , 0\n"}), HasSubstr("a: line 1: ',' is no number of a CPU"));
}

// --- Sizes -----------------------------------------------------------------------------------------------------------

TEST(NumaTable, ReadsSizesWhole) {
    const auto sized = [](const char* size) { return std::string("node 0 cpus: 0\nnode 0 size: ") + size + "\n"; };
    for (const char* size :
         {"99999999999999999999 MB", "-1 MB", "1.5 MB", "12x MB", "MB", "100 GB", "0x10 MB", "68719476736 MB"})
        EXPECT_THAT(refusal_of({sized(size)}), HasSubstr("a: line 2: the size of node 0 can't be read")) << size;
    EXPECT_EQ(machine_of_texts({sized("68719476735 MB")}).nodes[0].memory_bytes, 68719476735ULL << 20);
    const FoundMachine unknown = machine_of_texts({sized("<not available>")});
    EXPECT_FALSE(unknown.nodes[0].knows_memory);
}

} // namespace
} // namespace numavp::test
