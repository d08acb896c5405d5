/// NCCL's topology XML, and RCCL's: CPUs, PCIe trees, NVLinks, xGMI and NVLink-C2C, joined with other files.
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "communication/import/gpu_ids.h"
#include "communication/import/machine_writer.h"
#include "tests/communication/import/samples.h"

namespace numavp::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kXeon = R"(arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143")";

std::string cpu(const std::string& node, const std::string& affinity, const std::string& inside,
                const std::string& more = kXeon) {
    return fmt::format("<cpu host_hash=\"0x1\" numaid=\"{}\" affinity=\"{}\" {}>\n{}</cpu>\n", node, affinity, more,
                       inside);
}

std::string pci(const std::string& bus, const std::string& of, const std::string& device, const std::string& speed,
                const std::string& inside) {
    return fmt::format("<pci busid=\"0000:{}\" class=\"{}\" {} link_speed=\"{}\" link_width=\"16\">\n{}</pci>\n", bus,
                       of, device, speed, inside);
}

const std::string kBridge = "0x060400", kGpuClass = "0x030200", kGen5 = "32.0 GT/s PCIe";
const std::string kH100 = R"(vendor="0x10de" device="0x2330")";

std::string nvidia(unsigned number, unsigned sm, const std::string& inside) {
    return fmt::format("<gpu dev=\"{0}\" sm=\"{1}\" rank=\"{0}\" gdr=\"1\">\n{2}</gpu>\n", number, sm, inside);
}

std::string link_to(const std::string& target, unsigned count, const std::string& of = "0x068000",
                    const std::string& name = "nvlink") {
    return fmt::format("<{} target=\"{}\" count=\"{}\" tclass=\"{}\"/>\n", name, target, count, of);
}

std::string nccl_file(const std::string& cpus, const std::string& version = "1") {
    return fmt::format("<system version=\"{}\">\n{}</system>\n", version, cpus);
}

/// A switch with a GPU and an adapter, NVLinks to two NVSwitches: as the sample in the documentation of NCCL's users.
std::string one_gpu() {
    return nccl_file(
        cpu("0", "00000000,0000ffff",
            pci("18:00.0", kBridge, R"(vendor="0x1000" device="0xc030")", kGen5,
                pci("1a:00.0", kGpuClass, kH100, kGen5,
                    nvidia(0, 90, link_to("0000:05:00.0", 4) + link_to("0000:06:00.0", 5))) +
                    pci("19:00.0", "0x020700", R"(vendor="0x15b3" device="0x1021")", kGen5,
                        "<nic>\n<net name=\"mlx5_0\" dev=\"0\" speed=\"400000\" port=\"1\"/>\n</nic>\n"))));
}

/// Four V100 in pairs, GPUs numbered against the order of the file.
std::string four_gpus() {
    const auto gpu = [](unsigned number, const std::string& links) {
        return pci(fmt::format("0{}:00.0", number + 1), "0x030200", R"(vendor="0x10de" device="0x1db1")", "8 GT/s",
                   nvidia(number, 70, links));
    };
    const auto to = [](unsigned number, unsigned count) {
        return link_to(fmt::format("0000:0{}:00.0", number + 1), count, "0x030200");
    };
    return nccl_file(
        cpu("1", "000000f0", gpu(3, to(2, 2) + to(1, 1)) + gpu(2, to(3, 2) + to(0, 1)), R"(arch="arm64")") +
        cpu("0", "0000000f", gpu(1, to(0, 2) + to(3, 1)) + gpu(0, to(1, 2) + to(2, 1)), R"(arch="arm64")"));
}

