/// Files of application graphs: what they become, what depends on what, and the shipped ones.
#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "communication/graph/graph_file.h"
#include "tests/support/places.h"

namespace numavp::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

AppGraph graph_of(const std::string& text) {
    return make_graph(read_config<AppGraphFile>(parse_json(text, "g.json"), "g.json"), "g.json");
}

AppGraph shipped(const std::string& name) { return load_graph(source_dir() + "/configs/graphs/" + name + ".json"); }

constexpr const char* kPair = R"({"values": [
    {"name": "a", "place": "cpu1", "bytes": 1000, "memory": "pinned", "given": true},
    {"name": "b", "place": "gpu2", "bytes": 1000}, {"name": "c", "place": "gpu2", "bytes": 500},
    {"name": "d", "place": "gpu2", "bytes": 8}],
    "steps": [{"name": "late", "kind": "kernel", "place": "gpu2", "reads": ["c"], "writes": ["d"], "time_us": 2},
    {"name": "move", "reads": ["a"], "writes": ["b"], "from": "cpu1", "stream": "s"},
    {"name": "work", "kind": "kernel", "place": "gpu2", "reads": ["b"], "writes": ["c"], "gbytes_per_s": 10,
     "stream": "s", "time_on": [{"place": "gpu0", "time_us": 7}]}]})";

TEST(AppGraph, WaitsForValuesAndStreams) {
    const AppGraph graph = graph_of(kPair);
    EXPECT_THAT(graph.writers(), ElementsAre(AppGraph::kNone, 1U, 2U, 0U));
    EXPECT_THAT(graph.before_in_stream(), ElementsAre(AppGraph::kNone, AppGraph::kNone, 1U));
    EXPECT_THAT(graph.waits_for(), ElementsAre(ElementsAre(2U), IsEmpty(), ElementsAre(1U)));
    EXPECT_THAT(graph.order(), ElementsAre(1U, 2U, 0U));
    EXPECT_EQ(graph.values[0].memory, HostMemory::pinned);
    EXPECT_EQ(graph.values[0].place.name(), "cpu1");
}

TEST(AppGraph, IsWrittenAsItWasRead) {
    for (const char* name : {"vector-add", "stencil-4", "train-ring-4"}) {
        const std::string text = graph_json(shipped(name)).dump();
        EXPECT_EQ(graph_json(graph_of(text)).dump(), text);
    }
    const std::string text = graph_json(graph_of(kPair)).dump();
    EXPECT_EQ(graph_json(graph_of(text)).dump(), text);
    EXPECT_EQ(graph_of(text).waits_for(), graph_of(kPair).waits_for());
}

TEST(AppGraph, WaitsForEvents) {
    const AppGraph graph = graph_of(R"({"values": [], "steps": [
        {"name": "x", "kind": "kernel", "place": "gpu0", "time_us": 1, "after": ["y"]},
        {"name": "y", "kind": "kernel", "place": "gpu1", "time_us": 1}]})");
    EXPECT_THAT(graph.waits_for(), ElementsAre(ElementsAre(1U), IsEmpty()));
    const std::string text = graph_json(graph).dump();
    EXPECT_EQ(graph_of(text).waits_for(), graph.waits_for());
}

TEST(AppGraph, TimesDependOnThePlace) {
    const AppGraph graph = graph_of(kPair);
    EXPECT_DOUBLE_EQ(graph.compute_ns(0, {true, 5}), 2000);
    EXPECT_DOUBLE_EQ(graph.compute_ns(2, {true, 2}), 150) << "1,500 B at 10 GB/s";
    EXPECT_DOUBLE_EQ(graph.compute_ns(2, {true, 0}), 7000);
}

TEST(AppGraph, PlacesHaveNames) {
    AppPlace place;
    EXPECT_TRUE(parse_place("gpu12", place));
    EXPECT_EQ(place, (AppPlace{true, 12}));
    for (const char* text : {"", "gpu", "gpu-1", "gpu01", "tpu0", "cpu0x", "gpu12345", "cpu 1", "GPU0"})
        EXPECT_FALSE(parse_place(text, place)) << text;
}

/// Figure 6.1: two copies to the GPU, the kernel, and a copy back, one after the other.
TEST(AppGraph, HasTheVectorAdditionOfTheThesis) {
    const AppGraph graph = shipped("vector-add");
    ASSERT_EQ(graph.steps.size(), 4U);
    EXPECT_EQ(graph.values.size(), 6U);
    for (const AppValue& value : graph.values) EXPECT_EQ(value.bytes, 1024U);
    EXPECT_THAT(graph.waits_for(), ElementsAre(IsEmpty(), ElementsAre(0U), ElementsAre(0U, 1U), ElementsAre(2U)));
}

/// Each part of a gradient passes 3 GPUs as a sum and 3 as a total; every GPU ends with all parts.
TEST(AppGraph, HasARingOfFour) {
    const AppGraph graph = shipped("train-ring-4");
    const auto count = [&graph](const std::string& prefix) {
        return std::count_if(graph.steps.begin(), graph.steps.end(),
                             [&prefix](const AppStep& step) { return step.name.rfind(prefix, 0) == 0; });
    };
    EXPECT_EQ(count("send"), 2 * 3 * 4);
    EXPECT_EQ(count("add"), 2 * 3 * 4);
    EXPECT_EQ(count("pass"), 2 * 3 * 4);
    for (const AppStep& step : graph.steps) {
        if (step.name.rfind("update", 0) == 0) {
            EXPECT_EQ(step.reads.size(), 1 + 2 * 4U) << step.name;
        }
    }
    EXPECT_EQ(shipped("stencil-4").steps.size(), 44U);
}

} // namespace
} // namespace numavp::test
