/// The drawing of an application graph: names lie in their boxes, lines join the boxes that depend on each other.
#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "communication/graph/graph_file.h"
#include "communication/graph/graph_svg.h"
#include "tests/support/places.h"

namespace numavp::test {
namespace {

struct DrawnBox {
    int x, y, width, height;
    int text_x, baseline;
};
std::vector<DrawnBox> boxes_of(const std::string& svg) {
    const std::regex form("<g><title>[^<]*</title><rect x=\"(\\d+)\" y=\"(\\d+)\" width=\"(\\d+)\" height=\"(\\d+)\" "
                          "[^>]*/><text x=\"(\\d+)\" y=\"(\\d+)\" text-anchor=\"middle\">");
    std::vector<DrawnBox> boxes;
    for (std::sregex_iterator box(svg.begin(), svg.end(), form), end; box != end; ++box) {
        const auto number = [&](std::size_t n) { return std::stoi((*box)[n]); };
        boxes.push_back({number(1), number(2), number(3), number(4), number(5), number(6)});
    }
    return boxes;
}
AppGraph drawn_graph(const std::string& name) { return load_graph(source_dir() + "/configs/graphs/" + name + ".json"); }

constexpr int kFontHeight = 11; ///< font-size of the drawing

TEST(GraphSvg, NamesLieInTheirBoxes) {
    for (const char* name : {"vector-add", "stencil-4", "train-ring-4"}) {
        const AppGraph graph = drawn_graph(name);
        const std::string svg = graph_svg(graph);
        const std::vector<DrawnBox> boxes = boxes_of(svg);
        ASSERT_EQ(boxes.size(), graph.values.size() + graph.steps.size()) << name;
        std::smatch size;
        ASSERT_TRUE(std::regex_search(svg, size, std::regex("<svg [^>]* width=\"(\\d+)\" height=\"(\\d+)\"")));
        for (const DrawnBox& box : boxes) {
            EXPECT_GE(box.baseline, box.y + kFontHeight) << name;
            EXPECT_LT(box.baseline, box.y + box.height) << name;
            EXPECT_EQ(box.text_x, box.x + box.width / 2) << name;
            EXPECT_LE(box.x + box.width, std::stoi(size[1])) << name;
            EXPECT_LE(box.y + box.height, std::stoi(size[2])) << name;
            const auto others = std::count_if(boxes.begin(), boxes.end(), [&](const DrawnBox& other) {
                return std::abs(other.x - box.x) < box.width && std::abs(other.y - box.y) < box.height;
            });
            EXPECT_EQ(others, 1) << name << ": boxes overlap";
        }
    }
}

/// A line leaves a box in the middle of its lower edge and ends in the middle of the upper edge of a lower one.
TEST(GraphSvg, LinesJoinBoxesFromTopToBottom) {
    for (const char* name : {"vector-add", "stencil-4"}) {
        const AppGraph graph = drawn_graph(name);
        const std::string svg = graph_svg(graph);
        const std::vector<DrawnBox> boxes = boxes_of(svg);
        const std::regex form("<path d=\"M(\\d+) (\\d+)C\\d+ \\d+ \\d+ \\d+ (\\d+) (\\d+)\"");
        std::size_t lines = 0;
        for (std::sregex_iterator line(svg.begin(), svg.end(), form), end; line != end; ++line, ++lines) {
            const auto number = [&](std::size_t n) { return std::stoi((*line)[n]); };
            EXPECT_TRUE(std::any_of(boxes.begin(), boxes.end(), [&](const DrawnBox& box) {
                return box.text_x == number(1) && box.y + box.height == number(2);
            })) << name;
            EXPECT_TRUE(std::any_of(boxes.begin(), boxes.end(), [&](const DrawnBox& box) {
                return box.text_x == number(3) && box.y == number(4);
            })) << name;
            EXPECT_LT(number(2), number(4)) << name;
        }
        std::size_t needed = 0;
        for (const AppStep& step : graph.steps) needed += step.reads.size() + step.writes.size() + step.after.size();
        EXPECT_EQ(lines, needed) << name;
    }
}

} // namespace
} // namespace numavp::test
