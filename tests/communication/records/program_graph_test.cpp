/// The graph of a small host program: values of its arrays, times of kernels from a run, rates.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/values/error.h"
#include "communication/records/program_graph.h"
#include "sw/workloads/workload_file.h"
#include "tests/support/temp_dir.h"

namespace numavp::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr unsigned kElements = 1024, kArrayBytes = 4 * kElements;

nlohmann::json program_copy(const char* way, const char* array, double share = 1) {
    return {{"copy", way}, {"array", array}, {"share", share}};
}
/// Reads array a, writes array b.
nlohmann::json program_kernel(const char* name) {
    return {{"pattern", "element_loop"},
            {"parameters",
             {{"kernel", name},
              {"items", kElements},
              {"per_block", 256},
              {"accesses", {{{"array", "a"}}, {{"array", "b"}, {"kind", "store"}}}}}},
            {"arrays", {{"a", "a"}, {"b", "b"}}}};
}
/// Reads each element of array b and writes it.
nlohmann::json program_host() {
    return {{"host", {{"name", "check"}, {"accesses", {{{"array", "b"}, {"way", "update"}}}}, {"instructions", 4}}}};
}
AppGraph graph_of_program(const std::vector<nlohmann::json>& launches, const ProgramTimes& times) {
    const nlohmann::json file = {{"name", "program"}, {"kernels", launches}};
    return program_graph(read_workload(file, Place("file"), {}), times).graph;
}
std::vector<std::string> value_names(const AppGraph& graph, const std::vector<unsigned>& values) {
    std::vector<std::string> names;
    for (const unsigned value : values) names.push_back(graph.values[value].name);
    return names;
}

TEST(ProgramGraph, ValuesAreArraysBetweenWrites) {
    const AppGraph graph = graph_of_program({program_copy("to_device", "a"), program_kernel("k"), program_kernel("k"),
                                             program_copy("to_host", "b"), program_host()},
                                            {"", 500, 8});
    ASSERT_EQ(graph.steps.size(), 5U);
    const std::vector<std::vector<std::string>> reads{{"a_h"}, {"a_d"}, {"a_d"}, {"b_d2"}, {"b_h"}},
        writes{{"a_d"}, {"b_d"}, {"b_d2"}, {"b_h"}, {"b_h2"}};
    for (std::size_t s = 0; s < 5; ++s) {
        EXPECT_EQ(value_names(graph, graph.steps[s].reads), reads[s]) << s;
        EXPECT_EQ(value_names(graph, graph.steps[s].writes), writes[s]) << s;
    }
    EXPECT_EQ(graph.steps[1].place.name(), "gpu0");
    EXPECT_EQ(graph.steps[4].place.name(), "cpu0");
    EXPECT_EQ(graph.steps[1].time.gbytes_per_s, 500);
    EXPECT_DOUBLE_EQ(graph.steps[4].time.time_us, 1.024) << "4 KiB are read and 4 KiB written at 8 GB/s";
    EXPECT_TRUE(graph.values[0].given);
    EXPECT_FALSE(graph.values[1].given);
}

/// Half of an array goes out: a value of its own, which waits for who wrote the whole.
TEST(ProgramGraph, PartsWaitForTheirWholes) {
    const AppGraph graph = graph_of_program(
        {program_kernel("k"), program_copy("to_host", "b"), program_copy("to_host", "b", 0.5)}, {"", 500, 8});
    ASSERT_EQ(graph.steps.size(), 3U);
    EXPECT_EQ(graph.steps[1].reads, graph.steps[0].writes);
    EXPECT_EQ(graph.values[graph.steps[2].reads[0]].bytes, kArrayBytes / 2);
    EXPECT_THAT(graph.steps[2].after, ElementsAre(0U));
}

/// 2 ns a cycle. A launch with a row of its own takes that row's time, others the mean of their name's rows.
TEST(ProgramGraph, TimesAreThoseOfTheRun) {
    const TempDir folder;
    const std::string results = folder.write("results.json", R"({"cycles": 1000, "time_ns": 2000, "kernels": {"rows": {
        "kind": ["kernel", "kernel", "kernel", "outside"], "name": ["k", "k", "other", ""],
        "launch": [1, 2, null, null], "launches": [1, 1, 4, 0], "cycles": [100, 300, 2000, 50]}}})");
    const AppGraph graph = graph_of_program(
        {program_kernel("k"), program_kernel("k"), program_kernel("other"), program_kernel("k")}, {results, 0, 0});
    EXPECT_DOUBLE_EQ(graph.steps[0].time.time_us, 0.2);
    EXPECT_DOUBLE_EQ(graph.steps[1].time.time_us, 0.6);
    EXPECT_DOUBLE_EQ(graph.steps[2].time.time_us, 1.0) << "a quarter of what four took";
    EXPECT_DOUBLE_EQ(graph.steps[3].time.time_us, 0.4) << "a launch without a row: the mean of both";
    try {
        graph_of_program({program_kernel("unknown")}, {results, 0, 0});
        ADD_FAILURE() << "a kernel without a time";
    } catch (const ConfigError& refused) {
        EXPECT_THAT(refused.what(), HasSubstr("kernel 'unknown' has no time; --gbytes-per-s is expected"));
    }
}

} // namespace
} // namespace numavp::test