/// Two MI300X of RCCL, each behind bridges of its own.
std::string rccl_gpus() {
    const auto gpu = [](unsigned number, const std::string& bus, const std::string& other) {
        return pci(fmt::format("{:02x}:00.0", 0x10 * number + 5), kBridge, "", kGen5,
                   pci(bus, "0x120000", R"(vendor="0x1002" device="0x74a1")", kGen5,
                       fmt::format("<gpu dev=\"{}\" sm=\"304\" gcn=\"gfx942\" arch=\"38911\" rank=\"0\" gdr=\"1\">\n{}"
                                   "</gpu>\n",
                                   number, link_to("0000:" + other, 1, "0x120000", "xgmi"))));
    };
    const std::string amd = R"(arch="x86_64" vendor="AuthenticAMD" familyid="175" modelid="17")";
    return nccl_file(cpu("0", "000000ff", gpu(0, "0c:00.0", "1c:00.0"), amd) +
                         cpu("1", "0000ff00", gpu(1, "1c:00.0", "0c:00.0"), amd),
                     "2");
}

std::string grace_hopper() {
    return nccl_file(cpu("0", "ffffffff,ffffffff,000000ff",
                         "<pci busid=\"0009:01:00.0\" class=\"0x030200\" vendor=\"0x10de\" device=\"0x2342\" "
                         "link_speed=\"32.0 GT/s PCIe\" link_width=\"16\">\n" +
                             nvidia(0, 90, "<c2c bw=\"44712\" count=\"10\"/>\n") + "</pci>\n",
                         R"(arch="arm64")"));
}

/// A guest: no NUMA node, no speeds, and an NVSwitch that it does not see.
std::string guest() {
    std::string gpus;
    for (unsigned g = 0; g < 3; ++g)
        gpus +=
            fmt::format("<pci busid=\"0000:0{}:00.0\" class=\"0x030200\" link_speed=\"\" link_width=\"\">\n{}</pci>\n",
                        g + 1, nvidia(g, 100, link_to("fffffff:ffff:ff", 18)));
    return nccl_file(cpu("-1", "", gpus));
}

std::string power9() {
    return nccl_file(cpu("8", "ff",
                         pci("04:00.0", "0x030200", R"(vendor="0x10de" device="0x1db1")", "8 GT/s",
                             nvidia(0, 70, link_to("0000:00:00.0", 3, "0x068001"))),
                         R"(arch="ppc64")"));
}

/// Two of eight NUMA nodes of four packages' worth: nodes of one package have half of the cores each.
std::string four_of_eight() {
    std::string cpus;
    for (const unsigned node : {3U, 1U, 7U, 5U}) {
        std::string affinity; // cores 16 * node on, and their threads 128 behind
        for (unsigned word = 8; word-- > 0;)
            affinity += fmt::format("{}{}", affinity.empty() ? "" : ",",
                                    word % 4 != node / 2 ? "00000000"
                                    : node % 2 == 0      ? "0000ffff"
                                                         : "ffff0000");
        cpus += cpu(std::to_string(node), affinity,
                    pci(fmt::format("{}1:00.0", node), "0x030200", R"(vendor="0x10de" device="0x20b2")",
                        "16.0 GT/s PCIe", nvidia(node / 2, 80, link_to("0000:c4:00.0", 12))),
                    R"(arch="x86_64" vendor="AuthenticAMD" familyid="143" modelid="49")");
    }
    return nccl_file(cpus);
}

/// A file for NCCL_TOPO_FILE: no GPU has more than its class.
std::string by_hand() {
    return "<!-- a virtual machine -->\n" +
           nccl_file(
               cpu("0", "ffff",
                   pci("ff:01.0", kBridge, "", "16 GT/s",
                       pci("01:00.0", kGpuClass, "", "16 GT/s", "") + pci("02:00.0", "0x020700", "", "16 GT/s", "") +
                           pci("03:00.0", "0x030000", R"(vendor="0x1a03" device="0x2000")", "", ""))));
}

