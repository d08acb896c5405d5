#include "communication/import/rocm_machine.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/values/error.h"
#include "communication/import/numa_groups.h"
#include "communication/import/part_facts.h"

namespace numavp {

namespace {

/// Weight of PCIe from a GPU to its CPU, in the least way from GPU to GPU twice; the weight between CPUs, which is the
/// distance of their NUMA nodes, comes to it (rocm_smi.cc, rsmi_topo_get_link_weight).
constexpr unsigned kWeightOfPcie = 20;

std::vector<unsigned> nodes_of_rocm(const RocmTable& table) {
    std::vector<unsigned> nodes;
    for (const RocmTable::Row& row : table.rows)
        if (row.node && std::find(nodes.begin(), nodes.end(), *row.node) == nodes.end()) nodes.push_back(*row.node);
    std::sort(nodes.begin(), nodes.end());
    return nodes;
}

/// Distances of NUMA nodes by weights between their GPUs; 0 where no two GPUs are joined by PCIe.
DistanceRows distances_of_rocm(const RocmTable& table, const std::vector<unsigned>& nodes) {
    DistanceRows distances(nodes.size(), std::vector<unsigned>(nodes.size(), 0));
    const auto place = [&](unsigned node) {
        return static_cast<std::size_t>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin());
    };
    for (std::size_t i = 0; i < table.rows.size(); ++i)
        for (std::size_t j = 0; j < table.rows.size(); ++j) {
            const RocmTable::Cell& cell = table.rows[i].cells[j];
            const auto& from = table.rows[i].node;
            const auto& to = table.rows[j].node;
            if (cell.way != RocmTable::Way::pcie || !from || !to || *from == *to) continue;
            if (cell.weight && *cell.weight > 2 * kWeightOfPcie)
                distances[place(*from)][place(*to)] = *cell.weight - 2 * kWeightOfPcie;
        }
    return distances;
}

[[noreturn]] void contradict_rocm(const FoundMachine& machine, const RocmTable& table, std::size_t row,
                                  const std::string& what) {
    throw ConfigError(fmt::format("{}: line {}", table.file, table.rows[row].line),
                      fmt::format("{} contradicts {}; files of one machine are expected", what, machine.source));
}

const FoundNode* node_of_row(const FoundMachine& machine, const RocmTable::Row& row) {
    for (const FoundNode& node : machine.nodes)
        if (row.node && node.id == *row.node) return &node;
    return nullptr;
}

} // namespace

FoundMachine packages_of_rocm(const RocmTable& table) {
    FoundMachine machine;
    machine.source = table.file;
    std::vector<unsigned> nodes = nodes_of_rocm(table);
    if (nodes.empty()) nodes.push_back(0);
    const DistanceRows distances = distances_of_rocm(table, nodes);
    const NodeGroups groups = groups_by_distance(distances);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const std::size_t group = groups.of_node[n];
        if (group == machine.parts.size()) {
            FoundPart part;
            part.type = PartType::package;
            part.name = fmt::format("pkg{}", group);
            machine.add(std::move(part));
        }
        FoundNode node;
        node.id = nodes[n];
        node.package = group;
        machine.nodes.push_back(std::move(node));
        for (std::size_t other = 0; other < nodes.size(); ++other)
            machine.set_distance(nodes[n], nodes[other], distances[n][other]);
    }
    if (!machine.distances.empty())
        add_note(machine.notes, fmt::format("distances of NUMA nodes follow from the weights of PCIe in {}: {} less",
                                            table.file, 2 * kWeightOfPcie));
    add_note(machine.notes,
             groups.within == 0
                 ? fmt::format("{} names no packages: each NUMA node of a GPU counts as one", table.file)
                 : fmt::format("{} names no packages: NUMA nodes at distances up to {} count as parts of one",
                               table.file, groups.within));
    join_packages(machine);
    return machine;
}

