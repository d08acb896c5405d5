/// Files that complete or contradict each other, paths over what was found, and the machine file of it.
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/config/config.h"
#include "communication/import/found_paths.h"
#include "communication/import/machine_writer.h"
#include "tests/communication/import/samples.h"
#include "tests/support/places.h"

namespace numavp::test {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string without_nvlinks() {
    return hwloc_file("2.0", hwloc_package(0, hwloc_gpu({"0002", 0}) + hwloc_gpu({"0003", 1})) + hwloc_package(1, ""));
}

TEST(JoinSources, AddsNvlinksOfTheMatrix) {
    const std::string topo = "GPU0 GPU1 CPU Affinity\nGPU0 X NV2 0-1\nGPU1 NV2 X 0-1\n";
    EXPECT_THAT(machine_of_texts({without_nvlinks()}).notes,
                Contains(HasSubstr("a P100 has NVLinks, and no file shows")));
    EXPECT_THAT(edges_of({without_nvlinks(), topo}), HasSubstr("nv pkg0 gpu0 x2\nnv pkg0 gpu1 x2\nnv gpu0 gpu1 x2\n"));
    EXPECT_EQ(edges_of({topo, without_nvlinks()}), edges_of({without_nvlinks(), topo})) << "whatever their order";
}

TEST(JoinSources, AddsGpusOfTheMatrixToNodes) {
    EXPECT_THAT(edges_of({numactl_file(), topo_file()}), HasSubstr("pci pkg1 hb1 0\npci hb1 gpu2 0\n"));
    const std::string bare = hwloc_file("2.0", hwloc_package(0, "") + hwloc_package(1, ""));
    const std::string topo = "GPU0 GPU1 CPU Affinity\nGPU0 X SYS 0-1\nGPU1 SYS X 2-3\n";
    EXPECT_EQ(edges_of({bare, topo}),
              "smp pkg0 pkg1\npci pkg0 hb0 0\npci hb0 gpu0 0\npci pkg1 hb1 0\npci hb1 gpu1 0\n");
}

TEST(JoinSources, AddsDistances) {
    const std::string table =
        "available: 2 nodes (0-1)\nnode 0 cpus: 0 1\nnode 0 size: 16384 MB\nnode 1 cpus: 2 3\nnode 1 size: 16000 MB\n"
        "node distances:\nnode 0 1\n0: 10 40\n1: 40 10\n";
    EXPECT_EQ(edges_of({power_file(), table}), edges_of({power_file()}));
}

TEST(JoinSources, RefusesContradictions) {
    const auto refused = [](const std::string& other) { return refusal_of({power_file(), other}); };
    const auto named = [](const char* what) {
        return AllOf(StartsWith("b"), HasSubstr(what), HasSubstr("contradicts a"));
    };
    EXPECT_THAT(refused("GPU0 CPU Affinity\nGPU0 X 0-1\n"),
                AllOf(StartsWith("b: its 1 GPUs contradict a, which has 2")));
    EXPECT_THAT(refused("GPU0 GPU1 CPU Affinity\nGPU0 X NV2 0-1\nGPU1 NV2 X 2-3\n"),
                named("GPU0 and GPU1 have 2 NVLinks here, which, with 0 there,"));
    EXPECT_THAT(refused("GPU0 GPU1 CPU Affinity\nGPU0 X PHB 0-1\nGPU1 PHB X 2-3\n"),
                named("GPU0 and GPU1 are PHB here, which, with different packages there,"));
    EXPECT_THAT(refused("GPU0 GPU1 CPU Affinity\nGPU0 X SYS 2-3\nGPU1 SYS X 2-3\n"),
                named("GPU0 is at pkg1 here, which, with pkg0 there,"));
    EXPECT_EQ(refused("GPU0 GPU1 CPU Affinity\nGPU0 X SYS 0-1\nGPU1 SYS X 2-3\n"), "");
    EXPECT_THAT(refused("available: 1 nodes (0)\nnode 0 cpus: 0 1 2 3\nnode 0 size: 16384 MB\n"),
                named("no NUMA node 1"));
    EXPECT_THAT(refused(numactl_file()), named("a distance of 21 from node 0 to 1, with 40 there,"));
    EXPECT_THAT(refused("node 0 cpus: 0 1\nnode 0 size: 9000 MB\nnode 1 cpus: 2 3\nnode 1 size: 16384 MB\n"),
                named("a memory of 9000 MiB of NUMA node 0, with 16384 there,"));
    EXPECT_THAT(refused(without_nvlinks()),
                AllOf(StartsWith("b: it contradicts a ("), HasSubstr("files of one machine")));
    const std::string same = hwloc_file(
        "2.0", hwloc_package(0, hwloc_gpu({"0002", 0}) + hwloc_gpu({"0003", 1})),
        R"(<distances2 type="OSDev" nbobjs="2" kind="9" name="NVLinkBandwidth"><indexes>105 205</indexes><u64values>0 40000 40000 0</u64values></distances2>)");
    EXPECT_THAT(refusal_of({same, "GPU0 GPU1 CPU Affinity\nGPU0 X PIX 0-1\nGPU1 PIX X 0-1\n"}),
                HasSubstr("GPU0 and GPU1 have 0 NVLinks here, which, with 2 there,"));
}

TEST(FoundPaths, LeadThroughNoGpu) {
    const FoundMachine machine = machine_of_texts({power_file()});
    EXPECT_EQ(paths_text(machine), "numa0 numa1 38.4 GB/s pkg0 =smp= pkg1\n"
                                   "numa0 cuda0 40 GB/s pkg0 =nv x2= gpu0\n"
                                   "numa0 cuda1 38.4 GB/s pkg0 =smp= pkg1 =nv x2= gpu1\n"
                                   "numa1 cuda0 38.4 GB/s pkg1 =smp= pkg0 =nv x2= gpu0\n"
                                   "numa1 cuda1 40 GB/s pkg1 =nv x2= gpu1\n"
                                   "cuda0 cuda1 38.4 GB/s gpu0 =nv x2= pkg0 =smp= pkg1 =nv x2= gpu1\n");
    const std::string chain =
        "GPU0 GPU1 GPU2 CPU Affinity\nGPU0 X NV1 SOC 0-7\nGPU1 NV1 X NV1 0-7\nGPU2 SOC NV1 X 0-7\n";
    for (const FoundPath& path : found_paths(machine_of_texts({chain})))
        for (std::size_t i = 1; i + 1 < path.parts.size(); ++i)
            EXPECT_NE(machine_of_texts({chain}).parts[path.parts[i]].type, PartType::gpu);
}

TEST(MachineWriter, WritesWhatLoads) {
    const MachineText made = make_machine_file(machine_of_texts({power_file()}), "");
    const ordered_json& s = made.system;
    EXPECT_EQ(s["name"], "test-1");
    EXPECT_EQ(s["parts"].dump(), R"([{"name":"gpu","count":2,"kind":"gpu"},{"name":"cpu","count":2,"kind":"cpu"},)"
                                 R"({"name":"pcie","count":2,"kind":"router"}])");
    EXPECT_EQ(s["gpu"]["sms"], 56);
    EXPECT_EQ(s["gpu"]["memory"]["capacity_gib"], 16);
    EXPECT_EQ(s["cpu"]["memory"]["bandwidth_gbps"], 115.2) << "of a POWER8, as the shipped s822lc has it";
    EXPECT_EQ(s["network"]["wires"].back().dump(), R"({"from":"cpu[1]","to":"gpu[1]","link":"nvlink_cpu"})");
    EXPECT_EQ(parse_json(machine_text(s), "text"), json::parse(s.dump()));
}

/// Each kind of machine gives a file that the reader takes: make_machine_file loads it.
TEST(MachineWriter, WritesMachinesOfManyKinds) {
    const std::string nv18 = "GPU0 GPU1 GPU2 CPU Affinity NUMA Affinity\nGPU0 X NV18 NV18 0-7 0\nGPU1 NV18 X NV18 0-7 "
                             "0\nGPU2 NV18 NV18 X 8-15 1\n";
    const std::string plain = hwloc_file("2.0", hwloc_package(0, ""));
    const std::string clusters = hwloc_file(
        "2.0", R"(<object type="Package" cpuset="0xf"><object type="Group" cpuset="0x3">
<object type="NUMANode" os_index="0" cpuset="0x3"/></object><object type="Group" cpuset="0xc"><object type="NUMANode" os_index="1" cpuset="0xc"/>)" +
                   hwloc_gpu({}) + R"(</object><object type="NUMANode" os_index="2" cpuset="0xf"/></object>)");
    const std::string shared = hwloc_file(
        "2.0",
        R"(<object type="NUMANode" os_index="0" cpuset="0xf"/><object type="Package" cpuset="0x3"/><object type="Package" cpuset="0xc"/>)");
    for (const std::string& text :
         {power_file(), power_file("3.0"), topo_file(), numactl_file(), nv18, plain, clusters, shared})
        EXPECT_NO_THROW(make_machine_file(machine_of_texts({text}), "x")) << text;
    const MachineText cores = make_machine_file(machine_of_texts({plain}), "x");
    EXPECT_EQ(cores.system["cpu"]["sms"], 1);
    EXPECT_THAT(cores.notes, Contains(HasSubstr("no GPU was found")));
    EXPECT_FALSE(cores.system.contains("network"));
    const ordered_json fast = make_machine_file(machine_of_texts({nv18}), "x").system["network"];
    EXPECT_EQ(fast["flit_bytes"], 144) << "450 GB/s of NVLink and 63 of PCIe";
    EXPECT_FALSE(fast.contains("noc_khz"));
}