struct NcclRow {
    const char* what;
    std::string text;
    const char* edges;
    const char* model;   ///< of gpu0
    double gbytes_per_s; ///< of the first link that is not PCIe's
};
class NcclFile : public ::testing::TestWithParam<NcclRow> {};
TEST_P(NcclFile, HasPartsAndLinks) {
    const NcclRow& row = GetParam();
    const FoundMachine machine = machine_of_texts({row.text});
    EXPECT_EQ(edge_list(machine), row.edges) << row.what;
    EXPECT_EQ(machine.parts[machine.all(PartType::gpu)[0]].model, row.model);
    double found = 0;
    for (const FoundLink& link : machine.links)
        if (is_of_gpus(link.type) && found == 0) found = link.gbytes_per_s;
    EXPECT_NEAR(found, row.gbytes_per_s, 1e-9);
    EXPECT_NO_THROW(make_machine_file(machine, "x"));
}
INSTANTIATE_TEST_SUITE_P(
    Files, NcclFile,
    ::testing::Values(
        NcclRow{
            "a GPU and an adapter behind a switch", one_gpu(),
            "pci pkg0 br18:00.0 63.015385\npci br18:00.0 gpu0@1a:00.0 63.015385\npci br18:00.0 ib@19:00.0 63.015385\n"
            "nv gpu0 nvswitch0 x4\nnv gpu0 nvswitch1 x5\n",
            "H100", 100},
        NcclRow{"NVLinks between four GPUs of two CPUs", four_gpus(),
                "smp pkg0 pkg1\npci pkg1 gpu3@04:00.0 15.753846\npci pkg1 gpu2@03:00.0 15.753846\n"
                "pci pkg0 gpu1@02:00.0 15.753846\npci pkg0 gpu0@01:00.0 15.753846\n"
                "nv gpu0 gpu1 x2\nnv gpu0 gpu2\nnv gpu1 gpu3\nnv gpu2 gpu3 x2\n",
                "V100", 50},
        NcclRow{"xGMI, of RCCL", rccl_gpus(),
                "smp pkg0 pkg1\npci pkg0 br05:00.0 63.015385\npci br05:00.0 gpu0@0c:00.0 63.015385\n"
                "pci pkg1 br15:00.0 63.015385\npci br15:00.0 gpu1@1c:00.0 63.015385\nxgmi gpu0 gpu1\n",
                "MI300X", 64},
        NcclRow{"NVLink-C2C", grace_hopper(), "pci pkg0 gpu0@0009:01:00.0 63.015385\nc2c pkg0 gpu0\n", "GH200", 447.12},
        NcclRow{"a guest", guest(),
                "pci pkg0 gpu0@01:00.0 0\npci pkg0 gpu1@02:00.0 0\npci pkg0 gpu2@03:00.0 0\n"
                "nv gpu0 nvswitch0 x18\nnv gpu1 nvswitch0 x18\nnv gpu2 nvswitch0 x18\n",
                "B200", 900},
        NcclRow{"NVLinks to a CPU", power9(), "pci pkg0 gpu0@04:00.0 15.753846\nnv pkg0 gpu0 x3\n", "V100", 75},
        NcclRow{"a file written by hand", by_hand(),
                "pci pkg0 brff:01.0 31.507692\npci brff:01.0 gpu0@01:00.0 31.507692\n"
                "pci brff:01.0 ib@02:00.0 31.507692\npci brff:01.0 dev@03:00.0 0\n",
                "", 0}),
    [](const auto& row) { return fmt::format("Row{}", row.index); });

/// Generations are told by their GT/s: 1 and 2 have 8 of 10 bits, 3 to 5 have 128 of 130, 6 has 242 of 256 bytes. A
/// width that the system did not tell is 16.
TEST(NcclReader, TellsPcieGenerations) {
    struct Row {
        const char *speed, *width;
        double gbytes_per_s;
    };
    for (const Row& row :
         {Row{"2.5 GT/s PCIe", "16", 4.0}, Row{"5.0 GT/s PCIe", "16", 8.0}, Row{"5 GT/s", "16", 8.0},
          Row{"8.0 GT/s PCIe", "16", 8 * 2 * 128.0 / 130}, Row{"16.0 GT/s PCIe", "16", 16 * 2 * 128.0 / 130},
          Row{"32.0 GT/s PCIe", "16", 32 * 2 * 128.0 / 130}, Row{"64.0 GT/s PCIe", "16", 64 * 2 * 242.0 / 256},
          Row{"5.0 GT/s PCIe", "8", 4.0}, Row{"5.0 GT/s PCIe", "1", 0.5}, Row{"5.0 GT/s PCIe", "32", 16.0},
          Row{"5.0 GT/s PCIe", "0", 8.0}, Row{"5.0 GT/s PCIe", "63", 8.0}, Row{"5.0 GT/s PCIe", "255", 8.0}}) {
        std::string text = nccl_file(cpu("0", "3", pci("01:00.0", kGpuClass, kH100, row.speed, nvidia(0, 90, ""))));
        const std::string width = "link_width=\"16\"";
        text.replace(text.find(width), width.size(), fmt::format("link_width=\"{}\"", row.width));
        const FoundMachine machine = machine_of_texts({text});
        ASSERT_EQ(machine.links.size(), 1U);
        EXPECT_DOUBLE_EQ(machine.links[0].gbytes_per_s, row.gbytes_per_s) << row.speed << " x" << row.width;
    }
}

