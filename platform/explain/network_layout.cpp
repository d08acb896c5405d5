#include "platform/explain/network_layout.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "tlm-links/topology/cube_network.h"

namespace numavp {
namespace {

constexpr double kMargin = 48;
constexpr double kPitch = 84;       ///< between routers of a grid of nodes
constexpr double kCirclePitch = 62; ///< along the circumference
constexpr double kPi = 3.14159265358979323846;

LayoutPoint on_circle(LayoutPoint centre, double radius, double turn) {
    return {centre.x + radius * std::sin(2 * kPi * turn), centre.y - radius * std::cos(2 * kPi * turn)};
}

/// The place of router `i` of a line that turns back after `in_row` routers.
LayoutPoint folded(unsigned i, unsigned in_row) {
    const unsigned row = i / in_row, x = i % in_row;
    return {kPitch * (row % 2 == 0 ? x : in_row - 1 - x), kPitch * row};
}

/// Clusters that the wiring treats alike, made of the processors' numbers.
std::vector<LayoutCluster> processor_clusters(const NetworkGraph& graph, const TopologySpec& spec) {
    std::vector<LayoutCluster> clusters(spec.processors);
    for (unsigned e = 0; e < graph.endpoints.size(); ++e)
        if (graph.endpoints[e].requester) {
            clusters[graph.endpoints[e].cluster].has_processor = true;
            clusters[graph.endpoints[e].cluster].endpoint = e;
        }
    for (unsigned r = 0; r < graph.routers.size(); ++r) clusters[r / spec.routers_per_processor].routers.push_back(r);
    return clusters;
}

void frame(LayoutCluster& cluster, const std::vector<LayoutPoint>& routers) {
    constexpr double kRoom = 12;
    const double px = kProcessorWidth / 2 + kRoom, py = kProcessorHeight / 2 + kRoom;
    const double rx = kRouterWidth / 2 + kRoom, ry = kRouterHeight / 2 + kRoom;
    cluster.low = {1e9, 1e9};
    cluster.high = {-1e9, -1e9};
    const auto take = [&](LayoutPoint p, double x, double y) {
        cluster.low = {std::min(cluster.low.x, p.x - x), std::min(cluster.low.y, p.y - y)};
        cluster.high = {std::max(cluster.high.x, p.x + x), std::max(cluster.high.y, p.y + y)};
    };
    for (const unsigned r : cluster.routers) take(routers[r], rx, ry);
    if (cluster.has_processor) take(cluster.processor, px, py);
}

/// Clusters in one row: processor above its cubes, slices in rows.
void place_row(NetworkLayout& layout) {
    const auto across = static_cast<double>(layout.clusters.size());
    const double pitch_y = 56 + 10 * std::max(0.0, across - 2), pitch_x = 150;
    layout.rows = true;
    for (std::size_t g = 0; g < layout.clusters.size(); ++g) {
        LayoutCluster& cluster = layout.clusters[g];
        const double x = pitch_x * static_cast<double>(g);
        cluster.processor = {x, -64};
        double y = 0;
        for (const unsigned r : cluster.routers) {
            layout.routers[r] = {x, y};
            y += pitch_y;
        }
    }
}

/// Clusters in a rectangle of `columns`: cubes on the diagonal, the processor above it.
void place_rectangle(NetworkLayout& layout, unsigned columns) {
    constexpr double kStep = 46;
    const auto cubes = static_cast<double>(layout.clusters.front().routers.size());
    const double pitch = kStep * (cubes - 1) + 110;
    layout.rows = true;
    for (unsigned g = 0; g < layout.clusters.size(); ++g) {
        LayoutCluster& cluster = layout.clusters[g];
        const unsigned row = g / columns;
        const LayoutPoint corner{pitch * (g % columns), pitch * row};
        cluster.processor = {corner.x + kStep * std::max(1.0, cubes - 1.5), corner.y + (cubes > 1 ? kStep / 2 : 0)};
        for (unsigned i = 0; i < cluster.routers.size(); ++i)
            layout.routers[cluster.routers[i]] = {corner.x + kStep * i, corner.y + kStep * i};
    }
}

/// Groups in a circle, the routers of each in a circle of their own, processors outside.
void place_groups(NetworkLayout& layout) {
    const auto groups = static_cast<double>(layout.clusters.size());
    const auto members = static_cast<double>(layout.clusters.front().routers.size());
    const bool processors = layout.clusters.front().has_processor;
    const double inner = members < 2 ? 0 : std::max(42.0, members * kCirclePitch / (2 * kPi));
    const double outer = groups < 2 ? 0 : (2 * inner + (processors ? 120 : 90)) / (2 * std::sin(kPi / groups));
    for (std::size_t g = 0; g < layout.clusters.size(); ++g) {
        LayoutCluster& cluster = layout.clusters[g];
        const double turn = (static_cast<double>(g) + 0.5) / groups;
        const LayoutPoint centre = on_circle({0, 0}, outer, turn);
        cluster.processor = on_circle({0, 0}, outer + inner + 46, turn);
        for (std::size_t i = 0; i < cluster.routers.size(); ++i)
            layout.routers[cluster.routers[i]] =
                on_circle(centre, inner, turn + (static_cast<double>(i) + 0.5) / members);
    }
}

void place_circle(NetworkLayout& layout) {
    const auto count = static_cast<double>(layout.routers.size());
    const double radius = std::max(110.0, count * kCirclePitch / (2 * kPi));
    for (std::size_t r = 0; r < layout.routers.size(); ++r)
        layout.routers[r] = on_circle({0, 0}, radius, (static_cast<double>(r) + 0.5) / count);
    for (LayoutCluster& cluster : layout.clusters) {
        const auto first = static_cast<double>(cluster.routers.front());
        const auto members = static_cast<double>(cluster.routers.size());
        cluster.processor = on_circle({0, 0}, radius - 76, (first + members / 2) / count);
        cluster.framed = false;
    }
}

/// Dimension 0 to the right, 1 downwards, 2 to the right again by whole planes, and so on.
void place_grid(NetworkLayout& layout, const std::vector<unsigned>& dimensions) {
    layout.rows = true;
    for (unsigned r = 0; r < layout.routers.size(); ++r) {
        unsigned rest = r;
        double pitch[2] = {kPitch, kPitch};
        double at[2] = {0, 0};
        for (std::size_t d = 0; d < dimensions.size(); ++d) {
            at[d % 2] += pitch[d % 2] * (rest % dimensions[d]);
            pitch[d % 2] *= dimensions[d] + 0.5;
            rest /= dimensions[d];
        }
        layout.routers[r] = {at[0], at[1]};
    }
}

/// `children[l]` of each router at level l; routers are numbered level by level.
void place_tree(NetworkLayout& layout, const std::vector<unsigned>& children) {
    double leaves = 1;
    for (const unsigned n : children) leaves *= n;
    const double width = leaves * 52;
    unsigned router = 0, in_level = 1;
    for (std::size_t level = 0; level <= children.size(); ++level) {
        for (unsigned i = 0; i < in_level; ++i)
            layout.routers[router++] = {width * (i + 0.5) / in_level, 110.0 * static_cast<double>(level)};
        if (level < children.size()) in_level *= children[level];
    }
}

/// Two rows of routers.
void place_stages(NetworkLayout& layout, const std::vector<unsigned>& stages) {
    constexpr double kApart = 220;
    layout.rows = true;
    const double width = kPitch * std::max(stages[0], stages[1]);
    for (unsigned r = 0; r < layout.routers.size(); ++r) {
        const unsigned stage = r < stages[0] ? 0 : 1;
        layout.routers[r] = {width * (r - stage * stages[0] + 0.5) / stages[stage], kApart * stage};
    }
}

void place_star(NetworkLayout& layout) {
    const auto around = static_cast<double>(layout.routers.size() - 1);
    const double radius = std::max(110.0, around * kCirclePitch / (2 * kPi));
    for (std::size_t r = 1; r < layout.routers.size(); ++r)
        layout.routers[r] = on_circle({0, 0}, radius, static_cast<double>(r - 1) / around);
}

void place(NetworkLayout& layout, const NetworkGraph& graph, const TopologySpec& spec) {
    const Place nowhere{"network", "$", nullptr};
    const bool cubes = has_clusters(spec.topology);
    if (cubes) layout.clusters = processor_clusters(graph, spec);
    const auto rectangle = [&](std::vector<unsigned> clusters) {
        clusters.erase(std::remove(clusters.begin(), clusters.end(), 1U), clusters.end());
        clusters.size() < 2 ? place_row(layout) : place_rectangle(layout, clusters.front());
    };
    constexpr unsigned kLongestLine = 12;
    switch (spec.topology) {
    case TopologyKind::smesh: return rectangle(cluster_mesh(spec, nowhere));
    case TopologyKind::sfbfly:
    case TopologyKind::dfbfly:
    case TopologyKind::storus: return rectangle(cluster_rectangle(spec, nowhere));
    case TopologyKind::ddfly: return place_groups(layout);
    case TopologyKind::mesh:
    case TopologyKind::torus:
    case TopologyKind::flattened_butterfly: return place_grid(layout, spec.dimensions);
    case TopologyKind::tree: return place_tree(layout, spec.dimensions);
    case TopologyKind::star: return place_star(layout);
    case TopologyKind::butterfly: return place_stages(layout, spec.dimensions);
    case TopologyKind::line:
        layout.rows = layout.routers.size() <= kLongestLine;
        for (unsigned r = 0; r < layout.routers.size(); ++r) layout.routers[r] = folded(r, kLongestLine);
        return;
    case TopologyKind::dragonfly:
        layout.clusters.resize(spec.dimensions[1]);
        for (unsigned r = 0; r < layout.routers.size(); ++r)
            layout.clusters[r / spec.dimensions[0]].routers.push_back(r);
        return place_groups(layout);
    case TopologyKind::cube_ring:
    case TopologyKind::ring: return place_circle(layout);
    }
}

/// Routers whose boxes the straight line from `a` to `b` would touch.
unsigned passed(const std::vector<LayoutPoint>& routers, unsigned a, unsigned b) {
    constexpr double kNear = 15;
    const LayoutPoint from = routers[a], to = routers[b];
    const double dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
    unsigned count = 0;
    for (unsigned r = 0; r < routers.size(); ++r) {
        if (r == a || r == b) continue;
        const double px = routers[r].x - from.x, py = routers[r].y - from.y;
        const double along = (px * dx + py * dy) / length, aside = std::abs(px * dy - py * dx) / length;
        if (along > 0 && along < length && aside < kNear) ++count;
    }
    return count;
}

void bend_channels(NetworkLayout& layout, const NetworkGraph& graph) {
    std::map<std::pair<unsigned, unsigned>, std::vector<unsigned>>
        pairs; // channels from the lower to the higher router
    for (unsigned c = 0; c < graph.channels.size(); ++c)
        if (graph.channels[c].from < graph.channels[c].to)
            pairs[{graph.channels[c].from, graph.channels[c].to}].push_back(c);
    layout.bends.resize(graph.channels.size());
    for (const auto& [ends, channels] : pairs) {
        const unsigned between = passed(layout.routers, ends.first, ends.second);
        const double bend = between == 0 ? 0 : std::min(34.0, 11 + 7.0 * between);
        for (std::size_t i = 0; i < channels.size(); ++i) {
            constexpr double kBeside = 10;
            const double shift = kBeside * (static_cast<double>(i) - (static_cast<double>(channels.size()) - 1) / 2);
            layout.bends[channels[i]] = bend + shift;
            layout.bends[graph.channels[channels[i]].reverse] = -bend - shift;
        }
    }
}

/// Moves all so that it begins at the margin.
void bring_home(NetworkLayout& layout) {
    LayoutPoint low{1e9, 1e9}, high{-1e9, -1e9};
    const auto take = [&](LayoutPoint p) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    };
    for (const LayoutPoint& p : layout.routers) take(p);
    for (LayoutCluster& cluster : layout.clusters) {
        frame(cluster, layout.routers);
        take(cluster.low);
        take(cluster.high);
    }
    const auto move = [&](LayoutPoint& p) { p = {p.x - low.x + kMargin, p.y - low.y + kMargin}; };
    for (LayoutPoint& p : layout.routers) move(p);
    for (LayoutCluster& cluster : layout.clusters) {
        move(cluster.low);
        move(cluster.high);
        move(cluster.processor);
    }
    layout.width = high.x - low.x + 2 * kMargin;
    layout.height = high.y - low.y + 2 * kMargin;
}

} // namespace

NetworkLayout network_layout(const NetworkGraph& graph, const TopologySpec& spec) {
    NetworkLayout layout;
    layout.routers.resize(graph.routers.size());
    place(layout, graph, spec);
    bend_channels(layout, graph);
    bring_home(layout);
    return layout;
}

} // namespace numavp