TEST(MachineWriter, RefusesTooManySockets) {
    std::string text = "available: 257 nodes (0-256)\n";
    for (unsigned i = 0; i < 257; ++i) text += fmt::format("node {0} cpus: {0}\nnode {0} size: 1024 MB\n", i);
    const FoundMachine machine = machine_of_texts({text});
    EXPECT_THAT([&] { make_machine_file(machine, "x"); },
                ::testing::ThrowsMessage<ConfigError>(
                    AllOf(StartsWith("a: what was found does not make a system of numavp"), HasSubstr("--graph"))));
}

// --- The files that the thesis' machines gave, where they are there --------------------------------------------------

const std::string kFiles = source_dir() + "/../shared/topologies/";

std::string content(const std::string& name) {
    const char* folder = std::getenv("NUMAVP_SHARED_TOPOLOGIES"); // NOLINT(concurrency-mt-unsafe)
    std::ifstream in((folder != nullptr ? std::string(folder) + "/" : kFiles) + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// An edge, with its ends in the order of their names unless it is of PCIe.
std::string edge_of(const std::string& line) {
    std::istringstream words(line);
    std::string kind, a, b, rest;
    words >> kind >> a >> b;
    std::getline(words, rest);
    if (kind != "pci" && b < a) std::swap(a, b);
    return kind + " " + a + " " + b + rest;
}

std::set<std::string> edges_in(const std::string& text) {
    std::set<std::string> edges;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (!line.empty() && line[0] != '#' && line[0] != '[') edges.insert(edge_of(line));
    return edges;
}

std::set<std::string> thesis_graph(const std::string& machine) {
    const std::string all = content("thesis-appendix-a-graphs.txt");
    const std::size_t from = all.find("[" + machine + "]"), to = all.find("\n[", from);
    return edges_in(all.substr(from, to == std::string::npos ? to : to - from));
}

/// The tree from a package to GPUs and adapters: bridges with one way on are left out, numbers of devices too.
std::multiset<std::string> branches(const std::set<std::string>& edges) {
    std::map<std::string, std::vector<std::string>> below;
    for (const std::string& edge : edges) {
        std::istringstream words(edge);
        std::string kind, a, b;
        words >> kind >> a >> b;
        if (kind == "pci") below[a].push_back(b.substr(0, b.find('@')));
    }
    const std::function<std::string(const std::string&)> shape = [&](const std::string& part) -> std::string {
        std::multiset<std::string> ways;
        for (const std::string& one : below[part])
            if (std::string way = shape(one); !way.empty()) ways.insert(std::move(way));
        if (part.compare(0, 3, "gpu") == 0) return part;
        if (part.compare(0, 3, "nic") == 0 || part.compare(0, 3, "mlx") == 0) return "nic";
        if (ways.size() < 2) return ways.empty() ? std::string() : *ways.begin();
        std::string text = "(";
        for (const std::string& way : ways) text += way + " ";
        return text + ")";
    };
    return {"pkg0 " + shape("pkg0"), "pkg1 " + shape("pkg1")};
}

std::set<std::string> of_kind(const std::set<std::string>& edges, const std::string& kind) {
    std::set<std::string> found;
    for (const std::string& edge : edges)
        if (edge.compare(0, kind.size() + 1, kind + " ") == 0) found.insert(edge);
    return found;
}

class GivenFiles : public ::testing::Test {
  protected:
    void SetUp() override {
        if (content("thesis-appendix-a-graphs.txt").empty()) GTEST_SKIP() << "there are no files of real machines";
    }
};

/// Every edge of the thesis but those of the network adapter, which the file's machine does not have.
TEST_F(GivenFiles, S822lcIsTheThesisGraph) {
    std::set<std::string> expected;
    for (const std::string& edge : thesis_graph("s822lc"))
        if (edge.find("0008:") == std::string::npos) expected.insert(edge);
    ASSERT_EQ(expected.size(), 19U);
    for (const char* name : {"ibm-s822lc-8335-gtb-4xP100.hwloc-v2.xml", "ibm-s822lc-8335-gtb-4xP100.hwloc-v3.xml"}) {
        const std::set<std::string> found = edges_in(edges_of({content(name)}));
        const auto ends = [](const std::set<std::string>& edges) { // the transcription has the bridge's speed for both
            std::set<std::string> kept;
            for (const std::string& edge : edges)
                kept.insert(edge.compare(0, 3, "pci") == 0 ? edge.substr(0, edge.rfind(' ')) : edge);
            return kept;
        };
        EXPECT_EQ(ends(found), ends(expected)) << name;
    }
    const std::set<std::string> topo = edges_in(edges_of({content("nvidia-smi-topo-m.s822lc-4xP100.txt")}));
    EXPECT_EQ(of_kind(topo, "nv"), of_kind(expected, "nv"));
    EXPECT_EQ(of_kind(topo, "smp"), of_kind(expected, "smp"));
    EXPECT_EQ(branches(topo), branches(expected));
    EXPECT_EQ(
        edges_of({content("ibm-s822lc-8335-gtb-4xP100.hwloc-v2.xml"), content("nvidia-smi-topo-m.s822lc-4xP100.txt")}),
        edges_of({content("ibm-s822lc-8335-gtb-4xP100.hwloc-v2.xml")}));
}

TEST_F(GivenFiles, Dgx1IsTheThesisGraph) {
    const std::set<std::string> expected = thesis_graph("dgx-1");
    const std::set<std::string> found = edges_in(edges_of({content("nvidia-smi-topo-m.dgx1-8xP100.txt")}));
    EXPECT_EQ(of_kind(found, "nv"), of_kind(expected, "nv"));
    EXPECT_EQ(of_kind(found, "nv").size(), 16U);
    EXPECT_EQ(of_kind(found, "smp"), of_kind(expected, "smp"));
    EXPECT_EQ(branches(found), branches(expected));
}

TEST_F(GivenFiles, OfTwoMachinesAreRefused) {
    EXPECT_THAT(
        refusal_of({content("ibm-s822lc-8335-gtb-4xP100.hwloc-v3.xml"), content("nvidia-smi-topo-m.dgx1-8xP100.txt")}),
        HasSubstr("its 8 GPUs contradict a, which has 4"));
}

} // namespace
} // namespace numavp::test
