/// Exports of Nsight Systems with CUDA graphs, and of its older versions.
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/values/error.h"
#include "communication/records/nsight_reader.h"
#include "tests/support/nsight_database.h"
#include "tests/support/temp_dir.h"

namespace numavp::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::string kGraphTable = R"(
    CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INT, end INT, deviceId INT, graphId INT, graphExecId INT,
        contextId INT, streamId INT, correlationId INT, globalPid INT);)";
std::string launch_row(int call, int stream, int start, int ns, int graph = 3) {
    return "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (" + std::to_string(start) + "," +
           std::to_string(start + ns) + ",0," + std::to_string(graph) + ",4,1," + std::to_string(stream) + "," +
           std::to_string(call) + ",9);";
}

RecordedGraph graph_of_export(const std::string& statements) {
    const TempDir folder;
    make_database(folder.path("a.sqlite"), statements);
    return read_nsight(folder.path("a.sqlite"));
}
std::string refusal_of_export(const std::string& statements) {
    try {
        graph_of_export(statements);
    } catch (const ConfigError& fault) {
        return fault.what();
    }
    return "";
}
std::vector<std::string> names_of(const RecordedGraph& made) {
    std::vector<std::string> names;
    for (const AppStep& step : made.graph.steps) names.push_back(step.name);
    return names;
}
double kernels_us(const RecordedGraph& made) {
    double us = 0;
    for (const AppStep& step : made.graph.steps)
        if (step.kind == AppStepKind::kernel) us += step.time.time_us;
    return us;
}

/// A value between two kernels has the most bytes that were copied before or behind one of them.
TEST(NsightReader, AValueBetweenKernelsIsOfTheCopiesOfOneKernel) {
    const auto in = [](int call, int bytes) { return copy_row(call, 0, 7, bytes, 1, 1, 2); };
    const auto out = [](int call, int bytes) { return copy_row(call, 0, 7, bytes, 2, 2, 1); };
    const auto bytes_between = [](const std::string& rows) {
        const RecordedGraph made = graph_of_export(kTables + rows);
        std::vector<std::uint64_t> bytes; // what a kernel leaves to the next is the last that this reads
        const AppStep* last = nullptr;
        for (const AppStep& step : made.graph.steps) {
            if (step.kind != AppStepKind::kernel) continue;
            if (last) bytes.push_back(made.graph.values[step.reads.back()].bytes);
            last = &step;
        }
        return bytes;
    };
    EXPECT_THAT(bytes_between(in(1, 4096) + in(2, 2048) + kernel_row(3, 0, 7, 100) + in(4, 4096) +
                              kernel_row(5, 0, 7, 100) + in(6, 1024) + kernel_row(7, 0, 7, 100)),
                ElementsAre(6144U, 6144U))
        << "two copies before the first kernel";
    EXPECT_THAT(bytes_between(kernel_row(1, 0, 7, 100) + out(2, 512) + kernel_row(3, 0, 7, 100) + out(4, 768)),
                ElementsAre(768U));
}

/// By default nsys records a graph as a whole: its time is a step between what was called before and after it.
TEST(NsightReader, WholeGraphsAreSteps) {
    const RecordedGraph made = graph_of_export(kTables + kGraphTable + copy_row(1, 0, 7, 4096, 1, 1, 2) +
                                               launch_row(2, 7, 2000, 200'000) + copy_row(3, 0, 7, 4096, 2, 2, 1));
    EXPECT_THAT(names_of(made), ElementsAre("copy 1", "graph 3 2", "copy 3"));
    const std::vector<AppStep>& steps = made.graph.steps;
    EXPECT_EQ(steps[1].time.time_us, 200.0);
    EXPECT_EQ(steps[1].reads, steps[0].writes);
    EXPECT_EQ(steps[2].reads, steps[1].writes);
    EXPECT_EQ(steps[1].stream, steps[0].stream);
    EXPECT_THAT(made.notes, Contains(HasSubstr("1 launches of CUDA graphs, 200.0 us together")));
}

TEST(NsightReader, GraphsAloneAreAnApplication) {
    std::string rows;
    for (int launch = 0; launch < 100; ++launch) rows += launch_row(launch + 10, 7, 1000 * launch, 1000, launch % 2);
    const RecordedGraph made = graph_of_export(kGraphTable + rows);
    EXPECT_EQ(made.graph.steps.size(), 100U);
    EXPECT_EQ(kernels_us(made), 100.0);
    EXPECT_THAT(made.notes, Contains(HasSubstr("100 launches of CUDA graphs, 100.0 us together")));
    const std::string unnumbered = R"(
        CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INT, end INT, deviceId INT, contextId INT, streamId INT,
            correlationId INT);
        INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (0, 5000, 1, 1, 7, 2);)";
    EXPECT_THAT(names_of(graph_of_export(unnumbered)), ElementsAre("graph 1"));
    EXPECT_THAT(refusal_of_export(kGraphTable + launch_row(1, 7, 100, -5)),
                HasSubstr("row 1 of CUPTI_ACTIVITY_KIND_GRAPH_TRACE has no time"));
}

