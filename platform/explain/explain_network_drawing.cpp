#include "platform/explain/explain_network_drawing.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "platform/explain/network_layout.h"

namespace numavp {
namespace {

constexpr std::size_t kMostColumns = 100;
constexpr std::size_t kMostDrawnLines = 40;
constexpr double kStraight = 10; ///< bends up to this are those of parallel channels

/// Characters that are written anywhere.
class TextCanvas {
  public:
    TextCanvas(std::size_t width, std::size_t height) : lines_(height, std::string(width, ' ')) {}
    void put(std::size_t x, std::size_t y, const std::string& text) {
        for (std::size_t i = 0; i < text.size() && x + i < lines_[y].size(); ++i) lines_[y][x + i] = text[i];
    }
    void put_wire(std::size_t x, std::size_t y, char wire) {
        char& at = lines_[y][x];
        at = at == ' ' || at == wire ? wire : '+';
    }
    std::string text() const {
        std::string out;
        for (const std::string& line : lines_) {
            const std::size_t length = line.find_last_not_of(' ') + 1;
            out += (length == 0 ? "" : "  ") + line.substr(0, length) + "\n";
        }
        return out;
    }

  private:
    std::vector<std::string> lines_;
};

/// Positions of routers among the distinct coordinates.
struct TextGrid {
    std::vector<std::size_t> column, row;
    std::size_t columns = 0, rows = 0;
};

std::vector<std::size_t> ranks(const std::vector<LayoutPoint>& points, double LayoutPoint::*axis, std::size_t& count) {
    std::set<long> values;
    for (const LayoutPoint& p : points) values.insert(std::lround(p.*axis));
    count = values.size();
    std::vector<std::size_t> at;
    for (const LayoutPoint& p : points)
        at.push_back(static_cast<std::size_t>(std::distance(values.begin(), values.find(std::lround(p.*axis)))));
    return at;
}

TextGrid grid_of(const std::vector<LayoutPoint>& points) {
    TextGrid grid;
    grid.column = ranks(points, &LayoutPoint::x, grid.columns);
    grid.row = ranks(points, &LayoutPoint::y, grid.rows);
    return grid;
}

/// "cube[12]" as it is, or "12" where there is little room.
std::string short_name(const std::string& name) {
    const std::size_t open = name.find('[');
    return open == std::string::npos ? name : name.substr(open + 1, name.size() - open - 2);
}

/// Characters from a router to the next.
struct TextScale {
    std::size_t column = 0, row = 1;
    std::size_t above = 0; ///< lines for the processors, if each has a column
    bool brief = false;
};

TextScale scale_of(const NetworkGraph& graph, const TextGrid& grid, const NetworkLayout& layout, bool channels_down) {
    constexpr std::size_t kGap = 3;
    TextScale scale;
    std::size_t longest = 0;
    for (const std::string& name : graph.routers) longest = std::max(longest, name.size());
    scale.brief = grid.columns * (longest + kGap) > kMostColumns;
    if (scale.brief) longest = short_name(graph.routers.back()).size();
    scale.column = longest + kGap;
    scale.row = channels_down ? 2 : 1;
    if (!layout.clusters.empty() && grid.columns == layout.clusters.size()) scale.above = 2;
    return scale;
}

/// A ring as two rows: one half from left to right, the other back.
std::vector<LayoutPoint> two_rows(std::size_t routers) {
    const std::size_t columns = (routers + 1) / 2;
    std::vector<LayoutPoint> points;
    for (std::size_t r = 0; r < routers; ++r) {
        const std::size_t column = r < columns ? r : 2 * columns - 1 - r;
        points.push_back({static_cast<double>(column), r < columns ? 0.0 : 1.0});
    }
    return points;
}

/// Channels along rows and columns.
struct DrawnChannels {
    std::vector<unsigned> across, down;
};

/// Parallel channels bend, and so do those around others: the former join routers that stand next to each other.
DrawnChannels drawn_channels(const NetworkGraph& graph, const TextGrid& grid, const std::vector<double>& bends) {
    DrawnChannels drawn;
    const auto next = [](std::size_t a, std::size_t b) { return a + 1 == b || b + 1 == a; };
    for (unsigned c = 0; c < graph.channels.size(); ++c) {
        const unsigned a = graph.channels[c].from, b = graph.channels[c].to;
        if (a > b) continue;
        const bool straight = std::abs(bends[c]) <= kStraight;
        if (grid.row[a] == grid.row[b] && (straight || next(grid.column[a], grid.column[b])))
            drawn.across.push_back(c);
        else if (grid.column[a] == grid.column[b] && (straight || next(grid.row[a], grid.row[b])))
            drawn.down.push_back(c);
    }
    return drawn;
}

} // namespace

std::string network_drawing(const NetworkSystem& system) {
    const NetworkGraph& graph = system.topology.graph;
    NetworkLayout layout = network_layout(graph, system.spec);
    const TopologyKind kind = system.spec.topology;
    if (kind == TopologyKind::ring || kind == TopologyKind::cube_ring) {
        layout.routers = two_rows(graph.routers.size());
        std::fill(layout.bends.begin(), layout.bends.end(), 0.0);
    } else if (!layout.rows) {
        return "";
    }
    const TextGrid grid = grid_of(layout.routers);
    const auto [across, down] = drawn_channels(graph, grid, layout.bends);
    const TextScale scale = scale_of(graph, grid, layout, !down.empty());
    if (grid.columns * scale.column > kMostColumns || grid.rows * scale.row + scale.above > kMostDrawnLines) return "";
    TextCanvas canvas(grid.columns * scale.column, (grid.rows - 1) * scale.row + 1 + scale.above);
    const auto x_of = [&](unsigned r) { return grid.column[r] * scale.column; };
    const auto y_of = [&](unsigned r) { return grid.row[r] * scale.row + scale.above; };
    for (const unsigned c : across) {
        const auto [left, right] = std::minmax({x_of(graph.channels[c].from), x_of(graph.channels[c].to)});
        for (std::size_t x = left; x < right; ++x) canvas.put_wire(x, y_of(graph.channels[c].from), '-');
    }
    for (const unsigned c : down)
        for (std::size_t y = y_of(graph.channels[c].from) + 1; y < y_of(graph.channels[c].to); ++y)
            canvas.put_wire(x_of(graph.channels[c].from) + 1, y, '|');
    for (unsigned r = 0; r < graph.routers.size(); ++r)
        canvas.put(x_of(r), y_of(r), scale.brief ? short_name(graph.routers[r]) : graph.routers[r]);
    if (scale.above != 0)
        for (const LayoutCluster& cluster : layout.clusters)
            canvas.put(x_of(cluster.routers.front()), 0, graph.endpoints[cluster.endpoint].name);
    const std::size_t pairs = graph.channels.size() / 2, drawn = across.size() + down.size();
    if (drawn == pairs) return canvas.text();
    return canvas.text() +
           fmt::format("  and {} channels between routers that are not neighbours in the drawing\n", pairs - drawn);
}

} // namespace numavp
