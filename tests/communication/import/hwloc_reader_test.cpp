/// hwloc's XML of three versions, on machines of several kinds.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "communication/import/hwloc_reader.h"
#include "communication/import/os_devices.h"
#include "tests/communication/import/samples.h"

namespace numavp::test {
namespace {

using ::testing::HasSubstr;

constexpr const char* kPowerEdges = R"(smp pkg0 pkg1
pci pkg0 hb0002:00-01 0
pci hb0002:00-01 br0002:00:00.0 7.876923
pci br0002:00:00.0 gpu0@0002:01:00.0 15.753846
pci pkg1 hb000a:00-01 0
pci hb000a:00-01 br000a:00:00.0 7.876923
pci br000a:00:00.0 gpu1@000a:01:00.0 15.753846
nv pkg0 gpu0 x2
nv pkg1 gpu1 x2
)";

TEST(HwlocReader, ReadsVersions2And3Alike) {
    EXPECT_EQ(edges_of({power_file("2.0")}), kPowerEdges);
    EXPECT_EQ(edges_of({power_file("3.0")}), kPowerEdges);
    EXPECT_EQ(edges_of({power_file("2.0"), power_file("3.0")}), kPowerEdges);
}

TEST(HwlocReader, KnowsWhatThePartsAre) {
    const FoundMachine machine = read_hwloc(power_file("3.0"), "a");
    EXPECT_EQ(machine.name, "Test 1");
    const FoundPart& gpu = machine.parts[machine.all(PartType::gpu)[1]];
    EXPECT_EQ(gpu.model, "Tesla P100-SXM2-16GB");
    EXPECT_EQ(gpu.sms, 56U);
    EXPECT_EQ(gpu.memory_bytes, std::uint64_t{16671616} << 10);
    EXPECT_EQ(gpu.cuda, 1U);
    EXPECT_EQ(machine.nodes[1].memory_bytes, std::uint64_t{16} << 30);
    EXPECT_EQ(machine.distances.at({0, 1}), 40U);
    EXPECT_EQ(machine.parts[machine.all(PartType::package)[0]].cores, 1U);
}

/// NUMANode is a level between Machine and Socket, distances are multiples of a base, OS devices have no subtype.
TEST(HwlocReader, ReadsVersion1) {
    const std::string text = hwloc_file("", R"(<distances nbobjs="2" relative_depth="1" latency_base="10.0">
<latency value="1.0"/><latency value="2.1"/><latency value="2.1"/><latency value="1.0"/></distances>
<object type="NUMANode" os_index="0" cpuset="0x0f" local_memory="17179869184"><object type="Socket" os_index="0" cpuset="0x0f"/>
<object type="Bridge" os_index="0" bridge_type="0-1" depth="0" bridge_pci="0000:[00-07]">
<object type="PCIDev" os_index="4" pci_busid="0000:03:00.0" pci_type="0302 [10de:1db8] [0000:0000] a1" pci_link_speed="15.75">
<object type="OSDev" name="cuda0" osdev_type="5"><info name="CoProcType" value="CUDA"/></object></object>
<object type="PCIDev" os_index="5" pci_busid="0000:04:00.0" pci_type="0200 [8086:10c9] [0000:0000] 01" pci_link_speed="0.5"/>
</object></object>
<object type="NUMANode" os_index="8" cpuset="0xf0" local_memory="17179869184"><object type="Socket" os_index="1" cpuset="0xf0"/></object>
)");
    const FoundMachine machine = read_hwloc(text, "a");
    EXPECT_EQ(edge_list(machine), "smp pkg0 pkg1\npci pkg0 hb0:00-07 0\npci hb0:00-07 gpu0@03:00.0 15.750000\n"
                                  "pci hb0:00-07 nic@04:00.0 0.500000\n");
    EXPECT_EQ(machine.distances.at({0, 8}), 21U);
    EXPECT_EQ(machine.parts[machine.all(PartType::gpu)[0]].cuda, 0U);
}

/// POWER9: memories of GPUs are NUMA nodes without CPUs, in version 1 beside the packages.
TEST(HwlocReader, GivesMemoriesToGpus) {
    const std::string text = hwloc_file("", R"(
<object type="NUMANode" os_index="0" cpuset="0x3"><object type="Package" os_index="0" cpuset="0x3"/>)" +
                                                hwloc_gpu({"0004", 0, "Tesla V100-SXM2-16GB"}) + R"(</object>
<object type="NUMANode" os_index="8" cpuset="0xc"><object type="Package" os_index="8" cpuset="0xc"/>)" +
                                                hwloc_gpu({"0035", 1, "Tesla V100-SXM2-16GB"}) + R"(</object>
<object type="NUMANode" os_index="254" cpuset="0x0" local_memory="16911433728"/>
<object type="NUMANode" os_index="255" cpuset="0x0" local_memory="16911433728"/>)");
    const FoundMachine machine = read_hwloc(text, "a");
    EXPECT_THAT(edge_list(machine), Not(HasSubstr("mem")));
    EXPECT_EQ(machine.parts[machine.nodes[3].part].name, "gpu0");
    EXPECT_EQ(machine.parts[machine.nodes[2].part].name, "gpu1");
}