/// What a machine file leaves out or takes for want of a number is noted, where it concerns the machine.
TEST(NcclReader, NotesWhatAMachineFileLacks) {
    const std::string bare = nccl_file(cpu("0", "3", pci("01:00.0", kGpuClass, kH100, kGen5, nvidia(0, 90, ""))));
    const auto notes = [](const std::string& text) { return make_machine_file(machine_of_texts({text}), "x").notes; };
    const char* latencies = "latencies are in no file: 150 ns are taken for each PCIe link, 3.2 ns for others";
    const char* devices = "network adapters, disks and other devices are left out: --graph shows them";
    EXPECT_THAT(notes(one_gpu()), AllOf(Contains(latencies), Contains(devices)));
    EXPECT_THAT(notes(bare), AllOf(Contains(latencies), Not(Contains(devices))));
    EXPECT_THAT(notes(numactl_file()), AllOf(Not(Contains(latencies)), Not(Contains(devices))));
}

TEST(NcclReader, TakesNodesOfEightForPartsOfPackages) {
    const FoundMachine machine = machine_of_texts({four_of_eight()});
    EXPECT_THAT(edge_list(machine),
                AllOf(StartsWith("smp pkg0 pkg1\nmem pkg0 numa1\nmem pkg0 numa3\nmem pkg1 numa5\n"),
                      HasSubstr("pci numa7 gpu3@71:00.0 31.507692\n"), HasSubstr("nv gpu3 nvswitch0 x12\n")));
    EXPECT_EQ(machine.parts[machine.all(PartType::package)[0]].model, "AMD, family 23");
}

TEST(NcclReader, TellsModels) {
    const FoundMachine machine = machine_of_texts({rccl_gpus()});
    EXPECT_EQ(machine.parts[machine.all(PartType::gpu)[0]].sms, 304U);
    EXPECT_EQ(machine.parts[machine.all(PartType::package)[0]].model, "AMD, family 25");
    EXPECT_THAT(machine_of_texts({one_gpu()}).parts[0].model, HasSubstr("Sapphire Rapids"));
    EXPECT_THAT(machine_of_texts({power9()}).parts[0].model, "POWER9");
    EXPECT_THAT(machine_of_texts({guest()}).notes,
                Contains(HasSubstr("B200 is taken, a GPU of compute capability 100")));
    EXPECT_EQ(machine_of_texts({guest()}, {"GB200", ""}).parts[1].model, "GB200") << "as the user says";
    EXPECT_THAT(machine_of_texts({grace_hopper()}).notes, Not(Contains(HasSubstr("no file shows"))));
    EXPECT_EQ(make_machine_file(machine_of_texts({grace_hopper()}), "x").system["cpu"]["memory"]["bandwidth_gbps"],
              512);
    for (const char* old : {"908", "910", "gfx90a", "gfx950"}) {
        std::string text = rccl_gpus();
        for (const char* word : {"gfx942", "0x74a1"})
            for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word))
                text.replace(at, 6, word[0] == 'g' ? old : "0xffff");
        EXPECT_NE(machine_of_texts({text}).parts[2].model, "") << old;
    }
}

