#include "communication/import/topo_machine.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/values/error.h"
#include "communication/import/topo_packages.h"

namespace numavp {

namespace {

/// The tree of each host bridge, from groups of rows that are nearer and nearer.
class TreeOfWords {
  public:
    TreeOfWords(FoundMachine& machine, const TopoMatrix& m, const std::vector<std::optional<std::size_t>>& package,
                const std::vector<std::size_t>& part)
        : machine_(machine), m_(m), package_(package), part_(part), same_switch_(rows_within(m, TopoWord::pix)),
          same_root_(rows_within(m, TopoWord::pxb)), same_bridge_(rows_within(m, TopoWord::phb)) {}

    void build() {
        unsigned bridges = 0;
        for (std::size_t g = 0; g < m_.rows.size(); ++g) {
            if (same_bridge_[g] != g) continue;
            const std::size_t bridge = add(PartType::host_bridge, fmt::format("hb{}", bridges++));
            if (const auto package = package_of(g)) join(*package, bridge);
            for (std::size_t r = 0; r < m_.rows.size(); ++r)
                if (same_bridge_[r] == g && same_root_[r] == r) add_root(r, bridge);
        }
    }

  private:
    std::size_t add(PartType type, std::string name) {
        FoundPart part;
        part.type = type;
        part.name = std::move(name);
        return machine_.add(std::move(part));
    }
    void join(std::size_t above, std::size_t below) { machine_.links.push_back({LinkType::pci, above, below, 0, 1}); }

    /// Where the group is: that of its members, or of a neighbour in the same NUMA node.
    std::optional<std::size_t> package_of(std::size_t group) {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < m_.rows.size(); ++i) {
            if (same_bridge_[i] != group) continue;
            if (package_[i]) return package_[i];
            names.push_back(m_.rows[i].label);
            for (std::size_t j = 0; j < m_.rows.size(); ++j)
                if (m_.rows[i].cells[j].word == TopoWord::node && package_[j]) return package_[j];
        }
        const std::vector<std::size_t> all = machine_.all(PartType::package);
        if (all.size() == 1) return all.front();
        add_note(machine_.notes,
                 fmt::format("{} does not say at which package {} is: its PCIe tree is not joined to one", m_.file,
                             fmt::join(names, ", ")));
        return std::nullopt;
    }

    /// Adds the parts behind one root port: a switch of switches, a switch, or a single part.
    void add_root(std::size_t root, std::size_t bridge) {
        std::vector<std::size_t> switches;
        for (std::size_t i = 0; i < m_.rows.size(); ++i)
            if (same_root_[i] == root && same_switch_[i] == i) switches.push_back(i);
        std::size_t above = bridge;
        if (switches.size() > 1) {
            above = add(PartType::bridge, fmt::format("sw{}", switches_++));
            join(bridge, above);
        }
        for (const std::size_t group : switches) {
            std::size_t at = above;
            if (std::count(same_switch_.begin(), same_switch_.end(), group) > 1) {
                at = add(PartType::bridge, fmt::format("sw{}", switches_++));
                join(above, at);
            }
            for (std::size_t i = 0; i < m_.rows.size(); ++i)
                if (same_switch_[i] == group) join(at, part_[i]);
        }
    }

    FoundMachine& machine_;
    const TopoMatrix& m_;
    const std::vector<std::optional<std::size_t>>& package_;
    const std::vector<std::size_t>& part_;
    RowGroups same_switch_, same_root_, same_bridge_;
    unsigned switches_ = 0;
};

/// Where a row is attached: at the memory of its NUMA node if its package has several, else at the package.
std::size_t place_of_row(const FoundMachine& machine, const TopoMatrix::Row& row, std::size_t package) {
    for (const FoundNode& node : machine.nodes) {
        if (node.package != package || machine.parts[node.part].type != PartType::memory) continue;
        const bool named = row.nodes && row.nodes->ids.size() == 1 && row.nodes->ids.count(node.id) != 0;
        const bool alone = !row.nodes && row.cpus && !row.cpus->empty() && node.cpus.holds(*row.cpus);
        if (named || alone) return node.part;
    }
    return package;
}

} // namespace

std::optional<std::size_t> package_by_affinity(const FoundMachine& machine, const TopoMatrix::Row& row) {
    if (row.nodes)
        for (const FoundNode& node : machine.nodes)
            if (row.nodes->ids.count(node.id) != 0 && node.package) return node.package;
    if (row.cpus)
        for (const std::size_t package : machine.all(PartType::package))
            if (machine.parts[package].cpus.meets(*row.cpus)) return package;
    return std::nullopt;
}

