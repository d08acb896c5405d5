#include "communication/import/found_machine.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace numavp {

namespace {

/// Distances of packages: of their nearest nodes; 0 where it is not known.
std::vector<std::vector<unsigned>> package_distances(const FoundMachine& m, const std::vector<std::size_t>& packages) {
    std::vector<std::vector<unsigned>> table(packages.size(), std::vector<unsigned>(packages.size(), 0));
    std::map<unsigned, std::size_t> package_of; // by NUMA node
    for (const FoundNode& node : m.nodes)
        for (std::size_t p = 0; p < packages.size(); ++p)
            if (node.package == packages[p]) package_of[node.id] = p;
    for (const auto& [pair, distance] : m.distances) {
        const auto from = package_of.find(pair.first), to = package_of.find(pair.second);
        if (from == package_of.end() || to == package_of.end()) continue;
        unsigned& least = table[from->second][to->second];
        if (least == 0 || distance < least) least = distance;
    }
    return table;
}

bool all_reached(std::size_t count, const std::vector<std::pair<std::size_t, std::size_t>>& pairs) {
    std::vector<std::size_t> group(count);
    for (std::size_t i = 0; i < count; ++i) group[i] = i;
    for (const auto& [a, b] : pairs) {
        const std::size_t from = group[a], to = group[b];
        for (std::size_t& g : group)
            if (g == from) g = to;
    }
    return std::all_of(group.begin(), group.end(), [&](std::size_t g) { return g == group[0]; });
}

/// Pairs of packages, by their places in `packages`: each with those nearest to it, or all.
std::vector<std::pair<std::size_t, std::size_t>> smp_pairs(FoundMachine& m, const std::vector<std::size_t>& packages) {
    std::vector<std::pair<std::size_t, std::size_t>> all, near;
    std::vector<unsigned> nearest(packages.size(), 0);
    const std::vector<std::vector<unsigned>> distance = package_distances(m, packages);
    for (std::size_t a = 0; a < packages.size(); ++a)
        for (std::size_t b = 0; b < packages.size(); ++b) {
            if (a == b) continue;
            const unsigned d = distance[a][b];
            if (d != 0 && (nearest[a] == 0 || d < nearest[a])) nearest[a] = d;
        }
    for (std::size_t a = 0; a < packages.size(); ++a)
        for (std::size_t b = a + 1; b < packages.size(); ++b) {
            all.emplace_back(a, b);
            const auto nearest_is = [&](std::size_t from, std::size_t to) {
                return distance[from][to] != 0 && distance[from][to] == nearest[from];
            };
            if (nearest_is(a, b) || nearest_is(b, a)) near.emplace_back(a, b);
        }
    if (all_reached(packages.size(), near) && near.size() < all.size()) {
        add_note(m.notes, "the links between packages are not in the files: each package is joined with those at the "
                          "least NUMA distance");
        return near;
    }
    if (packages.size() > 2)
        add_note(m.notes, fmt::format("the links between packages are not in the files: each of the {} is joined with "
                                      "each other one",
                                      packages.size()));
    return all;
}

} // namespace

void add_note(ImportNotes& notes, const std::string& sentence) {
    if (std::find(notes.begin(), notes.end(), sentence) == notes.end()) notes.push_back(sentence);
}

bool same_bus(const std::string& a, const std::string& b) {
    const auto tail = [](const std::string& bus) { // "0004:04:00.0" and "00000004:04:00.0"
        const std::size_t first = bus.find_first_not_of('0');
        return first == std::string::npos ? std::string() : bus.substr(first);
    };
    return !a.empty() && !b.empty() && tail(a) == tail(b);
}

std::string FoundPart::pci_name() const {
    if (bus.empty() || (type != PartType::gpu && type != PartType::nv_switch)) return name;
    return name + "@" + (bus.compare(0, 5, "0000:") == 0 ? bus.substr(5) : bus);
}

std::size_t FoundMachine::add(FoundPart part) {
    parts.push_back(std::move(part));
    return parts.size() - 1;
}

std::vector<std::size_t> FoundMachine::all(PartType type) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (parts[i].type == type) found.push_back(i);
    return found;
}

const FoundLink* FoundMachine::link_between(LinkType type, std::size_t a, std::size_t b) const {
    for (const FoundLink& link : links)
        if (link.type == type && ((link.a == a && link.b == b) || (link.a == b && link.b == a))) return &link;
    return nullptr;
}

std::optional<std::size_t> FoundMachine::pci_parent(std::size_t part) const {
    for (const FoundLink& link : links)
        if (link.type == LinkType::pci && link.b == part) return link.a;
    return std::nullopt;
}

std::optional<std::size_t> FoundMachine::package_of(std::size_t part) const {
    for (std::size_t steps = 0; steps <= parts.size(); ++steps) {
        if (parts[part].type == PartType::package) return part;
        if (parts[part].type == PartType::memory) {
            for (const FoundNode& node : nodes)
                if (node.part == part) return node.package;
            return std::nullopt;
        }
        const std::optional<std::size_t> parent = pci_parent(part);
        if (!parent) return std::nullopt;
        part = *parent;
    }
    return std::nullopt;
}

std::optional<std::size_t> FoundMachine::pci_root_of(std::size_t part) const {
    for (std::size_t steps = 0; steps <= parts.size(); ++steps) {
        if (parts[part].type == PartType::package || parts[part].type == PartType::memory) return part;
        const std::optional<std::size_t> parent = pci_parent(part);
        if (!parent) return std::nullopt;
        part = *parent;
    }
    return std::nullopt;
}