/// Every PCI device and every architecture stands for a model of the table.
TEST(GpuIds, AreOfTheTable) {
    unsigned known = 0;
    for (const unsigned vendor : {0x10deU, 0x1002U})
        for (unsigned device = 0; device < 0x10000; ++device) known += gpu_of_pci(vendor, device) != nullptr ? 1 : 0;
    EXPECT_EQ(known, 65U);
    EXPECT_EQ(gpu_of_pci(0x10de, 0x233b)->model, "H200");
    EXPECT_EQ(gpu_of_pci(0x10de, 0x31c3)->model, "GB300");
    EXPECT_EQ(gpu_of_pci(0x1a03, 0x2330), nullptr);
    for (const char* name :
         {"60", "70", "75", "80", "86", "89", "90", "100", "103", "gfx908", "gfx90a", "gfx942", "gfx950"})
        EXPECT_NE(gpu_of_architecture(name), nullptr) << name;
    EXPECT_EQ(gpu_of_architecture("52"), nullptr);
}

// --- With other files ------------------------------------------------------------------------------------------------

std::string hwloc_of_two() {
    return hwloc_file("2.0", hwloc_package(0, hwloc_gpu({"0000", 0})) + hwloc_package(1, hwloc_gpu({"0003", 1})));
}

/// Of the GPUs of hwloc_of_two(); `mine` and `other`: PCI domains.
std::string nccl_of_two(const std::string& node = "0", const std::string& domain = "0003") {
    const auto gpu = [](const std::string& mine, unsigned number, const std::string& other) {
        return fmt::format("<pci busid=\"{}:01:00.0\" class=\"0x030200\" vendor=\"0x10de\" device=\"0x15f9\" "
                           "link_speed=\"8.0 GT/s PCIe\" link_width=\"16\">\n{}</pci>\n",
                           mine, nvidia(number, 60, link_to(other + ":01:00.0", 2, "0x030200")));
    };
    return nccl_file(cpu(node, "3", gpu("0000", 0, domain)) + cpu("1", "c", gpu(domain, 1, "0000")));
}

TEST(NcclFiles, CompleteOthers) {
    const std::string both = edges_of({hwloc_of_two(), nccl_of_two()});
    EXPECT_THAT(both, AllOf(StartsWith(edges_of({hwloc_of_two()})), HasSubstr("nv gpu0 gpu1 x2\n")));
    EXPECT_EQ(both, edges_of({nccl_of_two(), hwloc_of_two()})) << "whatever their order";
    EXPECT_THAT(machine_of_texts({hwloc_of_two(), nccl_of_two()}).notes, Not(Contains(HasSubstr("has NVLinks, and"))));
    const std::string numa =
        numactl_text({{0, "0 1", 1000}, {1, "2 3", 2000}, {2, "4 5", 3000}}, "0: 10 21 21\n1: 21 10 21\n2: 21 21 10\n");
    EXPECT_EQ(edges_of({nccl_of_two(), numa}),
              "smp pkg0 pkg1\nsmp pkg0 pkg2\nsmp pkg1 pkg2\npci pkg0 gpu0@01:00.0 15.753846\n"
              "pci pkg1 gpu1@0003:01:00.0 15.753846\nnv gpu0 gpu1 x2\n");
    EXPECT_EQ(machine_of_texts({nccl_of_two(), numa}).nodes[2].memory_bytes, std::uint64_t{3000} << 20);
    const std::string topo = "GPU0 GPU1 CPU Affinity\nGPU0 X NV2 0-1\nGPU1 NV2 X 2-3\n";
    EXPECT_EQ(edges_of({nccl_of_two(), topo}), edges_of({nccl_of_two()}));
    const std::string first = nccl_file(cpu("0", "3", pci("01:00.0", kGpuClass, "", "8 GT/s", nvidia(0, 60, ""))));
    EXPECT_EQ(edges_of({nccl_of_two(), first}), edges_of({nccl_of_two()})) << "that of another communicator";
}

