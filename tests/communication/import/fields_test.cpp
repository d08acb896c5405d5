/// Fields of topology files against what the machine gets of them: the order of rows, which set of CPUs counts,
/// contradictions in both directions.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/communication/import/samples.h"

namespace numavp::test {
namespace {

using ::testing::HasSubstr;

/// Rows of a matrix are those of its indexes, whatever their order; a row is the way from its node.
TEST(HwlocFields, DistancesAreOfTheirIndexes) {
    const std::string packages = hwloc_package(0, "", "X") + hwloc_package(1, "", "X") + hwloc_package(2, "", "X");
    const auto read = [&](const char* indexes, const char* values) {
        return machine_of_texts(
                   {hwloc_file(
                       "2.0", packages,
                       fmt::format(R"(<distances2 type="NUMANode" nbobjs="3" kind="5" name="NUMALatency" indexing="os">
<indexes>{}</indexes><u64values>{}</u64values></distances2>)",
                                   indexes, values))})
            .distances;
    };
    const auto straight = read("0 1 2", "10 21 31 22 10 41 32 42 10");
    EXPECT_EQ(straight, read("2 0 1", "10 32 42 31 10 21 41 22 10"));
    EXPECT_EQ(straight.at({0, 2}), 31U);
    EXPECT_EQ(straight.at({2, 0}), 32U);
    EXPECT_EQ(straight.at({1, 2}), 41U);
}

TEST(NumactlFields, DistancesAreOfTheirRows) {
    const std::vector<SampleNode> nodes{{0, "0", 100}, {3, "1", 100}, {8, "2", 100}};
    const auto distances = machine_of_texts({numactl_text(nodes, "0: 10 21 31\n3: 22 10 41\n8: 32 42 10\n")}).distances;
    EXPECT_EQ(distances.at({0, 8}), 31U);
    EXPECT_EQ(distances.at({8, 0}), 32U);
    EXPECT_EQ(distances.at({3, 8}), 41U);
    EXPECT_EQ(distances.at({3, 0}), 22U);
    EXPECT_THAT(refusal_of({numactl_text(nodes, "0: 10 21 31\n8: 32 42 10\n3: 22 10 41\n")}),
                HasSubstr("a: line 14: the row of node 8 is not where its column is"));
}

/// All CPUs that a package has count, not those that a container may use.
TEST(HwlocFields, CompleteSetsOfCpusCount) {
    const auto cpus = [](const char* sets) {
        const FoundMachine machine = machine_of_texts(
            {hwloc_file("2.0", std::string("<object type=\"Package\" ") + sets +
                                   "><object type=\"NUMANode\" os_index=\"0\" " + sets + "/></object>")});
        EXPECT_EQ(machine.nodes[0].cpus.text(), machine.parts[0].cpus.text());
        return machine.parts[0].cpus.text();
    };
    EXPECT_EQ(cpus(R"(cpuset="0x3" complete_cpuset="0xf" allowed_cpuset="0x1")"), "0-3");
    EXPECT_EQ(cpus(R"(cpuset="0x3" allowed_cpuset="0x1")"), "0-1");
    EXPECT_EQ(cpus(R"(complete_cpuset="0x30")"), "4-5");
}

/// Version 1 gives a machine without NUMA no node: its memory is the machine's.
TEST(HwlocFields, AMachineWithoutNodesHasItsMemory) {
    const FoundMachine machine =
        machine_of_texts({R"(<topology><object type="Machine" cpuset="0x3" local_memory="2147483648">
<object type="Socket" cpuset="0x3"/></object></topology>)"});
    ASSERT_EQ(machine.nodes.size(), 1U);
    EXPECT_EQ(machine.nodes[0].memory_bytes, std::uint64_t{2} << 30);
    EXPECT_TRUE(machine.nodes[0].knows_memory);
    EXPECT_EQ(machine.nodes[0].cpus.text(), "0-1");
}

TEST(HwlocFields, MemoriesHaveLessThanTwoToThe56Bytes) {
    const auto refused = [](const char* bytes) {
        std::string text = hwloc_file("2.0", hwloc_package(0, "", "X"));
        text.replace(text.find("17179869184"), 11, bytes);
        return refusal_of({text});
    };
    EXPECT_EQ(refused("72057594037927935"), "");
    EXPECT_THAT(refused("72057594037927936"), HasSubstr("local_memory '72057594037927936' is no number of bytes"));
}

/// GPUs at different NVSwitches have no way between them, which a note says; at one they have.
TEST(HwlocFields, SwitchesApartAreNoted) {
    const auto notes = [](const char* values) {
        const auto part = [](int number) {
            return fmt::format(
                R"(<object type="PCIDev" gp_index="90{0}" subtype="NVSwitch" pci_busid="0000:c{0}:00.0" pci_type="0680 [10de:1af1] [0000:0000] a1"/>)",
                number);
        };
        const std::string gpus =
            hwloc_gpu({"0001", 0, "NVIDIA A100-SXM4-40GB"}) + hwloc_gpu({"0002", 1, "NVIDIA A100-SXM4-40GB"});
        return machine_of_texts(
                   {hwloc_file("2.0", hwloc_package(0, gpus + part(0) + part(1), "X"),
                               fmt::format(R"(<distances2hetero nbobjs="4" kind="25" name="NVLinkBandwidth">
<indexes>OSDev:105 OSDev:205 PCIDev:900 PCIDev:901</indexes><u64values>{}</u64values></distances2hetero>)",
                                           values))})
            .notes;
    };
    const auto apart = ::testing::Contains(HasSubstr("gpu0 and gpu1 have no NVSwitch in common"));
    EXPECT_THAT(notes("0 0 300000 0 0 0 0 300000 300000 0 0 0 0 300000 0 0"), apart);
    EXPECT_THAT(notes("0 0 150000 150000 0 0 150000 0 150000 150000 0 0 150000 0 0 0"), ::testing::Not(apart));
}

TEST(JoinedFields, MemoriesMayDifferByATenth) {
    const auto refused = [](unsigned megabytes) {
        return refusal_of({hwloc_file("2.0", hwloc_package(0, "", "X")), numactl_text({{0, "0 1", megabytes}})});
    };
    EXPECT_EQ(refused(16'384), "");
    EXPECT_EQ(refused(14'900), "");
    EXPECT_EQ(refused(18'000), "");
    EXPECT_THAT(refused(14'800), HasSubstr("a memory of 14800 MiB of NUMA node 0, with 16384 there, contradicts a"));
    EXPECT_THAT(refused(18'100), HasSubstr("a memory of 18100 MiB of NUMA node 0, with 16384 there, contradicts a"));
    EXPECT_THAT(refused(0), HasSubstr("a memory of 0 MiB of NUMA node 0, with 16384 there, contradicts a"));
}

TEST(JoinedFields, NodesOfOneFileAreInTheOther) {
    const std::string one = hwloc_file("2.0", hwloc_package(0, "", "X")),
                      two = hwloc_file("2.0", hwloc_package(0, "", "X") + hwloc_package(1, "", "X"));
    const std::string first = numactl_text({{0, "0 1", 16'384}}),
                      both = numactl_text({{0, "0 1", 16'384}, {1, "2 3", 16'384}});
    EXPECT_EQ(refusal_of({one, first}), "");
    EXPECT_EQ(refusal_of({two, both}), "");
    EXPECT_THAT(refusal_of({one, both}), HasSubstr("b: NUMA node 1, which is not there, contradicts a"));
    EXPECT_THAT(refusal_of({two, first}), HasSubstr("b: that there is no NUMA node 1 contradicts a"));
    EXPECT_THAT(refusal_of({both, first}), HasSubstr("b: that there is no NUMA node 1 contradicts a"));
    EXPECT_THAT(refusal_of({first, both}), HasSubstr("b: NUMA node 1, which is not there, contradicts a"));
}

} // namespace
} // namespace numavp::test
