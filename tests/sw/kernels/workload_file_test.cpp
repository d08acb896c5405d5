/// Workload files: the shipped ones, sharing of arrays, repeats and streams, errors, the schema.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sw/work/count.h"
#include "sw/workloads/pattern_table.h"
#include "sw/workloads/workload_file.h"
#include "tests/support/places.h"
#include "tests/support/temp_dir.h"

namespace numavp {
namespace {

using test::TempDir;

std::vector<std::string> folders() { return {test::source_dir() + "/configs/workloads"}; }

TEST(ShippedWorkloads, AreThere) {
    std::set<std::string> names;
    for (const WorkloadName& workload : list_workloads(folders())) {
        names.insert(workload.name);
        EXPECT_FALSE(workload.description.empty()) << workload.name;
    }
    for (const char* name : {"stream-triad", "stencil-2d", "stencil-3d", "matmul", "spmv-powerlaw", "spmv-mesh",
                             "bfs-powerlaw", "bfs-mesh", "reduction", "table-lookup", "table-lookup-local", "butterfly",
                             "compute", "shape-vecadd", "shape-stream", "shape-gather", "shape-compute"})
        EXPECT_EQ(names.count(name), 1U) << name;
}

/// Whether any block does: whole walks of the largest would take minutes.
bool accesses_lines(const Workload& workload) {
    for (const Launch& launch : workload.launches)
        for (std::uint64_t block = 0; launch.kernel && block < launch.kernel->shape().blocks; ++block)
            if (count_block(*launch.kernel, block).line_accesses != 0) return true;
    return false;
}

TEST(ShippedWorkloads, LoadAtSmallScaleAndSayWhereTheirNumbersComeFrom) {
    WorkloadOptions options;
    options.scale = 1.0 / 64;
    for (const WorkloadName& entry : list_workloads(folders())) {
        const json value = load_with_extends(entry.path);
        if (value.contains("budget")) continue; // applications have tests of their own (table2_test.cpp)
        const Workload workload = load_workload(entry.name, folders(), options);
        EXPECT_EQ(workload.name, entry.name);
        EXPECT_TRUE(value.contains("notes")) << entry.name;
        EXPECT_GT(workload.total_blocks(), 0U);
        EXPECT_TRUE(accesses_lines(workload)) << entry.name;
    }
}

TEST(ShippedWorkloads, StreamTriadTouchesAllOfItsMemory) {
    const Workload workload = load_workload("stream-triad", folders());
    Footprint footprint;
    const StreamCounts counts = count_workload(workload, &footprint);
    EXPECT_EQ(footprint.bytes(), workload.footprint_bytes());
    EXPECT_EQ(counts.line_accesses, workload.footprint_bytes() / kLineBytes);
}

json parse(const char* text) { return json::parse(text); }

TEST(WorkloadFiles, EntriesShareNamedArraysAndRepeat) {
    const Workload workload = read_workload(parse(R"({
        "name": "app",
        "phases": [
            {"name": "setup", "kernels": [
                {"pattern": "stream_triad", "parameters": {"elements": 1024}, "arrays": {"a": "field"}}]},
            {"name": "steps", "repeat": 2, "kernels": [
                {"pattern": "compute", "name": "physics", "parameters": {"blocks": 2}, "repeat": 3, "stream": 5,
                 "arrays": {"input": "field", "output": "field"}},
                {"pattern": "reduction", "parameters": {"blocks": 2, "read_bytes": 512, "home": "writers"}}]}]})"),
                                            "test");
    ASSERT_EQ(workload.launches.size(), 1U + 2 * (3 + 1));
    EXPECT_EQ(workload.launches[1].stream, 5U);
    EXPECT_EQ(workload.launches[1].kernel, workload.launches[2].kernel);
    EXPECT_EQ(workload.launches[1].kernel, workload.launches[5].kernel);
    EXPECT_EQ(workload.launches[4].kernel->shape().name, "reduce");
    std::vector<std::string> names;
    for (const Range& range : workload.ranges) names.push_back(range.name);
    EXPECT_EQ(names, (std::vector<std::string>{"field", "stream_triad_0.b", "stream_triad_0.c", "reduction_2.input",
                                               "reduction_2.result"}));
    EXPECT_EQ(workload.ranges[0].bytes, 8192U) << "as large as the largest user needs";
    EXPECT_EQ(workload.ranges[0].base, 0x100000000U);
}

TEST(WorkloadFiles, EntriesWithTheSameGraphParametersShareTheGraph) {
    const char* graph = R"({"pattern": "bfs", "parameters": {"graph": {"vertices": 500, "degree": 4}}})";
    const Workload workload =
        read_workload(parse((R"({"kernels": [)" + std::string(graph) + "," + graph + "]}").c_str()), "test");
    const std::size_t half = workload.launches.size() / 2;
    for (std::size_t i = 0; i < half; ++i)
        EXPECT_EQ(workload.launches[i].kernel->shape().accesses, workload.launches[half + i].kernel->shape().accesses);
}

std::string error_of(const char* text) {
    try {
        read_workload(parse(text), "w.json");
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "";
}

TEST(WorkloadErrors, NameThePlaceAndWhatIsAllowed) {
    EXPECT_EQ(error_of(R"({"name": "x"})"),
              "w.json: $: a workload has either 'kernels' or 'phases', and not an empty list");
    EXPECT_EQ(
        error_of(R"({"kernels": [{"pattern": "stremtriad"}]})")
            .find("w.json: $.kernels[0].pattern: unknown pattern 'stremtriad', the nearest is 'stream_triad'; allowed"),
        0U);
    EXPECT_EQ(error_of(R"({"kernels": [{"parameters": {}}]})").find("w.json: $.kernels[0]: a kernel has no 'pattern'"),
              0U);
    EXPECT_EQ(error_of(R"({"kernels": [{"pattern": "compute", "parameters": {"block": 1}}]})")
                  .find("w.json: $.kernels[0].parameters.block: unknown key 'block', the nearest is 'blocks'"),
              0U);
    EXPECT_EQ(error_of(R"({"kernels": [{"pattern": "compute", "parameters": {"threads": 48}}]})"),
              "w.json: $.kernels[0].parameters.threads: 48 threads are not whole warps; multiples of 32 are allowed");
    EXPECT_EQ(
        error_of(R"({"kernels": [{"pattern": "compute", "parameters": 5}]})").find("w.json: $.kernels[0].parameters: "),
        0U);
    EXPECT_EQ(error_of(R"({"kernels": [{"pattern": "compute", "arrays": {"inputs": "x"}}]})")
                  .find("w.json: $.kernels[0].arrays.inputs: unknown array of this pattern 'inputs', the nearest is "
                        "'input'"),
              0U);
    EXPECT_EQ(error_of(R"({"kernels": [{"pattern": "compute", "arrays": {"input": 3}}]})")
                  .find("w.json: $.kernels[0].arrays.input: "),
              0U);
    EXPECT_EQ(error_of(R"({"phases": [{"kernels": []}]})").find("w.json: $.phases[0].kernels: the list is empty"), 0U);
    EXPECT_EQ(error_of(R"({"scale": 0, "kernels": [{"pattern": "compute"}]})").find("w.json: $.scale: "), 0U);
    EXPECT_EQ(error_of(R"({"kernels": [{"pattern": "stream_triad", "parameters": {"elements": 1099511627776,
                            "element_bytes": 16}}], "scale": 1000})")
                  .find("w.json: $: its arrays take more than 64 TiB"),
              0U);
}

