/// Machines drawn from seeds, written in each form and read: the same machine comes back, part by part and link by
/// link. Holes that are put in are refused, with their place.
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "communication/import/machine_writer.h"
#include "communication/import/part_facts.h"
#include "tests/communication/import/drawn_machine.h"
#include "tests/communication/import/samples.h"
#include "tests/support/fast_build.h"

namespace numavp::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::uint64_t drawn_machines() { return whole_run() ? 300 : 15; }

/// Edges of some kinds, of all without kinds.
std::set<std::string> edges_of_kinds(const FoundMachine& machine, const std::set<std::string>& kinds) {
    std::set<std::string> found;
    std::istringstream lines(edge_list(machine));
    for (std::string line; std::getline(lines, line);)
        if (kinds.count(line.substr(0, line.find(' '))) != 0) {
            EXPECT_TRUE(found.insert(line).second) << line << " twice";
        }
    return found;
}

const std::set<std::string> kOfNodes{"smp", "mem"}, kOfGpus{"nv", "xgmi"}, kOfPci{"pci"};

FoundMachine read_drawn(const DrawnMachine& drawn, const std::vector<std::string>& texts) {
    return machine_of_texts(texts, {drawn.gpus.empty() ? "" : drawn.model, ""});
}

const FoundNode* node_of(const FoundMachine& machine, unsigned id) {
    for (const FoundNode& node : machine.nodes)
        if (node.id == id) return &node;
    return nullptr;
}

std::string cpus_text(const DrawnNode& node) {
    IdSet set;
    for (unsigned c = 0; c < node.cpus; ++c) set.ids.insert(node.first_cpu + c);
    return set.text();
}

/// Nodes with their packages, CPUs, memories, places, distances; `all`: those without memory too, which hwloc leaves
/// out.
void expect_nodes(const DrawnMachine& drawn, const FoundMachine& machine, bool all) {
    EXPECT_EQ(edges_of_kinds(machine, kOfNodes), drawn.edges_of_nodes());
    EXPECT_EQ(machine.all(PartType::package).size(), drawn.packages);
    std::size_t expected = 0;
    for (std::size_t n = 0; n < drawn.nodes.size(); ++n) {
        const DrawnNode& one = drawn.nodes[n];
        if (one.mebibytes == 0 && !all) continue;
        ++expected;
        const FoundNode* found = node_of(machine, one.id);
        ASSERT_NE(found, nullptr) << "node " << one.id;
        EXPECT_EQ(found->memory_bytes, std::uint64_t{one.mebibytes} << 20) << "node " << one.id;
        EXPECT_EQ(found->cpus.text(), cpus_text(one)) << "node " << one.id;
        EXPECT_EQ(machine.parts[found->part].name, drawn.place_of(n)) << "node " << one.id;
        for (std::size_t other = 0; other < drawn.nodes.size(); ++other)
            if (all || drawn.nodes[other].mebibytes != 0) {
                EXPECT_EQ(machine.distances.at({one.id, drawn.nodes[other].id}), drawn.distance(n, other));
            }
    }
    EXPECT_EQ(machine.nodes.size(), expected);
}

