#include "communication/import/found_paths.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include <fmt/format.h>

namespace numavp {

namespace {

/// Prefers fewer links, then NVLink and its like: the weights of two links are more than that of one.
unsigned weight_of(const FoundLink& link) { return is_of_gpus(link.type) ? 1000 : 1001; }

/// The shortest ways from one part to all others.
class WaysFrom {
  public:
    WaysFrom(const FoundMachine& m, const std::vector<std::vector<std::size_t>>& links_of, std::size_t from)
        : m_(m), from_(from), far_(m.parts.size(), kFar), by_(m.parts.size(), 0) {
        using Step = std::pair<unsigned, std::size_t>; // how far, and which part
        std::priority_queue<Step, std::vector<Step>, std::greater<>> next;
        far_[from] = 0;
        next.emplace(0, from);
        while (!next.empty()) {
            const auto [far, at] = next.top();
            next.pop();
            if (far > far_[at] || (at != from && m.parts[at].type == PartType::gpu)) continue;
            for (const std::size_t l : links_of[at]) {
                const std::size_t to = other_end(l, at);
                const unsigned there = far + weight_of(m.links[l]);
                if (there >= far_[to]) continue;
                far_[to] = there;
                by_[to] = l;
                next.emplace(there, to);
            }
        }
    }

    FoundPath to(const LogicalPlace& from, const LogicalPlace& to) const {
        FoundPath path{from, to, {}, {to.part}, 0, true};
        if (far_[to.part] == kFar) return path;
        for (std::size_t at = to.part; at != from_;) {
            const FoundLink& link = m_.links[by_[at]];
            path.links.push_back(by_[at]);
            at = other_end(by_[at], at);
            path.parts.push_back(at);
            if (link.gbytes_per_s > 0 && (path.gbytes_per_s == 0 || link.gbytes_per_s < path.gbytes_per_s))
                path.gbytes_per_s = link.gbytes_per_s;
            const bool on_die = link.type == LinkType::mem || m_.parts[link.b].type == PartType::host_bridge;
            path.whole = path.whole && (link.gbytes_per_s > 0 || on_die);
        }
        std::reverse(path.links.begin(), path.links.end());
        std::reverse(path.parts.begin(), path.parts.end());
        return path;
    }

  private:
    static constexpr unsigned kFar = std::numeric_limits<unsigned>::max();

    std::size_t other_end(std::size_t link, std::size_t part) const {
        return m_.links[link].a == part ? m_.links[link].b : m_.links[link].a;
    }

    const FoundMachine& m_;
    std::size_t from_;
    std::vector<unsigned> far_;
    std::vector<std::size_t> by_; ///< the last link of the way
};

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
    std::vector<std::vector<std::size_t>> links_of(m.parts.size());
    for (std::size_t l = 0; l < m.links.size(); ++l) {
        links_of[m.links[l].a].push_back(l);
        links_of[m.links[l].b].push_back(l);
    }
    for (std::size_t a = 0; a < places.size(); ++a) {
        const WaysFrom ways(m, links_of, places[a].part);
        for (std::size_t b = a + 1; b < places.size(); ++b) paths.push_back(ways.to(places[a], places[b]));
    }
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
