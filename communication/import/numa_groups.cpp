#include "communication/import/numa_groups.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace numavp {

namespace {

constexpr unsigned kSelf = 10, kRemote = 20, kMostAlone = 13;

unsigned distance_between(const DistanceRows& rows, std::size_t a, std::size_t b) {
    return std::max(rows[a][b], rows[b][a]);
}

/// Groups of nodes within a distance; none if a node is near one of a group and far from another.
std::vector<std::size_t> groups_up_to(const DistanceRows& rows, unsigned within) {
    std::vector<std::size_t> of_node;
    std::size_t groups = 0;
    for (std::size_t a = 0; a < rows.size(); ++a) {
        std::size_t group = groups;
        for (std::size_t b = 0; b < a && group == groups; ++b)
            if (distance_between(rows, a, b) <= within) group = of_node[b];
        for (std::size_t b = 0; b < a; ++b)
            if ((distance_between(rows, a, b) <= within) != (of_node[b] == group)) return {};
        if (group == groups) ++groups;
        of_node.push_back(group);
    }
    return of_node;
}

/// The least distance of nodes of different groups; 0 if there is one group.
unsigned least_across(const DistanceRows& rows, const std::vector<std::size_t>& of_node) {
    unsigned least = 0;
    for (std::size_t a = 0; a < rows.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
            if (of_node[a] != of_node[b])
                least = least == 0 ? distance_between(rows, a, b) : std::min(least, distance_between(rows, a, b));
    return least;
}

} // namespace

NodeGroups groups_by_distance(const DistanceRows& rows) {
    NodeGroups found;
    for (std::size_t a = 0; a < rows.size(); ++a) found.of_node.push_back(a);
    std::set<unsigned> seen;
    for (std::size_t a = 0; a < rows.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) seen.insert(distance_between(rows, a, b));
    if (seen.empty() || *seen.begin() <= kSelf) return found; // a distance is not known
    for (const unsigned within : seen) {                      // the widest that fits counts
        if (within >= kRemote) break;
        const std::vector<std::size_t> of_node = groups_up_to(rows, within);
        if (of_node.empty()) continue;
        const unsigned across = least_across(rows, of_node);
        if (across == 0 ? within > kMostAlone : across - kSelf < 2 * (within - kSelf)) continue;
        found = {of_node, within};
    }
    return found;
}

std::optional<std::vector<std::size_t>> halves_of_nodes(const std::vector<NodeCpus>& nodes) {
    if (nodes.size() < 3) return std::nullopt;
    unsigned count = 0;
    std::vector<std::size_t> package;
    for (const NodeCpus& one : nodes) {
        if (!one.node || one.cpus.ids.size() < 2) return std::nullopt;
        const auto size = static_cast<unsigned>(one.cpus.ids.size() / 2);
        const unsigned first = *one.cpus.ids.begin(), second = *std::next(one.cpus.ids.begin(), size);
        IdSet expected; // ranges of that size from both
        for (unsigned i = 0; i < size; ++i) expected.ids.insert({first + i, second + i});
        if (expected.ids != one.cpus.ids || first != *one.node * size || second < first + size) return std::nullopt;
        const unsigned cores = second - first;
        if (cores % size != 0 || *one.node >= cores / size || (count != 0 && count != cores / size))
            return std::nullopt;
        count = cores / size;
        package.push_back(2 * first >= cores ? 1 : 0);
    }
    if (count < 8 || count % 2 != 0) return std::nullopt;
    if (std::set<std::size_t>(package.begin(), package.end()).size() == 1) package.assign(package.size(), 0);
    return package;
}

} // namespace numavp