/// A graph that is recorded both ways counts once; what has its call's number in another process is something else.
TEST(NsightReader, NodesTakeThePlaceOfTheirGraph) {
    const std::string rows = kTables + kGraphTable + launch_row(5, 7, 0, 10'000) + kernel_row(5, 0, 7, 4000, 0) +
                             kernel_row(5, 0, 7, 6000, 4000) +
                             "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN graphNodeId INT;";
    for (const char* id : {"0", "3"}) {
        const RecordedGraph nodes =
            graph_of_export(rows + "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET graphNodeId = " + id + ";");
        EXPECT_EQ(kernels_us(nodes), 10.0) << id;
        EXPECT_THAT(nodes.notes, Not(Contains(HasSubstr("CUDA graphs"))));
    }
    EXPECT_EQ(kernels_us(graph_of_export(rows)), 20.0);
}

/// All nodes of a graph have the call that launched it: they come in the order of their times.
TEST(NsightReader, NodesOfAGraphAreInTheOrderOfTheirTimes) {
    const RecordedGraph made = graph_of_export(kTables + copy_row(5, 0, 7, 4096, 1, 1, 2, "NULL,NULL", 0) +
                                               copy_row(5, 0, 7, 4096, 2, 2, 1, "NULL,NULL", 9000) +
                                               kernel_row(5, 0, 7, 2000, 1000) + kernel_row(5, 0, 7, 2000, 4000));
    EXPECT_THAT(names_of(made), ElementsAre("copy 1", "vector_add 2", "vector_add 3", "copy 4"));
    EXPECT_EQ(made.graph.steps[1].reads, made.graph.steps[0].writes);
    EXPECT_THAT(made.graph.steps[2].writes, Contains(made.graph.steps[3].reads[0]))
        << "the copy out is of the kernel's value";
    for (const AppStep& step : made.graph.steps) EXPECT_THAT(step.after, IsEmpty());
}

/// Of branches on several streams a node waits for what had ended, and not for what ran beside it.
TEST(NsightReader, BranchesOfAGraphKeepTheirOrder) {
    const RecordedGraph made = graph_of_export(kTables + kernel_row(5, 0, 7, 1000, 0) +
                                               kernel_row(5, 0, 13, 3000, 1500) + kernel_row(5, 0, 7, 1000, 2000) +
                                               kernel_row(5, 0, 7, 500, 6000) + kernel_row(6, 0, 14, 500, 9000));
    const std::vector<AppStep>& steps = made.graph.steps;
    ASSERT_EQ(steps.size(), 5U);
    EXPECT_THAT(steps[1].after, ElementsAre(0U));
    EXPECT_THAT(steps[2].after, IsEmpty()) << "beside the branch";
    EXPECT_THAT(steps[3].after, ElementsAre(1U));
    EXPECT_THAT(steps[4].after, IsEmpty()) << "another call";
    EXPECT_THAT(made.notes, Contains(HasSubstr("nodes of a CUDA graph on several streams")));
}

/// Before CUDA 12.8 a wait names the event alone: the latest record of it before the wait's call counts.
TEST(NsightReader, OlderExportsMatchEventsByTheirId) {
    const std::string old_tables = kStrings + kKernels + R"(
        CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INT, end INT, deviceId INT, contextId INT, streamId INT,
            correlationId INT, globalPid INT, syncType INT, eventId INT);
        CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (deviceId INT, contextId INT, streamId INT, correlationId INT,
            globalPid INT, eventId INT);)";
    const auto record = [](int call, int event, int stream = 7) {
        return "INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES (0, 1, " + std::to_string(stream) + ", " +
               std::to_string(call) + ", 9, " + std::to_string(event) + ");";
    };
    const auto wait = [](int call, int event, int type = 2) {
        return "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (0, 0, 0, 1, 13, " + std::to_string(call) +
               ", 9, " + std::to_string(type) + ", " + std::to_string(event) + ");";
    };
    const std::string kernels =
        kernel_row(1, 0, 7, 100) + kernel_row(3, 0, 7, 100) + kernel_row(8, 0, 13, 100) + kernel_row(10, 0, 7, 100);
    using Steps = std::vector<unsigned>;
    const std::string tables = old_tables + kernels;
    for (const auto& [rows, after] : std::vector<std::pair<std::string, Steps>>{
             {record(2, 9) + wait(5, 9), {0}},                 // behind the first kernel
             {record(4, 9) + record(2, 9) + wait(5, 9), {1}},  // recorded again: the later one
             {record(2, 9) + record(11, 9) + wait(5, 9), {0}}, // recorded again behind the wait
             {record(2, 8) + record(4, 9) + wait(5, 8), {0}},  // another event
             {record(2, 9) + wait(5, 9, 1), {}}}) {            // the host waits
        EXPECT_EQ(graph_of_export(tables + rows).graph.steps[2].after, after) << rows;
    }
    EXPECT_THAT(graph_of_export(old_tables + kernels + record(6, 9) + wait(5, 9)).notes,
                Contains(HasSubstr("1 waits for events without a record")));
    const std::string none = kStrings + kKernels + R"(
        CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (deviceId INT, contextId INT, streamId INT, correlationId INT);)";
    EXPECT_EQ(graph_of_export(none + kernels).graph.steps.size(), 4U);
}

/// A table may be a view that never ends; the time of reading is bounded.
TEST(NsightReader, ViewsThatNeverEndAreRefused) {
    const std::string columns =
        "1 AS start, 2 AS end, 0 AS deviceId, 1 AS contextId, 7 AS streamId, 1 AS correlationId";
    const std::string rows = " FROM (WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT x FROM r";
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_THAT(
        refusal_of_export("CREATE VIEW CUPTI_ACTIVITY_KIND_GRAPH_TRACE AS SELECT " + columns + rows + " WHERE x < 0);"),
        HasSubstr("a.sqlite: reading it takes more than 5"));
    EXPECT_THAT(refusal_of_export(kKernels + "CREATE VIEW StringIds AS SELECT x AS id, 'name' AS value" + rows +
                                  " WHERE x < 0);" + kernel_row(1, 0, 7, 5)),
                HasSubstr("a.sqlite: reading it takes more than 5"));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::minutes(1));
}

} // namespace
} // namespace numavp::test