/// Sub-NUMA clusters: a group each, a GPU at the second.
TEST(HwlocReader, ReadsPackagesWithSeveralNodes) {
    const std::string text = hwloc_file("2.0", R"(<object type="Package" os_index="0" cpuset="0xf">
<object type="Group" cpuset="0x3"><object type="NUMANode" os_index="0" cpuset="0x3"/></object>
<object type="Group" cpuset="0xc"><object type="NUMANode" os_index="1" cpuset="0xc"/><object type="L3Cache" cpuset="0xc">
)" + hwloc_gpu({}) + "</object></object></object>");
    EXPECT_EQ(edges_of({text}), "mem pkg0 numa0\nmem pkg0 numa1\npci numa1 hb0002:00-01 0\n"
                                "pci hb0002:00-01 br0002:00:00.0 7.876923\n"
                                "pci br0002:00:00.0 gpu0@0002:01:00.0 15.753846\n");
}

TEST(HwlocReader, ReadsMemorySideCachesAndFastMemory) {
    const std::string text = hwloc_file("2.4", R"(<object type="Package" os_index="0" cpuset="0xf">
<object type="MemCache" cpuset="0xf" cache_size="1"><object type="NUMANode" os_index="0" cpuset="0xf"/></object>
<object type="NUMANode" os_index="1" subtype="HBM" cpuset="0xf"/></object>)");
    const FoundMachine machine = read_hwloc(text, "a");
    EXPECT_EQ(edge_list(machine), "mem pkg0 numa0\nmem pkg0 numa1\n");
    EXPECT_TRUE(machine.nodes[1].cpus.empty()) << "its CPUs are those of the other node";
}

