#include "communication/graph/graph_svg.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace numavp {

namespace {

// Pixels: a box holds 20 characters of the 11-pixel font.
constexpr unsigned kDown = 44, kAcross = 148, kWide = 136, kHigh = 22, kTop = 40, kDrawingMargin = 12;

std::string in_xml(const std::string& text) {
    std::string safe;
    for (const char c : text) switch (c) {
        case '&': safe += "&amp;"; break;
        case '<': safe += "&lt;"; break;
        case '>': safe += "&gt;"; break;
        case '"': safe += "&quot;"; break;
        default: safe += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
    return safe;
}

/// At most 20 characters, and never half of one.
std::string abbreviated(const std::string& text) {
    constexpr std::size_t kMost = 20;
    std::size_t bytes = 0, characters = 0;
    for (; bytes < text.size() && characters < kMost; ++characters) do
            ++bytes;
        while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xc0U) == 0x80);
    return bytes == text.size() ? text : text.substr(0, bytes) + "\u2026";
}

std::string size_of(std::uint64_t bytes) {
    constexpr double kKibi = 1024;
    double size = static_cast<double>(bytes);
    const char* unit = "B";
    for (const char* larger : {"KiB", "MiB", "GiB"}) {
        if (size < kKibi) break;
        size /= kKibi;
        unit = larger;
    }
    return fmt::format("{:.4g} {}", size, unit);
}

struct Box {
    AppPlace lane;
    unsigned level = 0; ///< below all that it needs
    unsigned slot = 0;  ///< of its lane and level
    unsigned x = 0, y = 0;
};

class Drawing {
  public:
    explicit Drawing(const AppGraph& graph) : graph_(graph), values_(graph.values.size()), steps_(graph.steps.size()) {
        place_levels();
        place_slots();
    }
    std::string text() const {
        const unsigned height = kTop + levels_ * kDown + kDrawingMargin;
        std::string all = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
            "font-family=\"sans-serif\" font-size=\"11\">\n<title>{2}</title>\n"
            "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
            width_, height, in_xml(graph_.name));
        for (const auto& [place, left] : lefts_)
            all += fmt::format("<rect x=\"{}\" y=\"4\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n"
                               "<text x=\"{}\" y=\"24\" font-size=\"14\" font-weight=\"bold\">{}</text>\n",
                               left, lanes_.at(place) * kAcross + kDrawingMargin, height - 8,
                               place.gpu ? "#eef5ee" : "#f1f1f7", left + kDrawingMargin, place.name());
        all += edges();
        for (std::size_t v = 0; v < values_.size(); ++v) {
            const AppValue& value = graph_.values[v];
            const std::string about = fmt::format("{}: {} on {}{}", value.name, size_of(value.bytes),
                                                  value.place.name(), value.given ? ", given" : "");
            all += box(values_[v], 0, value.given ? "#ffffff" : "#fdf3d8", value.name, about);
        }
        for (std::size_t s = 0; s < steps_.size(); ++s) {
            const AppStep& step = graph_.steps[s];
            const char* colour = step.kind == AppStepKind::copy     ? "#d8e6fd"
                                 : step.kind == AppStepKind::kernel ? "#d5efd5"
                                                                    : "#ead9f2";
            const std::string stream = step.stream.empty() ? "" : fmt::format(", stream {}", step.stream);
            all += box(steps_[s], kHigh / 2, colour, step.name,
                       fmt::format("{}: {}{}", step.name, kAppStepKinds.name(step.kind), stream));
        }
        return all + "</svg>\n";
    }

  private:
    /// A level below all that a box needs.
    void place_levels() {
        const std::vector<unsigned> writers = graph_.writers(), streams = graph_.before_in_stream();
        for (const unsigned s : graph_.order()) {
            unsigned level = 0;
            for (const unsigned v : graph_.steps[s].reads) level = std::max(level, values_[v].level + 1);
            for (const unsigned before : graph_.steps[s].after) level = std::max(level, steps_[before].level + 1);
            if (streams[s] != AppGraph::kNone) level = std::max(level, steps_[streams[s]].level + 1);
            steps_[s].level = level;
            for (const unsigned v : graph_.steps[s].writes) values_[v].level = level + 1;
        }
        // What is given stands just above its first reader.
        std::vector<unsigned> first(values_.size(), AppGraph::kNone);
        for (std::size_t s = 0; s < steps_.size(); ++s)
            for (const unsigned v : graph_.steps[s].reads) first[v] = std::min(first[v], steps_[s].level);
        for (std::size_t v = 0; v < values_.size(); ++v) {
            if (writers[v] == AppGraph::kNone && first[v] != AppGraph::kNone && first[v] > 0)
                values_[v].level = first[v] - 1;
            values_[v].lane = graph_.values[v].place;
        }
        for (std::size_t s = 0; s < steps_.size(); ++s) {
            const AppStep& step = graph_.steps[s];
            steps_[s].lane = step.kind == AppStepKind::copy ? graph_.values[step.writes[0]].place : step.place;
        }
    }
    void place_slots() {
        std::map<std::pair<AppPlace, unsigned>, unsigned> used;
        for (std::vector<Box>* boxes : {&steps_, &values_})
            for (Box& box : *boxes) {
                box.slot = used[{box.lane, box.level}]++;
                lanes_[box.lane] = std::max(lanes_[box.lane], box.slot + 1);
                levels_ = std::max(levels_, box.level + 1);
            }
        width_ = kDrawingMargin;
        for (const auto& [place, slots] : lanes_) {
            lefts_[place] = width_;
            width_ += slots * kAcross + 2 * kDrawingMargin;
        }
        for (std::vector<Box>* boxes : {&steps_, &values_})
            for (Box& box : *boxes) {
                box.x = lefts_[box.lane] + kDrawingMargin + box.slot * kAcross;
                box.y = kTop + box.level * kDown;
            }
    }
    static std::string box(const Box& at, unsigned round, const char* colour, const std::string& name,
                           const std::string& about) {
        return fmt::format(
            "<g><title>{}</title><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" fill=\"{}\" "
            "stroke=\"#555555\"/><text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text></g>\n",
            in_xml(about), at.x, at.y, kWide, kHigh, round, colour, at.x + kWide / 2, at.y + 15,
            in_xml(abbreviated(name)));
    }
    static std::string edge(const Box& from, const Box& to, const char* style) {
        const unsigned x = from.x + kWide / 2, end = to.x + kWide / 2, y = from.y + kHigh, bend = (kDown - kHigh) / 2;
        return fmt::format("<path d=\"M{} {}C{} {} {} {} {} {}\" fill=\"none\" stroke=\"#777777\"{}/>\n", x, y, x,
                           y + bend, end, to.y - bend, end, to.y, style);
    }
    std::string edges() const {
        std::string all;
        for (std::size_t s = 0; s < steps_.size(); ++s) {
            for (const unsigned v : graph_.steps[s].reads) all += edge(values_[v], steps_[s], "");
            for (const unsigned v : graph_.steps[s].writes) all += edge(steps_[s], values_[v], "");
            for (const unsigned before : graph_.steps[s].after)
                all += edge(steps_[before], steps_[s], " stroke-dasharray=\"4 3\"");
        }
        return all;
    }

    const AppGraph& graph_;
    std::vector<Box> values_, steps_;
    std::map<AppPlace, unsigned> lanes_; ///< slots
    std::map<AppPlace, unsigned> lefts_;
    unsigned levels_ = 1, width_ = 0;
};

} // namespace

std::string graph_svg(const AppGraph& graph) { return Drawing(graph).text(); }

} // namespace numavp