FoundMachine packages_of_topo(const TopoMatrix& m) {
    FoundMachine machine;
    machine.source = m.file;
    const TopoPackages packages = packages_in(m);
    const char* power = power_model(m);
    const std::size_t count = std::max<std::size_t>(1, packages.first_row.size());
    std::map<std::size_t, std::size_t> part_of; // of a package's number
    for (std::size_t p = 0; p < count; ++p) {
        FoundNode node;
        node.id = static_cast<unsigned>(p);
        if (p < packages.first_row.size() && packages.by_affinity) {
            const TopoMatrix::Row& row = m.rows[packages.first_row[p]];
            if (row.cpus) node.cpus = *row.cpus;
            if (row.nodes && row.nodes->ids.size() == 1) node.id = *row.nodes->ids.begin();
        }
        const std::size_t number = packages.package.empty() ? p : packages.package[p];
        if (part_of.count(number) == 0) {
            FoundPart part;
            part.type = PartType::package;
            part.name = fmt::format("pkg{}", machine.parts.size());
            if (power != nullptr) part.model = power;
            part_of[number] = machine.add(std::move(part));
        }
        node.package = part_of[number];
        machine.parts[*node.package].cpus.ids.insert(node.cpus.ids.begin(), node.cpus.ids.end());
        machine.nodes.push_back(std::move(node));
    }
    if (packages.halves)
        add_note(
            machine.notes,
            fmt::format("{}: the CPU affinities are those of 8 or more NUMA nodes, which are taken for parts of two "
                        "packages; numactl -H has their distances",
                        m.file));
    add_note(
        machine.notes,
        packages.halves ? fmt::format("{} names no packages: each CPU affinity of a GPU counts as a NUMA node", m.file)
        : packages.by_affinity
            ? fmt::format("{} names no packages: each CPU affinity of a GPU counts as one, and as a NUMA node", m.file)
            : fmt::format("{} names no packages, and its CPU affinities part no GPUs: those that are {} to each other "
                          "are taken to be at different ones",
                          m.file, m.old_words ? "SOC" : "SYS"));
    if (power != nullptr)
        add_note(machine.notes,
                 fmt::format("the numbers in {} are those of a {}, which is taken for the CPUs", m.file, power));
    join_packages(machine);
    return machine;
}

void add_topo_devices(FoundMachine& machine, const TopoMatrix& m, bool own) {
    const RowGroups same_bridge = rows_within(m, TopoWord::phb);
    for (std::size_t i = 0; i < m.rows.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (same_bridge[i] == same_bridge[j] && are_apart(m, i, j))
                throw ConfigError(fmt::format("{}: line {}", m.file, m.rows[i].line),
                                  fmt::format("{} and {} are {}, and yet others are at the host bridge of both; one or "
                                              "the other is expected",
                                              m.rows[i].label, m.rows[j].label, topo_text(m, m.rows[i].cells[j])));
    std::vector<std::optional<std::size_t>> package(m.rows.size()), place(m.rows.size());
    const std::vector<std::size_t> packages = machine.all(PartType::package);
    const TopoPackages in_matrix = packages_in(m);
    std::vector<std::size_t> parts;
    unsigned gpus = 0;
    for (std::size_t i = 0; i < m.rows.size(); ++i) {
        FoundPart part;
        part.type = m.rows[i].gpu ? PartType::gpu : PartType::device;
        part.name = m.rows[i].gpu ? fmt::format("gpu{}", gpus++) : m.rows[i].label;
        if (own && in_matrix.of_row[i]) package[i] = machine.nodes[*in_matrix.of_row[i]].package;
        if (!own) package[i] = package_by_affinity(machine, m.rows[i]);
        if (!own && !package[i] && m.rows[i].gpu) {
            package[i] = packages[std::min(in_matrix.of_row[i].value_or(0), packages.size() - 1)];
            add_note(machine.notes, fmt::format("{} gives {} no CPUs that {} knows: it is taken to be at {}", m.file,
                                                m.rows[i].label, machine.source, machine.parts[*package[i]].name));
        }
        place[i] = package[i] ? place_of_row(machine, m.rows[i], *package[i]) : package[i];
        parts.push_back(machine.add(std::move(part)));
    }
    for (std::size_t i = 0; i < m.rows.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (same_bridge[i] == same_bridge[j] && package[i] && package[j] && package[i] != package[j])
                throw ConfigError(fmt::format("{}: line {}", m.file, m.rows[i].line),
                                  fmt::format("{} and {} are at one host bridge, and their CPU affinities differ; the "
                                              "same are expected",
                                              m.rows[i].label, m.rows[j].label));
    TreeOfWords(machine, m, place, parts).build();
    machine.has_devices = true;
}

} // namespace numavp
