#include "communication/import/topo_machine.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "base/values/error.h"
#include "communication/import/part_facts.h"

namespace numavp {

namespace {

using Groups = std::vector<std::size_t>; ///< of each row, the first row of its group

std::size_t root_of(const Groups& groups, std::size_t i) {
    while (groups[i] != i) i = groups[i];
    return i;
}

/// Rows that a chain of words up to `farthest` joins. NV# tells nothing of PCIe.
Groups groups_within(const TopoMatrix& m, TopoWord farthest) {
    Groups groups(m.rows.size());
    std::iota(groups.begin(), groups.end(), std::size_t{0});
    for (std::size_t i = 0; i < m.rows.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const TopoWord word = m.rows[i].cells[j].word;
            if (word == TopoWord::nv || word == TopoWord::self || word > farthest) continue;
            const std::size_t a = root_of(groups, i), b = root_of(groups, j);
            groups[std::max(a, b)] = std::min(a, b);
        }
    for (std::size_t i = 0; i < groups.size(); ++i) groups[i] = root_of(groups, i);
    return groups;
}

bool apart(const TopoMatrix& m, std::size_t i, std::size_t j) { return m.rows[i].cells[j].word == TopoWord::sys; }

/// Key of a GPU's place in the files: its NUMA node, else its CPUs; empty if there is neither.
std::string affinity_key(const TopoMatrix::Row& row) {
    if (row.nodes && row.nodes->ids.size() == 1) return "node " + row.nodes->text();
    return row.cpus ? "cpus " + row.cpus->text() : std::string();
}

/// Of each GPU row the number of its NUMA node; of adapters that of GPUs near them, or none.
struct TopoPackages {
    std::vector<std::optional<std::size_t>> of_row;
    std::vector<std::size_t> first_row; ///< of each node
    std::vector<std::size_t> package;   ///< of each node: its number, or that of a package of several
    bool by_affinity = false, halves = false;
};

/// Nodes that are parts of packages. The CPU list of a node is two ranges, "48-63,176-191": cores, and their second
/// threads behind all cores, so that the number of nodes follows. From eight on, packages are cut into nodes (NPS4,
/// sub-NUMA clusters), since machines with GPUs have two packages: nodes of the lower half are at the first.
bool nodes_are_halves(const TopoMatrix& m, const std::vector<std::size_t>& first_rows) {
    if (first_rows.size() < 3) return false;
    unsigned nodes = 0;
    for (const std::size_t r : first_rows) {
        const TopoMatrix::Row& row = m.rows[r];
        if (!row.nodes || row.nodes->ids.size() != 1 || !row.cpus || row.cpus->ids.size() < 2) return false;
        const auto size = static_cast<unsigned>(row.cpus->ids.size() / 2);
        const unsigned first = *row.cpus->ids.begin(), node = *row.nodes->ids.begin();
        const unsigned second = *std::next(row.cpus->ids.begin(), size);
        IdSet expected; // ranges of that size from both
        for (unsigned i = 0; i < size; ++i) expected.ids.insert({first + i, second + i});
        if (expected.ids != row.cpus->ids || first != node * size || second < first + size) return false;
        const unsigned cores = second - first;
        if (cores % size != 0 || node >= cores / size || (nodes != 0 && nodes != cores / size)) return false;
        nodes = cores / size;
    }
    return nodes >= 8 && nodes % 2 == 0;
}

void join_halves(const TopoMatrix& m, TopoPackages& packages) {
    packages.halves = nodes_are_halves(m, packages.first_row);
    for (std::size_t i = 0; i < packages.first_row.size(); ++i) packages.package.push_back(i);
    if (!packages.halves) return;
    std::set<std::size_t> used;
    for (std::size_t i = 0; i < packages.first_row.size(); ++i) {
        const TopoMatrix::Row& row = m.rows[packages.first_row[i]];
        const auto size = static_cast<unsigned>(row.cpus->ids.size() / 2);
        const unsigned first = *row.cpus->ids.begin(), second = *std::next(row.cpus->ids.begin(), size);
        packages.package[i] = 2 * first >= second - first ? 1 : 0;
        used.insert(packages.package[i]);
    }
    if (used.size() == 1) packages.package.assign(packages.package.size(), 0);
}

TopoPackages by_affinity(const TopoMatrix& m) {
    TopoPackages packages;
    packages.of_row.resize(m.rows.size());
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < m.rows.size(); ++i) {
        const std::string key = affinity_key(m.rows[i]);
        if (!m.rows[i].gpu || key.empty()) continue;
        const auto known = std::find(keys.begin(), keys.end(), key);
        packages.of_row[i] = static_cast<std::size_t>(known - keys.begin());
        if (known != keys.end()) continue;
        keys.push_back(key);
        packages.first_row.push_back(i);
    }
    packages.by_affinity = !keys.empty();
    join_halves(m, packages);
    return packages;
}

/// GPUs go to the first package with none that they reach only across packages.
TopoPackages by_words(const TopoMatrix& m) {
    TopoPackages packages;
    packages.of_row.resize(m.rows.size());
    const Groups near = groups_within(m, TopoWord::node);
    std::vector<std::vector<std::size_t>> members;
    for (std::size_t g = 0; g < m.rows.size(); ++g) {
        if (near[g] != g) continue;
        std::vector<std::size_t> rows;
        for (std::size_t i = 0; i < m.rows.size(); ++i)
            if (near[i] == g) rows.push_back(i);
        if (std::none_of(rows.begin(), rows.end(), [&](std::size_t i) { return m.rows[i].gpu; })) continue;
        std::size_t p = 0;
        const auto fits = [&](const std::vector<std::size_t>& others) {
            return std::none_of(rows.begin(), rows.end(), [&](std::size_t i) {
                return std::any_of(others.begin(), others.end(), [&](std::size_t j) { return apart(m, i, j); });
            });
        };
        while (p < members.size() && !fits(members[p])) ++p;
        if (p == members.size()) {
            packages.package.push_back(members.size());
            members.emplace_back();
            packages.first_row.push_back(g);
        }
        for (const std::size_t i : rows) {
            packages.of_row[i] = p;
            members[p].push_back(i);
        }
    }
    return packages;
}

TopoPackages packages_in(const TopoMatrix& m) {
    TopoPackages packages = by_affinity(m);
    bool split = false; // GPUs across packages
    for (std::size_t i = 0; i < m.rows.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) split = split || (m.rows[i].gpu && m.rows[j].gpu && apart(m, i, j));
    const bool known = std::all_of(m.rows.begin(), m.rows.end(),
                                   [](const TopoMatrix::Row& r) { return !r.gpu || !affinity_key(r).empty(); });
    if (!known || (packages.first_row.size() == 1 && split)) return by_words(m);
    return packages;
}

/// NUMA nodes 0 and 8 of a POWER9: its CPUs are numbered through, and its GPUs have NUMA nodes from 255 down, where the
/// driver has a column for them.
bool looks_like_power9(const TopoMatrix& m) {
    std::map<unsigned, IdSet> cpus; // of each node
    bool own_nodes = true;
    for (const TopoMatrix::Row& row : m.rows) {
        if (!row.gpu) continue;
        if (!row.nodes || row.nodes->ids.size() != 1 || !row.cpus || row.cpus->empty()) return false;
        cpus[*row.nodes->ids.begin()] = *row.cpus;
        own_nodes = own_nodes && row.own_node && *row.own_node > 200;
    }
    if (cpus.size() != 2 || cpus.count(0) == 0 || cpus.count(8) == 0) return false;
    const auto whole = [](const IdSet& set) { return *set.ids.rbegin() - *set.ids.begin() + 1 == set.ids.size(); };
    const bool through = whole(cpus[0]) && whole(cpus[8]) && *cpus[0].ids.begin() == 0 &&
                         *cpus[8].ids.begin() == cpus[0].ids.size() && cpus[0].ids.size() % 4 == 0;
    return own_nodes || through;
}

/// A POWER8 with NVLink: of its 8 threads a core the first alone is online, and its drivers are of the time before
/// the column NUMA Affinity. Other machines number CPUs of 8 NUMA nodes in turn, "0,8,16".
bool looks_like_power8(const TopoMatrix& m) {
    if (m.numa_column || m.gpus() == 0) return false;
    bool linked = false;
    for (const TopoMatrix::Row& row : m.rows) {
        if (!row.gpu) continue;
        if (!row.cpus || row.cpus->ids.size() < 2 || !row.single_ranges) return false;
        for (const unsigned cpu : row.cpus->ids)
            if (cpu % 8 != 0) return false;
        for (const TopoCell& cell : row.cells) linked = linked || cell.lanes > 0;
    }
    return linked;
}

const char* power_model(const TopoMatrix& m) {
    return looks_like_power9(m) ? "POWER9" : looks_like_power8(m) ? "POWER8" : nullptr;
}

/// The tree of each host bridge, from groups of rows that are nearer and nearer.
class TreeOfWords {
  public:
    TreeOfWords(FoundMachine& machine, const TopoMatrix& m, const std::vector<std::optional<std::size_t>>& package,
                const std::vector<std::size_t>& part)
        : machine_(machine), m_(m), package_(package), part_(part), same_switch_(groups_within(m, TopoWord::pix)),
          same_root_(groups_within(m, TopoWord::pxb)), same_bridge_(groups_within(m, TopoWord::phb)) {}

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
    Groups same_switch_, same_root_, same_bridge_;
    unsigned switches_ = 0;
};

unsigned lanes_of_row(const TopoMatrix& m, std::size_t i) {
    unsigned sum = 0;
    for (std::size_t j = 0; j < m.rows.size(); ++j)
        if (m.rows[i].gpu && m.rows[j].gpu) sum += m.rows[i].cells[j].lanes;
    return sum;
}

unsigned most_lanes(const TopoMatrix& m, std::size_t i) {
    unsigned most = 0;
    for (const TopoCell& cell : m.rows[i].cells) most = std::max(most, cell.lanes);
    return most;
}

/// The oldest GPU that has so many NVLinks.
const char* model_with_links(unsigned links) {
    for (const char* model : {"P100", "V100", "A100"})
        if (gpu_facts(model)->nvlinks >= links) return model;
    return "H100";
}

/// Models of GPUs that no file names, from the links that they have.
void guess_models(FoundMachine& machine, const TopoMatrix& m, const std::vector<std::size_t>& gpus, bool switched) {
    unsigned links = 0;
    for (std::size_t i = 0; i < gpus.size(); ++i)
        links = std::max(links, switched ? most_lanes(m, i) : lanes_of_row(m, i));
    const bool power9 = machine.parts.front().model.find("POWER9") != std::string::npos;
    std::string model = model_with_links(links);
    if (power9 && model == "P100") model = "V100"; // no POWER9 came with a P100
    for (const std::size_t gpu : gpus) {
        if (!machine.parts[gpu].model.empty() || links == 0) continue;
        machine.parts[gpu].model = model;
        add_note(machine.notes,
                 fmt::format("no file names the GPUs: {} is taken, the oldest with NVLinks enough; --gpu "
                             "says what they are",
                             model));
    }
}

void add_link(FoundMachine& machine, std::size_t a, std::size_t b, unsigned lanes, std::size_t gpu) {
    const GpuFacts* facts = gpu_facts(machine.parts[gpu].model);
    const unsigned generation = facts && facts->nvlink != 0 ? facts->nvlink : 1;
    if (!facts || facts->nvlink == 0)
        add_note(machine.notes,
                 fmt::format("the generation of NVLink of '{}' is not known: the first is taken, 20 GB/s a "
                             "link and direction; --gpu says otherwise ({})",
                             machine.parts[gpu].model, known_gpus()));
    machine.links.push_back({LinkType::nv, a, b, lanes * nvlink_gbytes_per_s(generation), lanes});
}

/// NVLinks of a POWER CPU's GPUs to it: those that no other GPU has.
void add_cpu_links(FoundMachine& machine, const TopoMatrix& m, const std::vector<std::size_t>& gpus) {
    for (std::size_t i = 0; i < gpus.size(); ++i) {
        const FoundPart& gpu = machine.parts[gpus[i]];
        const std::optional<std::size_t> package = machine.package_of(gpus[i]);
        const GpuFacts* facts = gpu_facts(gpu.model);
        if (!package || !facts || gpu.model.find("PCI") != std::string::npos) continue;
        const CpuFacts* cpu = cpu_facts(machine.parts[*package].model);
        const unsigned used = lanes_of_row(m, i);
        if (!cpu || !cpu->nvlink || used == 0 || used >= facts->nvlinks) continue;
        add_note(
            machine.notes,
            fmt::format("nvidia-smi does not show NVLinks of a {} to its GPUs: the links of a {} that other GPUs do "
                        "not have are taken for them, {} of {}; an hwloc XML with NVLinkBandwidth shows them",
                        cpu->model, facts->model, facts->nvlinks - used, facts->nvlinks));
        add_link(machine, *package, gpus[i], facts->nvlinks - used, gpus[i]);
    }
}

} // namespace