TEST(HwlocReader, ReadsMachinesWithoutPackagesOrNodes) {
    EXPECT_EQ(edges_of({hwloc_file("2.0", R"(<object type="NUMANode" os_index="0" cpuset="0xf"/>)")}), "");
    EXPECT_EQ(
        edges_of({hwloc_file(
            "2.0", R"(<object type="Group" cpuset="0x3"><object type="NUMANode" os_index="0" cpuset="0x3"/></object>
<object type="Group" cpuset="0xc"><object type="NUMANode" os_index="1" cpuset="0xc"/></object>)")}),
        "smp pkg0 pkg1\n");
    EXPECT_EQ(edges_of({hwloc_file("", R"(<object type="Core" cpuset="0x1"/>)")}), "");
    // One node for two packages.
    EXPECT_EQ(edges_of({hwloc_file("2.0", R"(<object type="NUMANode" os_index="0" cpuset="0xf"/>
<object type="Package" cpuset="0x3"/><object type="Package" cpuset="0xc"/>)")}),
              "smp pkg0 pkg1\nmem pkg0 numa0\nmem pkg1 numa0\n");
}

/// Each of four packages is near to two others only.
TEST(HwlocReader, JoinsPackagesByDistance) {
    std::string objects;
    for (unsigned p = 0; p < 4; ++p) objects += hwloc_package(p, "", "X");
    const auto matrix = [](const char* values) {
        return std::string(
                   R"(<distances2 type="NUMANode" nbobjs="4" kind="5" name="NUMALatency" indexing="os"><indexes>0 1 2 3</indexes><u64values>)") +
               values + "</u64values></distances2>";
    };
    EXPECT_EQ(edges_of({hwloc_file("2.0", objects, matrix("10 21 31 21 21 10 21 31 31 21 10 21 21 31 21 10"))}),
              "smp pkg0 pkg1\nsmp pkg0 pkg3\nsmp pkg1 pkg2\nsmp pkg2 pkg3\n");
    EXPECT_EQ(edges_of({hwloc_file("2.0", objects, matrix("10 21 21 21 21 10 21 21 21 21 10 21 21 21 21 10"))}),
              "smp pkg0 pkg1\nsmp pkg0 pkg2\nsmp pkg0 pkg3\nsmp pkg1 pkg2\nsmp pkg1 pkg3\nsmp pkg2 pkg3\n");
    // Pairs alone would leave two halves.
    EXPECT_EQ(edges_of({hwloc_file("2.0", objects, matrix("10 21 31 31 21 10 31 31 31 31 10 21 31 31 21 10"))}),
              "smp pkg0 pkg1\nsmp pkg0 pkg2\nsmp pkg0 pkg3\nsmp pkg1 pkg2\nsmp pkg1 pkg3\nsmp pkg2 pkg3\n");
}

TEST(HwlocReader, ReadsNvSwitches) {
    const std::string gpus =
        hwloc_gpu({"0001", 0, "NVIDIA A100-SXM4-40GB"}) + hwloc_gpu({"0002", 1, "NVIDIA A100-SXM4-40GB"});
    const std::string text = hwloc_file(
        "2.0",
        hwloc_package(
            0,
            gpus +
                R"(<object type="PCIDev" gp_index="900" subtype="NVSwitch" pci_busid="0000:c4:00.0" pci_type="0680 [10de:1af1] [0000:0000] a1"/>)",
            "AMD EPYC 7742"),
        R"(<distances2hetero nbobjs="3" kind="25" name="NVLinkBandwidth"><indexes>OSDev:105 OSDev:205 PCIDev:900</indexes>
<u64values>0 0 300000 0 0 300000 300000 300000 0</u64values></distances2hetero>)");
    EXPECT_THAT(edges_of({text}), HasSubstr("nv gpu0 nvswitch0 x12\nnv gpu1 nvswitch0 x12\n"));
    EXPECT_THAT(edges_of({text}), HasSubstr("pci pkg0 nvswitch0@c4:00.0 0\n"));
}

/// The matrix is of OS devices alone where nothing but GPUs has NVLinks.
TEST(HwlocReader, ReadsAMatrixOfOneType) {
    const std::string text =
        hwloc_file("2.0", hwloc_package(0, hwloc_gpu({"0001", 0}) + hwloc_gpu({"0002", 1}), "X"),
                   R"(<distances2 type="OSDev" nbobjs="2" kind="9" name="NVLinkBandwidth" indexing="gp">
<indexes>105 205</indexes><u64values>1000000 20000 20000 1000000</u64values></distances2>)");
    EXPECT_THAT(edges_of({text}), HasSubstr("nv gpu0 gpu1\n"));
}

/// All rows of Tables 3.1 and 3.2 of the thesis: two sockets on an SMP bus, PCIe with host bridge and bridge, a CUDA
/// GPU, NVLinks, a network interface, a disk at a SATA controller; and an NVMe disk, which is its PCI device.
std::string file_of_all_kinds(const char* version, unsigned block, unsigned network) {
    const bool third = version[0] == '3';
    const std::string devices = fmt::format(
        R"(<object type="Bridge" bridge_type="0-1" bridge_pci="0000:[00-08]">
<object type="PCIDev" pci_busid="0000:00:17.0" pci_type="0106 [8086:a282] [0000:0000] 00">
<object type="OSDev" name="sda" osdev_type="{0}"/><object type="OSDev" name="sdb" osdev_type="{0}"/></object>
<object type="Bridge" bridge_type="1-1" pci_busid="0000:00:1c.0" pci_type="0604 [8086:a290] [0000:0000] f0" bridge_pci="0000:[03-04]">
<object type="PCIDev" pci_busid="0000:03:00.0" pci_type="0200 [8086:1521] [0000:0000] 01"><object type="OSDev" name="eth0" osdev_type="{1}"/></object>
<object type="PCIDev" pci_busid="0000:04:00.0" pci_type="0108 [144d:a808] [0000:0000] 00"><object type="OSDev" name="nvme0n1" osdev_type="{0}"/></object>
</object></object>)",
        block, network);
    return hwloc_file(version,
                      hwloc_package(0, hwloc_gpu({"0001", 0, "Tesla P100-SXM2-16GB"}, third) + devices, "X") +
                          hwloc_package(1, hwloc_gpu({"0002", 1, "Tesla P100-SXM2-16GB"}, third), "X"),
                      R"(<distances2 type="OSDev" nbobjs="2" kind="9" name="NVLinkBandwidth" indexing="gp">
<indexes>105 205</indexes><u64values>1000000 20000 20000 1000000</u64values></distances2>)");
}

TEST(HwlocReader, HasTheVerticesAndEdgesOfTheThesis) {
    const std::string edges = edges_of({file_of_all_kinds("2.0", 0, 2)});
    for (const char* edge :
         {"smp pkg0 pkg1\n", "pci pkg0 hb1:00-08 0\n", "pci hb1:00-08 br00:1c.0 0\n", "pci br00:1c.0 nic@03:00.0 0\n",
          "os nic@03:00.0 eth0@03:00.0\n", "sata sata@00:17.0 sda@00:17.0\n", "sata sata@00:17.0 sdb@00:17.0\n",
          "os nvme@04:00.0 nvme0n1@04:00.0\n", "nv gpu0 gpu1\n"})
        EXPECT_THAT(edges, HasSubstr(edge));
    EXPECT_EQ(edges_of({file_of_all_kinds("3.0", 1, 16)}), edges) << "bits from version 3 on";
    const FoundMachine machine = read_hwloc(file_of_all_kinds("2.0", 0, 2), "a");
    EXPECT_EQ(machine.all(PartType::block).size(), 3U);
    EXPECT_EQ(machine.all(PartType::network).size(), 1U);
    EXPECT_EQ(machine.pci_parent(machine.all(PartType::network)[0]), std::nullopt) << "PCIe ends at the adapter";
    for (const FoundLink& link : machine.links)
        EXPECT_EQ(nvlink_generation(machine, link), link.type == LinkType::nv ? 1U : 0U) << "of a P100";
}

/// Devices of the kernel that no PCI device has, such as a disk of a guest, have no place in the tree.
TEST(HwlocReader, NamesDevicesWithoutPci) {
    const FoundMachine machine = read_hwloc(
        hwloc_file("2.0", hwloc_package(0, R"(<object type="OSDev" name="vda" osdev_type="0"/>)", "X")), "a");
    EXPECT_THAT(machine.all(PartType::block), ::testing::IsEmpty());
    EXPECT_THAT(machine.notes, ::testing::Contains("a: 1 block device or network interface without a PCI device is "
                                                   "left out"));
}

TEST(HwlocReader, DoesNotTakeConsolesForGpus) {
    const auto with = [](const char* type) {
        return edges_of({hwloc_file(
            "2.0", hwloc_package(
                       0, std::string(R"(<object type="PCIDev" pci_busid="0000:01:00.0" pci_type=")") + type + R"("/>)",
                       "X"))});
    };
    EXPECT_EQ(with("0300 [1002:515e] [0000:0000] 02"), "pci pkg0 vga@01:00.0 0\n");
    EXPECT_EQ(with("0300 [1a03:2000] [0000:0000] 02"), "pci pkg0 vga@01:00.0 0\n");
    EXPECT_EQ(with("0300 [8086:1912] [0000:0000] 02"), "pci pkg0 vga@01:00.0 0\n");
    EXPECT_EQ(with("0380 [1002:740c] [0000:0000] 02"), "pci pkg0 gpu0@01:00.0 0\n");
    EXPECT_EQ(with("0300 [10de:1e04] [0000:0000] 02"), "pci pkg0 gpu0@01:00.0 0\n");
}

/// lstopo --no-io leaves PCI out, and NVML's devices may be there all the same.
TEST(HwlocReader, TakesDevicesWithoutPci) {
    EXPECT_EQ(
        edges_of({hwloc_file(
            "2.0", hwloc_package(0, R"(<object type="OSDev" gp_index="50" name="cuda0" subtype="CUDA" osdev_type="5"/>
<object type="OSDev" gp_index="51" name="nvml0" subtype="NVML" osdev_type="1"/>)",
                                 "X"))}),
        "pci pkg0 gpu0 0\n");
}

TEST(HwlocReader, SaysWhatItDoesNotKnow) {
    const std::string text = hwloc_file("2.0", hwloc_package(0, "", "X") + hwloc_package(1, "", "X") + hwloc_gpu({}));
    EXPECT_THAT(read_hwloc(text, "a").notes, ::testing::Contains(HasSubstr("does not say at which package")));
    EXPECT_THAT(edges_of({text}), HasSubstr("pci pkg0 hb0002:00-01 0\n"));
}

TEST(IdSet, ReadsItsNotations) {
    EXPECT_EQ(id_set_of_mask("0x00000303,,0x3")->text(), "0-1,64-65,72-73");
    EXPECT_EQ(id_set_of_mask("0x0")->text(), "");
    EXPECT_EQ(id_set_of_mask("0xf...f,0x1")->text(), "0...");
    EXPECT_FALSE(id_set_of_mask("0xzz"));
    EXPECT_FALSE(id_set_of_mask("0x1ffffffff"));
    EXPECT_EQ(id_set_of_list("0-0,8-8,16")->text(), "0,8,16");
    EXPECT_FALSE(id_set_of_list("3-1"));
    EXPECT_FALSE(id_set_of_list("0-99999999"));
    EXPECT_FALSE(id_set_of_list(""));
}

} // namespace
} // namespace numavp::test