TEST(NcclFiles, AreRefusedIfTheyContradict) {
    const auto named = [](const char* what) {
        return AllOf(StartsWith("b"), HasSubstr(what), HasSubstr("contradicts a"));
    };
    EXPECT_THAT(refusal_of({hwloc_of_two(), nccl_of_two("0", "0007")}),
                named("the GPU at 0007:01:00.0, which is not there,"));
    EXPECT_THAT(refusal_of({hwloc_of_two(), nccl_of_two("4")}), named("NUMA node 4, which is not there,"));
    const std::string swapped =
        nccl_file(cpu("0", "3", "") + cpu("1", "c", pci("01:00.0", kGpuClass, "", "8 GT/s", nvidia(0, 60, ""))));
    EXPECT_THAT(refusal_of({hwloc_of_two(), swapped}), named("gpu0 is at pkg1 here, which, with pkg0 there,"));
    EXPECT_THAT(refusal_of({numactl_text({{0, "4 5", 10}, {1, "6 7", 10}}), nccl_of_two()}),
                named("the CPUs 0-1 of NUMA node 0, with 4-5 there,"));
    const std::string linked = hwloc_file(
        "2.0", hwloc_package(0, hwloc_gpu({"0000", 0})) + hwloc_package(1, hwloc_gpu({"0003", 1})),
        R"(<distances2 type="OSDev" nbobjs="2" kind="9" name="NVLinkBandwidth" indexing="gp"><indexes>105 205</indexes><u64values>0 20000 20000 0</u64values></distances2>)");
    EXPECT_THAT(refusal_of({linked, nccl_of_two()}), named("gpu0 and gpu1 have 2 NVLinks here, which, with 1 there,"));
    EXPECT_THAT(refusal_of({four_gpus(), "GPU0 CPU Affinity\nGPU0 X 0-3\n"}), HasSubstr("its 1 GPUs contradict a"));
}

TEST(NcclFiles, NoteLinksOfOneEndAndOfLostOnes) {
    std::string text = nccl_of_two();
    text.replace(text.find("count=\"2\""), 9, "count=\"1\"");
    EXPECT_THAT(machine_of_texts({text}).notes, Contains(HasSubstr("20 GB/s one way and 40 the other: 20 are taken")));
    std::string once = nccl_of_two();
    const std::size_t at = once.rfind("<nvlink");
    once.erase(at, once.find('\n', at) - at);
    EXPECT_THAT(edges_of({once}), HasSubstr("nv gpu0 gpu1 x2\n"));
    std::string lost = four_gpus();
    for (const char* target : {"0000:01:00.0\" class", "dev=\"0\""})
        lost.replace(lost.find(target), target[0] == '0' ? 12 : 7, target[0] == '0' ? "0000:0a:00.0" : "dev=\"9\"");
    EXPECT_THAT(machine_of_texts({lost}).notes, Contains(HasSubstr("links to 2 devices that are no GPUs of the file")));
}

// --- Refusals --------------------------------------------------------------------------------------------------------