void add_rocm_devices(FoundMachine& machine, const RocmTable& table) {
    const std::vector<std::size_t> packages = machine.all(PartType::package);
    std::vector<std::size_t> parts;
    for (std::size_t g = 0; g < table.rows.size(); ++g) {
        FoundPart part;
        part.type = PartType::gpu;
        part.name = fmt::format("gpu{}", g);
        parts.push_back(machine.add(std::move(part)));
    }
    for (std::size_t g = 0; g < table.rows.size(); ++g) {
        const FoundNode* const node = node_of_row(machine, table.rows[g]);
        const std::size_t above = node ? node->part : packages.front();
        if (!node && packages.size() > 1)
            add_note(machine.notes, fmt::format("{} does not say at which package GPU{} is: {} is taken", table.file,
                                                table.rows[g].number, machine.parts[above].name));
        FoundPart bridge;
        bridge.type = PartType::host_bridge;
        bridge.name = fmt::format("hb{}", g);
        const std::size_t between = machine.add(std::move(bridge));
        machine.links.push_back({LinkType::pci, above, between, 0, 1});
        machine.links.push_back({LinkType::pci, between, parts[g], 0, 1});
    }
    machine.has_devices = true;
}

void add_rocm_links(FoundMachine& machine, const RocmTable& table) {
    machine.knows_xgmi = true;
    const std::vector<std::size_t> gpus = machine.all(PartType::gpu);
    for (std::size_t a = 0; a < gpus.size(); ++a)
        for (std::size_t b = a + 1; b < gpus.size(); ++b) {
            if (!table.is_direct(a, b)) continue;
            const RocmTable::Cell& cell = table.rows[a].cells[b];
            double gbytes_per_s = cell.most.value_or(0) / 1000;
            if (gbytes_per_s == 0) {
                const GpuFacts* facts = gpu_facts(machine.parts[gpus[a]].model);
                const bool known = facts && facts->nvlink == 0 && facts->link_gbytes_per_s > 0;
                gbytes_per_s = known ? facts->link_gbytes_per_s : kAssumedXgmi;
                add_note(machine.notes,
                         fmt::format("{} does not say what xGMI carries: one link of {:g} GB/s a direction{} is taken; "
                                     "rocm-smi --shownodesbw tells it{}",
                                     table.file, gbytes_per_s,
                                     known ? fmt::format(", a {}'s,", facts->model) : ", an MI210's,",
                                     known ? "" : ", and --gpu the model"));
            }
            machine.links.push_back({LinkType::xgmi, gpus[a], gpus[b], gbytes_per_s, 1});
        }
}

void compare_rocm(const FoundMachine& machine, const RocmTable& table) {
    const std::vector<std::size_t> gpus = machine.all(PartType::gpu);
    if (gpus.size() != table.rows.size())
        throw ConfigError(table.file,
                          fmt::format("its {} GPUs contradict {}, which has {}; files of one machine are expected",
                                      table.rows.size(), machine.source, gpus.size()));
    for (std::size_t a = 0; a < gpus.size(); ++a) {
        const FoundNode* const node = node_of_row(machine, table.rows[a]);
        const std::optional<std::size_t> there = machine.package_of(gpus[a]);
        if (node && node->package && there && *there != *node->package)
            contradict_rocm(machine, table, a,
                            fmt::format("GPU{} is at {} here, which, with {} there,", table.rows[a].number,
                                        machine.parts[*node->package].name, machine.parts[*there].name));
        for (std::size_t b = 0; b < a && machine.knows_xgmi; ++b) {
            const bool here = table.is_direct(a, b),
                       linked = machine.link_between(LinkType::xgmi, gpus[a], gpus[b]) != nullptr;
            if (here != linked)
                contradict_rocm(machine, table, a,
                                fmt::format("that xGMI {} GPU{} and GPU{}", here ? "joins" : "does not join",
                                            table.rows[b].number, table.rows[a].number));
        }
    }
}

} // namespace numavp
