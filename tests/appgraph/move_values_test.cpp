/// Moves of unified memory that a file's steps need: names, events, and what stays in place.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/appgraph/graph_file.h"

namespace numavp::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

AppGraph unified_graph(const std::string& values, const std::string& steps) {
    const Place place("g.json");
    return make_graph(
        read_config<AppGraphFile>(json::parse(R"({"values": [)" + values + R"(], "steps": [)" + steps + "]}"), place),
        place);
}
std::vector<std::string> steps_of(const AppGraph& graph) {
    std::vector<std::string> names;
    for (const AppStep& step : graph.steps) names.push_back(step.name);
    return names;
}

const std::string kShared = R"({"name": "v", "place": "cpu0", "bytes": 8, "given": true, "memory": "managed"})";

TEST(MoveValues, NamesAreNew) {
    const AppGraph graph =
        unified_graph(kShared + R"(,{"name": "v@gpu0", "place": "gpu0", "bytes": 8, "given": true})",
                      R"({"name": "k", "kind": "kernel", "place": "gpu0", "reads": ["v", "v@gpu0"], "time_us": 1})");
    EXPECT_THAT(steps_of(graph), ElementsAre("move v@gpu0 (2)", "k"));
    EXPECT_EQ(graph.values[2].name, "v@gpu0 (2)");
    EXPECT_EQ(graph.values[2].memory, HostMemory::managed);
    EXPECT_THAT(graph.steps[1].reads, ElementsAre(2U, 1U));
}

/// Steps of the list move behind moves; events still name the same ones, and a move waits for the readers before.
TEST(MoveValues, EventsKeepTheirSteps) {
    const auto kernel = [](const std::string& name, const std::string& place, const std::string& more) {
        return R"({"name": ")" + name + R"(", "kind": "kernel", "place": ")" + place + R"(", "time_us": 1)" + more +
               "}";
    };
    const AppGraph graph = unified_graph(kShared, kernel("a", "gpu0", R"(, "reads": ["v"])") + "," +
                                                      kernel("b", "gpu1", R"(, "reads": ["v"])") + "," +
                                                      kernel("c", "gpu2", R"(, "after": ["a"])"));
    ASSERT_THAT(steps_of(graph), ElementsAre("move v@gpu0", "a", "move v@gpu1", "b", "c"));
    EXPECT_THAT(graph.steps[2].after, ElementsAre(1U));
    EXPECT_THAT(graph.steps[4].after, ElementsAre(1U));
    EXPECT_THAT(graph.waits_for(),
                ElementsAre(IsEmpty(), ElementsAre(0U), ElementsAre(0U, 1U), ElementsAre(2U), ElementsAre(1U)));
}

TEST(MoveValues, CpusReadInPlace) {
    const AppGraph graph =
        unified_graph(kShared, R"({"name": "h", "kind": "host", "place": "cpu1", "reads": ["v"], "time_us": 1})");
    EXPECT_THAT(steps_of(graph), ElementsAre("h"));
    EXPECT_THAT(graph.steps[0].reads, ElementsAre(0U));
}

} // namespace
} // namespace numavp::test