void expect_gpus(const DrawnMachine& drawn, const FoundMachine& machine, bool with_links) {
    const auto gpus = machine.all(PartType::gpu);
    ASSERT_EQ(gpus.size(), drawn.gpus.size());
    for (std::size_t g = 0; g < gpus.size(); ++g) {
        EXPECT_EQ(machine.parts[gpus[g]].model, drawn.model);
        const auto root = machine.pci_root_of(gpus[g]);
        ASSERT_TRUE(root) << "gpu " << g;
        EXPECT_EQ(machine.parts[*root].name, drawn.place_of(drawn.gpus[g].node)) << "gpu " << g;
        for (std::size_t h = 0; h < g; ++h)
            EXPECT_EQ(machine.pci_parent(gpus[g]) == machine.pci_parent(gpus[h]),
                      drawn.gpus[g].pci_switch != 0 && drawn.gpus[g].pci_switch == drawn.gpus[h].pci_switch)
                << "gpus " << h << " and " << g;
    }
    if (!with_links) return;
    EXPECT_EQ(edges_of_kinds(machine, kOfGpus), drawn.edges_of_gpus());
    const double each = drawn.fabric == DrawnFabric::xgmi ? 50 : gpu_facts(drawn.model)->link_gbytes_per_s;
    for (std::size_t a = 0; a < gpus.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
            for (const LinkType type : {LinkType::nv, LinkType::xgmi})
                if (const FoundLink* link = machine.link_between(type, gpus[a], gpus[b])) {
                    EXPECT_DOUBLE_EQ(link->gbytes_per_s, each * drawn.lanes[a][b]);
                }
}

/// hwloc has all, but for nodes without memory.
void expect_hwloc(const DrawnMachine& drawn, const FoundMachine& machine, bool all_nodes) {
    expect_nodes(drawn, machine, all_nodes);
    expect_gpus(drawn, machine, true);
    EXPECT_EQ(edges_of_kinds(machine, kOfPci), drawn.edges_of_pci());
    for (const DrawnNode& one : drawn.nodes)
        if (one.mebibytes != 0) {
            EXPECT_NEAR(node_of(machine, one.id)->memory_gbytes_per_s, one.mebibytes_per_s * 1048576.0 / 1e9, 1e-9);
        }
}

TEST(DrawnMachines, ComeBackFromHwloc) {
    for (std::uint64_t seed = 0; seed < drawn_machines(); ++seed) {
        SCOPED_TRACE(seed);
        const DrawnMachine drawn(seed);
        for (const char* version : {"2.0", "3.0"}) {
            const FoundMachine machine = machine_of_texts({drawn.hwloc(version)});
            expect_hwloc(drawn, machine, false);
            EXPECT_NO_THROW(make_machine_file(machine, "x"));
        }
    }
}

/// Of version 1 NVLinks are in no matrix; memoryless nodes are in the tree.
TEST(DrawnMachines, ComeBackFromHwlocOfVersion1) {
    for (std::uint64_t seed = 0; seed < drawn_machines(); ++seed) {
        SCOPED_TRACE(seed);
        DrawnMachine drawn(seed);
        drawn.told_packages = drawn.packages == 1;
        const FoundMachine machine = machine_of_texts({drawn.hwloc1()});
        expect_nodes(drawn, machine, true);
        expect_gpus(drawn, machine, false);
        EXPECT_EQ(edges_of_kinds(machine, kOfPci), drawn.edges_of_pci());
        EXPECT_NO_THROW(make_machine_file(machine, "x"));
    }
}

TEST(DrawnMachines, ComeBackFromNumactlAndTheMatrix) {
    for (std::uint64_t seed = 0; seed < drawn_machines(); ++seed) {
        SCOPED_TRACE(seed);
        DrawnMachine drawn(seed);
        drawn.told_packages = false;
        for (const bool compressed : {false, true})
            expect_nodes(drawn, machine_of_texts({drawn.numactl(compressed)}), true);
        if (drawn.gpus.empty() || drawn.fabric == DrawnFabric::xgmi) continue;
        const FoundMachine machine = read_drawn(drawn, {drawn.topo(), drawn.numactl(true)});
        expect_nodes(drawn, machine, true);
        // Of a pair with NVLinks the matrix does not tell where PCIe joins it.
        if (drawn.fabric == DrawnFabric::none) expect_gpus(drawn, machine, true);
        EXPECT_EQ(edges_of_kinds(machine, kOfGpus), drawn.edges_of_gpus());
    }
}

/// NCCL tells links of GPUs and how PCIe joins those; numactl tells NUMA nodes, hwloc both but for some links.
TEST(DrawnMachines, ComeBackFromNcclAndOthers) {
    for (std::uint64_t seed = 0; seed < drawn_machines(); ++seed) {
        SCOPED_TRACE(seed);
        DrawnMachine drawn(seed);
        if (drawn.gpus.empty()) continue;
        expect_hwloc(drawn, machine_of_texts({drawn.nccl(), drawn.hwloc("2.0", false), drawn.numactl(true)}), true);
        drawn.told_packages = false;
        const FoundMachine machine = machine_of_texts({drawn.nccl(), drawn.numactl(false)});
        expect_nodes(drawn, machine, true);
        expect_gpus(drawn, machine, true);
        EXPECT_NO_THROW(make_machine_file(machine, "x"));
    }
}

TEST(DrawnMachines, ComeBackFromFilesThatCompleteEachOther) {
    for (std::uint64_t seed = 0; seed < drawn_machines(); ++seed) {
        SCOPED_TRACE(seed);
        const DrawnMachine drawn(seed);
        expect_hwloc(drawn, machine_of_texts({drawn.numactl(false), drawn.hwloc("2.0")}), true);
        if (drawn.gpus.empty() || drawn.fabric == DrawnFabric::xgmi) continue;
        // The matrix adds NVLinks where hwloc has none.
        for (const bool with_nvlinks : {true, false}) {
            const FoundMachine machine =
                machine_of_texts({drawn.topo(), drawn.hwloc("3.0", with_nvlinks), drawn.numactl(true)});
            expect_hwloc(drawn, machine, true);
        }
    }
}

/// A line without its last word; the sentence names the file, and the line or what it misses.
TEST(DrawnMachines, AreRefusedForHoles) {
    for (std::uint64_t seed = 0; seed < drawn_machines(); ++seed) {
        SCOPED_TRACE(seed);
        const DrawnMachine drawn(seed);
        std::string numactl = drawn.numactl(false);
        numactl.erase(numactl.rfind(' ')); // of the last row of distances
        const auto lines = std::count(numactl.begin(), numactl.end(), '\n') + 1;
        EXPECT_THAT(refusal_of({numactl}), StartsWith(fmt::format("a: line {}: the row of node", lines)));
        std::string gone = drawn.numactl(true);
        const unsigned last = static_cast<unsigned>(drawn.nodes.size() + drawn.empty.size()) - 1;
        const std::size_t at = gone.find(fmt::format("node {} cpus:", last));
        gone.erase(at, gone.find('\n', at) + 1 - at);
        EXPECT_THAT(refusal_of({gone}), HasSubstr(fmt::format("the line of node {} with its CPUs is missing", last)));
        std::string xml = drawn.hwloc("2.0");
        xml.resize(xml.rfind("</topology"));
        EXPECT_THAT(refusal_of({xml}), HasSubstr("the XML ends too early"));
        std::string values = drawn.hwloc("3.0");
        values.erase(values.find("</u64values>") - 3, 3);
        EXPECT_THAT(refusal_of({values}), HasSubstr("values; "));
        if (drawn.gpus.empty()) continue;
        std::string topo = drawn.topo();
        const std::size_t row = topo.find(fmt::format("\nGPU{}", drawn.gpus.size() - 1));
        topo.erase(row, topo.find('\n', row + 1) - row);
        EXPECT_THAT(refusal_of({topo}), HasSubstr(fmt::format("the row of GPU{} is missing", drawn.gpus.size() - 1)));
    }
}

} // namespace
} // namespace numavp::test