void FoundMachine::set_distance(unsigned from, unsigned to, unsigned distance) {
    if (distance != 0) distances[{from, to}] = distance;
}

std::vector<bool> empty_nodes(FoundMachine& m) {
    IdSet with_memory; // CPUs: hwloc gives a node without CPUs those of the nearest
    for (const FoundNode& node : m.nodes)
        if (!node.has_no_memory()) with_memory.ids.insert(node.cpus.ids.begin(), node.cpus.ids.end());
    std::vector<bool> empty;
    IdSet ids;
    for (const FoundNode& node : m.nodes) {
        empty.push_back(node.has_no_memory() && !node.gpu && with_memory.holds(node.cpus));
        if (empty.back()) ids.ids.insert(node.id);
    }
    if (!ids.ids.empty())
        add_note(m.notes, fmt::format("NUMA node{} {} of {} {} neither memory nor CPUs: no part is made of {}",
                                      ids.ids.size() == 1 ? "" : "s", ids.text(), m.source,
                                      ids.ids.size() == 1 ? "has" : "have", ids.ids.size() == 1 ? "it" : "them"));
    return empty;
}

void drop_empty_nodes(FoundMachine& m) {
    const std::vector<bool> empty = empty_nodes(m);
    std::vector<FoundNode> kept;
    for (std::size_t n = 0; n < m.nodes.size(); ++n)
        if (!empty[n]) kept.push_back(std::move(m.nodes[n]));
    m.nodes = std::move(kept);
}

namespace {

/// The package of the nearest NUMA node with CPUs; none if two packages are as near, or no distance is known.
std::optional<std::size_t> nearest_package(const FoundMachine& m, const FoundNode& node) {
    unsigned least = 0;
    std::optional<std::size_t> nearest;
    for (const FoundNode& other : m.nodes) {
        if (!other.package || other.cpus.empty()) continue;
        const auto found = m.distances.find({node.id, other.id});
        if (found == m.distances.end() || (least != 0 && found->second > least)) continue;
        const bool tie = found->second == least && nearest != other.package;
        nearest = tie ? std::nullopt : other.package;
        least = found->second;
    }
    return nearest;
}

/// Joins a memory that no package holds to those whose CPUs it has, else to the nearest.
void join_memory(FoundMachine& m, const FoundNode& node, std::vector<FoundLink>& joints) {
    const std::vector<std::size_t> packages = m.all(PartType::package);
    const std::size_t before = joints.size();
    for (const std::size_t package : packages) // of a node that several packages share
        if (m.parts[package].cpus.meets(node.cpus)) joints.push_back({LinkType::mem, package, node.part, 0, 1});
    if (joints.size() != before || packages.empty()) return;
    const std::optional<std::size_t> nearest = nearest_package(m, node);
    const std::size_t package = nearest.value_or(packages.front());
    joints.push_back({LinkType::mem, package, node.part, 0, 1});
    add_note(m.notes, fmt::format("the package of NUMA node {} is not in the files: {} is taken{}", node.id,
                                  m.parts[package].name, nearest && packages.size() > 1 ? ", the nearest" : ""));
}

} // namespace

void join_packages(FoundMachine& m) {
    const std::vector<std::size_t> packages = m.all(PartType::package);
    std::vector<FoundLink> joints;
    if (packages.size() > 1)
        for (const auto& [a, b] : smp_pairs(m, packages))
            joints.push_back({LinkType::smp, packages[a], packages[b], 0, 1});
    std::map<std::size_t, unsigned> nodes_at; // with memory
    for (const FoundNode& node : m.nodes)
        if (node.package && !node.gpu && !node.has_no_memory()) ++nodes_at[*node.package];
    for (FoundNode& node : m.nodes) {
        if (node.gpu) {
            node.part = *node.gpu;
        } else if (node.has_no_memory()) {
            node.part = node.package.value_or(packages.empty() ? 0 : packages.front());
        } else if (node.package && nodes_at[*node.package] == 1) {
            node.part = *node.package;
        } else {
            FoundPart memory;
            memory.type = PartType::memory;
            memory.name = fmt::format("numa{}", node.id);
            memory.memory_bytes = node.memory_bytes;
            memory.cpus = node.cpus;
            node.part = m.add(std::move(memory));
            if (node.package)
                joints.push_back({LinkType::mem, *node.package, node.part, 0, 1});
            else
                join_memory(m, node, joints);
        }
    }
    m.links.insert(m.links.begin(), joints.begin(), joints.end());
}

std::string edge_list(const FoundMachine& m) {
    std::string text;
    for (const FoundLink& link : m.links) {
        const bool pci = link.type == LinkType::pci;
        const auto name = [&](std::size_t part) { return pci ? m.parts[part].pci_name() : m.parts[part].name; };
        text += fmt::format("{} {} {}", kLinkTypes.name(link.type), name(link.a), name(link.b));
        if (pci) text += link.gbytes_per_s == 0 ? std::string(" 0") : fmt::format(" {:.6f}", link.gbytes_per_s);
        if (link.type == LinkType::nv && link.lanes > 1) text += fmt::format(" x{}", link.lanes);
        text += "\n";
    }
    return text;
}

} // namespace numavp
