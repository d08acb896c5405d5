#include "platform/import/found_paths.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

namespace numavp {

namespace {

/// Prefers fewer links, then NVLink: the weights of two links are more than that of one.
unsigned weight_of(const FoundLink& link) { return link.type == LinkType::nv ? 1000 : 1001; }

FoundPath path_between(const FoundMachine& m, const LogicalPlace& from, const LogicalPlace& to) {
    constexpr unsigned kFar = std::numeric_limits<unsigned>::max();
    std::vector<unsigned> far(m.parts.size(), kFar);
    std::vector<std::size_t> by(m.parts.size(), m.links.size());
    std::vector<bool> done(m.parts.size(), false);
    far[from.part] = 0;
    for (;;) {
        std::size_t at = m.parts.size();
        for (std::size_t i = 0; i < m.parts.size(); ++i)
            if (!done[i] && far[i] != kFar && (at == m.parts.size() || far[i] < far[at])) at = i;
        if (at == m.parts.size() || at == to.part) break;
        done[at] = true;
        if (at != from.part && m.parts[at].type == PartType::gpu) continue;
        for (std::size_t l = 0; l < m.links.size(); ++l) {
            const FoundLink& link = m.links[l];
            if (link.a != at && link.b != at) continue;
            const std::size_t next = link.a == at ? link.b : link.a;
            if (far[at] + weight_of(link) < far[next]) {
                far[next] = far[at] + weight_of(link);
                by[next] = l;
            }
        }
    }
    FoundPath path{from, to, {}, {to.part}, 0, true};
    if (far[to.part] == kFar) return path;
    for (std::size_t at = to.part; at != from.part;) {
        const FoundLink& link = m.links[by[at]];
        path.links.push_back(by[at]);
        at = link.a == at ? link.b : link.a;
        path.parts.push_back(at);
        if (link.gbytes_per_s > 0 && (path.gbytes_per_s == 0 || link.gbytes_per_s < path.gbytes_per_s))
            path.gbytes_per_s = link.gbytes_per_s;
        const bool on_die = link.type == LinkType::mem || m.parts[link.b].type == PartType::host_bridge;
        path.whole = path.whole && (link.gbytes_per_s > 0 || on_die);
    }
    std::reverse(path.links.begin(), path.links.end());
    std::reverse(path.parts.begin(), path.parts.end());
    return path;
}

} // namespace

std::vector<LogicalPlace> logical_places(const FoundMachine& m) {
    std::vector<LogicalPlace> places;
    for (const FoundNode& node : m.nodes)
        if (!node.gpu) places.push_back({fmt::format("numa{}", node.id), node.part});
    for (const std::size_t gpu : m.all(PartType::gpu)) {
        const FoundPart& part = m.parts[gpu];
        places.push_back({part.cuda ? fmt::format("cuda{}", *part.cuda) : part.name, gpu});
    }
    return places;
}

std::vector<FoundPath> found_paths(const FoundMachine& m) {
    constexpr std::size_t kMostPlaces = 256;
    std::vector<FoundPath> paths;
    std::vector<LogicalPlace> places = logical_places(m);
    if (places.size() > kMostPlaces) places.resize(kMostPlaces); // the table would not be read
    for (std::size_t a = 0; a < places.size(); ++a)
        for (std::size_t b = a + 1; b < places.size(); ++b) paths.push_back(path_between(m, places[a], places[b]));
    return paths;
}

std::string paths_text(const FoundMachine& m) {
    std::string text;
    for (const FoundPath& path : found_paths(m)) {
        text += fmt::format("{} {} ", path.from.name, path.to.name);
        if (path.links.empty()) {
            text += path.from.part == path.to.part ? "in one part\n" : "no way\n";
            continue;
        }
        if (path.gbytes_per_s == 0)
            text += "? GB/s ";
        else
            text += fmt::format("{}{:g} GB/s ", path.whole ? "" : "<=", path.gbytes_per_s);
        text += m.parts[path.parts[0]].name;
        for (std::size_t i = 0; i < path.links.size(); ++i) {
            const FoundLink& link = m.links[path.links[i]];
            text += fmt::format(" ={}{}= {}", kLinkTypes.name(link.type),
                                link.lanes > 1 ? fmt::format(" x{}", link.lanes) : "", m.parts[path.parts[i + 1]].name);
        }
        text += "\n";
    }
    return text;
}

} // namespace numavp