namespace {

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
        add_note(machine.notes,
                 fmt::format("{}: the CPU affinities are those of 8 or more NUMA nodes, which are taken for parts of two "
                             "packages; numactl -H has their distances",
                             m.file));
    add_note(
        machine.notes,
        packages.halves        ? fmt::format("{} names no packages: each CPU affinity of a GPU counts as a NUMA node", m.file)
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
    const Groups same_bridge = groups_within(m, TopoWord::phb);
    for (std::size_t i = 0; i < m.rows.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (same_bridge[i] == same_bridge[j] && apart(m, i, j))
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

void add_topo_nvlinks(FoundMachine& machine, const TopoMatrix& m) {
    constexpr unsigned kMostLinks = 18; // of one GPU: an H100
    const std::vector<std::size_t> gpus = machine.all(PartType::gpu);
    bool switched = false;
    for (std::size_t i = 0; i < gpus.size(); ++i) {
        const GpuFacts* facts = gpu_facts(machine.parts[gpus[i]].model);
        switched = switched || lanes_of_row(m, i) > (facts && facts->nvlinks != 0 ? facts->nvlinks : kMostLinks);
    }
    guess_models(machine, m, gpus, switched);
    machine.knows_nvlinks = true;
    if (switched) {
        std::vector<std::size_t> switches = machine.all(PartType::nv_switch);
        if (switches.empty()) {
            FoundPart part;
            part.type = PartType::nv_switch;
            part.name = "nvswitch0";
            switches.push_back(machine.add(std::move(part)));
        }
        add_note(machine.notes,
                 fmt::format("{} gives a GPU more NVLinks than one has: they lead to NVSwitches, which are "
                             "taken as one",
                             m.file));
        for (std::size_t i = 0; i < gpus.size(); ++i)
            if (most_lanes(m, i) > 0) add_link(machine, gpus[i], switches.front(), most_lanes(m, i), gpus[i]);
        return;
    }
    add_cpu_links(machine, m, gpus);
    for (std::size_t i = 0; i < gpus.size(); ++i)
        for (std::size_t j = i + 1; j < gpus.size(); ++j)
            if (const unsigned lanes = m.rows[i].cells[j].lanes; lanes > 0)
                add_link(machine, gpus[i], gpus[j], lanes, gpus[i]);
}

} // namespace numavp