/// Each factor and each phase counts, and nothing is made before.
TEST(WorkloadErrors, TooManyLaunchesAreCounted) {
    const auto phase = [](unsigned times, unsigned of_entry) {
        return fmt::format(R"({{"repeat": {}, "kernels": [{{"pattern": "compute", "repeat": {}}}]}})", times, of_entry);
    };
    const auto of = [](const std::string& phases) { return error_of((R"({"phases": [)" + phases + "]}").c_str()); };
    for (const std::string& phases : {phase(16777216, 1), phase(1, 10000001), phase(2501, 4000),
                                      phase(16777216, 16777216), phase(1, 1) + "," + phase(10000000, 1)})
        EXPECT_EQ(of(phases), "w.json: $: the workload has too many launches; at most 10000000 are allowed") << phases;
    EXPECT_EQ(read_workload(nlohmann::json::parse(R"({"phases": [)" + phase(3, 4) + "," + phase(2, 1) + "]}"),
                            Place("w.json"), {})
                  .launches.size(),
              14U);
}

TEST(WorkloadErrors, UnknownNameSaysWhatExists) {
    try {
        load_workload("stream-traid", folders());
        FAIL();
    } catch (const ConfigError& error) {
        EXPECT_EQ(std::string(error.what())
                      .find("workload: unknown workload 'stream-traid', the nearest is 'stream-triad'; allowed are "),
                  0U)
            << error.what();
    }
}

TEST(WorkloadFiles, ANameIsFoundInTheFirstFolderThatHasIt) {
    const TempDir mine;
    const std::string text = R"({"name": "mine", "kernels": [{"pattern": "compute"}]})";
    mine.write("compute.json", text);
    EXPECT_EQ(load_workload("compute", {mine.path("."), folders()[0]}).name, "mine");
    EXPECT_EQ(load_workload(mine.write("other.json", text), {}).name, "mine");
}

TEST(WorkloadSchema, HasEachPatternsParameters) {
    const ordered_json schema = workload_schema();
    const ordered_json& entry = schema["properties"]["kernels"]["items"];
    EXPECT_EQ(entry["properties"]["pattern"]["enum"].size(), patterns().size());
    ASSERT_EQ(entry["allOf"].size(), patterns().size());
    for (std::size_t i = 0; i < patterns().size(); ++i) {
        const ordered_json& parameters = entry["allOf"][i]["then"]["properties"]["parameters"];
        EXPECT_FALSE(parameters["properties"].empty()) << patterns()[i].name;
    }
}

} // namespace
} // namespace numavp