struct BrokenNccl {
    const char *from, *to; ///< of one_gpu()
    const char* sentence;
};
class BrokenNcclFile : public ::testing::TestWithParam<BrokenNccl> {};
TEST_P(BrokenNcclFile, IsRefusedWithItsPlace) {
    const BrokenNccl& row = GetParam();
    std::string text = one_gpu();
    const std::size_t at = text.find(row.from);
    ASSERT_NE(at, std::string::npos) << row.from;
    text.replace(at, std::string(row.from).size(), row.to);
    EXPECT_THAT(refusal_of({text}), AllOf(StartsWith("a"), HasSubstr(row.sentence)));
}
INSTANTIATE_TEST_SUITE_P(
    Table, BrokenNcclFile,
    ::testing::Values(
        BrokenNccl{"version=\"1\"", "version=\"3\"", "a: line 1: the system has version '3'; 1 and 2 are read"},
        BrokenNccl{" version=\"1\"", "", "a: line 1: the system has version ''"},
        BrokenNccl{"numaid=\"0\"", "", "a: line 2: <cpu> has no numaid"},
        BrokenNccl{"numaid=\"0\"", "numaid=\"x\"", "a: line 2: numaid of <cpu> is 'x'; a whole number up to 65536"},
        BrokenNccl{"00000000,0000ffff", "ffz", "a: line 2: affinity 'ffz' is no set of CPUs"},
        BrokenNccl{"busid=\"0000:18:00.0\"", "", "a: line 3: <pci> has no busid; a PCI address is expected"},
        BrokenNccl{"0000:18:00.0", "18:00.0", "a: line 3: busid of <pci> is '18:00.0'; a PCI address such as"},
        BrokenNccl{"0000:18:00.0", "0000:1g:00.0", "busid of <pci> is '0000:1g:00.0'"},
        BrokenNccl{"0000:1a:00.0", "0000:18:00.0", "a: line 4: the PCI address 0000:18:00.0 is there twice"},
        BrokenNccl{"32.0 GT/s PCIe", "fast", "a: line 3: link_speed of <pci> is 'fast'; one such as '16.0 GT/s PCIe'"},
        BrokenNccl{"32.0 GT/s PCIe", "-1 GT/s", "link_speed of <pci> is '-1 GT/s'"},
        BrokenNccl{"link_width=\"16\"", "link_width=\"many\"", "a: line 3: link_width of <pci> is 'many'"},
        BrokenNccl{"link_width=\"16\"", "link_width=\"64\"", "link_width of <pci> is 64; lanes up to 32 are expected"},
        BrokenNccl{"device=\"0xc030\"", "device=\"0xc0301\"",
                   "device of <pci> is '0xc0301'; a whole number up to 65535"},
        BrokenNccl{"dev=\"0\" sm", "dev=\"zero\" sm", "a: line 5: dev of <gpu> is 'zero'"},
        BrokenNccl{"sm=\"90\"", "sm=\"-90\"", "a: line 5: sm of <gpu> is '-90'"},
        BrokenNccl{"count=\"4\"", "", "a: line 6: <nvlink> has no count; a whole number up to 1024"},
        BrokenNccl{"count=\"4\"", "count=\"0\"", "a: line 6: count of <nvlink> is 0; 1 or more is expected"},
        BrokenNccl{"count=\"4\"", "count=\"4.5\"", "a: line 6: count of <nvlink> is '4.5'"},
        BrokenNccl{"target=\"0000:05:00.0\"", "", "a: line 6: <nvlink> has no target"},
        BrokenNccl{"target=\"0000:05:00.0\"", "target=\"05\"", "a: line 6: target of <nvlink> is '05'"},
        BrokenNccl{"<nvlink target=\"0000:05:00.0\" count=\"4\"", "<c2c bw=\"44712\"", "a: line 6: <c2c> has no count"},
        BrokenNccl{"</system>", "", "the XML ends too early"}, BrokenNccl{"</gpu>", "</gpus>", "this is no sound XML"},
        BrokenNccl{"<system version=\"1\">", "<system version=\"1\"><cpu host_hash=\"0x1\" numaid=\"0\"/>",
                   "a: line 2: NUMA node 0 is there twice"},
        BrokenNccl{"<system version=\"1\">", "<system version=\"1\"><cpu host_hash=\"0x2\" numaid=\"0\"/>",
                   "a: line 1: it has the CPUs of 2 hosts; those of one are expected"}),
    [](const auto& row) { return fmt::format("Row{}", row.index); });

TEST(BrokenNcclFile, OfOtherRootsIsRefused) {
    EXPECT_THAT(refusal_of({"<system version=\"1\"/>"}), HasSubstr("a: line 1: the system has no <cpu>"));
    EXPECT_THAT(refusal_of({"<graphs version=\"1\"><graph id=\"0\"/></graphs>"}),
                HasSubstr("a: line 1: these are the channels that NCCL chose"));
    EXPECT_THAT(refusal_of({"<svg/>"}), HasSubstr("the root element is <svg>; <topology> is expected"));
    EXPECT_THAT(refusal_of({four_gpus() + "<system/>"}), HasSubstr("this is no sound XML"));
    const std::string twice = four_gpus();
    EXPECT_THAT(refusal_of({std::string(twice).replace(twice.find("dev=\"3\""), 7, "dev=\"2\"")}),
                HasSubstr("GPU 2 is there twice; numbers must differ"));
}

} // namespace
} // namespace numavp::test
