#include "communication/import/topo_packages.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "communication/import/numa_groups.h"

namespace numavp {

namespace {

std::size_t root_of(const RowGroups& groups, std::size_t i) {
    while (groups[i] != i) i = groups[i];
    return i;
}

/// Key of a GPU's place in the files: its NUMA node, else its CPUs; empty if there is neither.
std::string affinity_key(const TopoMatrix::Row& row) {
    if (row.nodes && row.nodes->ids.size() == 1) return "node " + row.nodes->text();
    return row.cpus ? "cpus " + row.cpus->text() : std::string();
}

void join_halves(const TopoMatrix& m, TopoPackages& packages) {
    std::vector<NodeCpus> nodes;
    for (const std::size_t r : packages.first_row) {
        const TopoMatrix::Row& row = m.rows[r];
        nodes.emplace_back();
        if (row.nodes && row.nodes->ids.size() == 1) nodes.back().node = *row.nodes->ids.begin();
        if (row.cpus) nodes.back().cpus = *row.cpus;
    }
    const std::optional<std::vector<std::size_t>> halves = halves_of_nodes(nodes);
    packages.halves = halves.has_value();
    for (std::size_t i = 0; i < nodes.size(); ++i) packages.package.push_back(halves ? (*halves)[i] : i);
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
    const RowGroups near = rows_within(m, TopoWord::node);
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
                return std::any_of(others.begin(), others.end(), [&](std::size_t j) { return are_apart(m, i, j); });
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

} // namespace

RowGroups rows_within(const TopoMatrix& m, TopoWord farthest) {
    RowGroups groups(m.rows.size());
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

bool are_apart(const TopoMatrix& m, std::size_t i, std::size_t j) { return m.rows[i].cells[j].word == TopoWord::sys; }

TopoPackages packages_in(const TopoMatrix& m) {
    TopoPackages packages = by_affinity(m);
    bool split = false; // GPUs across packages
    for (std::size_t i = 0; i < m.rows.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) split = split || (m.rows[i].gpu && m.rows[j].gpu && are_apart(m, i, j));
    const bool known = std::all_of(m.rows.begin(), m.rows.end(),
                                   [](const TopoMatrix::Row& r) { return !r.gpu || !affinity_key(r).empty(); });
    if (!known || (packages.first_row.size() == 1 && split)) return by_words(m);
    return packages;
}

const char* power_model(const TopoMatrix& m) {
    return looks_like_power9(m) ? "POWER9" : looks_like_power8(m) ? "POWER8" : nullptr;
}

} // namespace numavp
