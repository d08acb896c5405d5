/// numavp graph on small databases with the tables of Nsight Systems' export.
#include "tests/platform/cli/bad_list.h"
#include "tests/support/nsight_database.h"

namespace numavp::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class RecordedGraphs : public BadList {
  protected:
    void database(const std::string& name, const std::string& statements) const {
        make_database(dir_.path(name), statements);
    }
    nlohmann::json graph(const std::string& statements) const {
        database("app.sqlite", statements);
        const Ended made = numavp({"graph", "app.sqlite", "--out", "g.json", "--quiet"});
        EXPECT_EQ(made.status, 0) << made.err;
        EXPECT_EQ(made.err + made.out, "");
        return nlohmann::json::parse(text_of("g.json"));
    }
    /// Nothing else in the folder is written.
    void expect_sentence(const std::string& file, const std::string& part) const {
        const Ended ended = numavp({"graph", file});
        EXPECT_EQ(ended.status, 2) << part;
        EXPECT_EQ(ended.out, "");
        EXPECT_THAT(ended.err, HasSubstr("numavp: " + file + ": " + part));
    }
};

/// The vector addition of Figure 6.1: the rows stand in another order than the calls.
TEST_F(RecordedGraphs, TheVectorAdditionOfTheThesis) {
    const auto made = graph(kTables + kernel_row(12, 0, 7, 2500) + copy_row(14, 0, 7, 1024, 2, 2, 0) +
                            copy_row(10, 0, 7, 1024, 1, 0, 2) + copy_row(11, 0, 7, 1024, 1, 0, 2));
    EXPECT_EQ(made.at("name"), "app");
    const auto& steps = made.at("steps");
    ASSERT_EQ(steps.size(), 4U);
    EXPECT_EQ(steps[2].at("name"), "vector_add 3");
    EXPECT_EQ(steps[2].at("time_us"), 2.5);
    EXPECT_EQ(steps[2].at("reads"), nlohmann::json::array({steps[0].at("writes")[0], steps[1].at("writes")[0]}));
    EXPECT_EQ(steps[2].at("writes"), steps[3].at("reads"));
    for (const auto& step : steps) EXPECT_EQ(step.at("stream"), "gpu0.1.7");
    for (const auto& value : made.at("values")) EXPECT_EQ(value.at("bytes"), 1024);
    const Ended predicted = numavp({"predict", "g.json", "dgx-1"});
    EXPECT_EQ(predicted.status, 0) << predicted.err;
    EXPECT_THAT(predicted.out, HasSubstr("critical path: copy 1, copy 2, vector_add 3, copy 4"));
}

/// Pinned memory, a copy between GPUs, and a stream that waits for an event of another.
TEST_F(RecordedGraphs, PeersAndEvents) {
    const std::string event = "INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES (0, 0, 1, 7, 3, 9, 5, 50);";
    const std::string wait = "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (0, 0, 1, 1, 8, 5, 9, 2, 5, 50);"
                             "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (0, 0, 1, 1, 8, 6, 9, 3, 5, 50);";
    const auto made = graph(kTables + copy_row(1, 0, 7, 4096, 1, 1, 2) + copy_row(2, 0, 7, 4096, 10, 2, 2, "0,1") +
                            event + kernel_row(4, 0, 7, 100) + wait + kernel_row(7, 1, 8, 100));
    const auto& steps = made.at("steps");
    ASSERT_EQ(steps.size(), 4U);
    EXPECT_EQ(made.at("values")[0].at("memory"), "pinned");
    EXPECT_EQ(made.at("values")[3].at("place"), "gpu1");
    EXPECT_EQ(steps[3].at("after"), nlohmann::json::array({"copy 2"}));
    EXPECT_FALSE(steps[2].contains("after"));
    const auto run = nlohmann::json::parse(numavp({"predict", "g.json", "s822lc", "--json"}).out);
    EXPECT_EQ(run.at("steps").back().at("after"), "copy 2");
    EXPECT_EQ(run.at("steps").back().at("reason"), "event of copy 2");
}

/// Kernels of a stream hand on what was copied in: on several GPUs they are no faster, since each waits for the one
/// before, wherever that ran.
TEST_F(RecordedGraphs, KernelsOfAStreamAreAChain) {
    std::string rows = copy_row(1, 0, 7, 8192, 1, 1, 2);
    for (int call = 2; call < 6; ++call) rows += kernel_row(call, 0, 7, 1'000'000);
    const auto made = graph(kTables + rows + copy_row(6, 0, 7, 65536, 2, 2, 1));
    const auto& steps = made.at("steps");
    ASSERT_EQ(steps.size(), 6U);
    for (std::size_t k = 2; k < 5; ++k) {
        EXPECT_EQ(steps[k].at("reads"), nlohmann::json::array({steps[k - 1].at("writes").back()}));
        for (const auto& value : made.at("values"))
            if (value.at("name") == steps[k].at("reads")[0]) {
                EXPECT_EQ(value.at("bytes"), 65536) << "the most that was copied";
            }
    }
    EXPECT_THAT(made.at("description").get<std::string>(), HasSubstr("read what the kernel before wrote"));
    const Ended moved = numavp({"what-if", "g.json", "s822lc", "--change", "place=auto", "--change",
                                R"(place."vector_add 4"=gpu1)", "--json"});
    EXPECT_THAT(moved.err, HasSubstr("a kernel that moves takes the values along that the graph names"));
    const auto changes = nlohmann::json::parse(moved.out).at("changes");
    ASSERT_EQ(changes.size(), 3U);
    for (const auto& change : changes) EXPECT_GE(change.at("time").get<double>(), 1.0) << change.at("change");
    EXPECT_GT(changes[2].at("time").get<double>(), 1.002) << "one kernel elsewhere: data goes there and back";
}

TEST_F(RecordedGraphs, SaysWhatIsAssumedAndLeftOut) {
    database("app.sqlite", kTables + copy_row(1, 0, 7, 64, 1, 0, 2) + copy_row(2, 0, 7, 64, 11, 4, 4));
    const Ended made = numavp({"graph", "app.sqlite", "--name", "mine"});
    EXPECT_EQ(nlohmann::json::parse(made.out).at("name"), "mine");
    EXPECT_THAT(made.err, AllOf(HasSubstr("1 copies of arrays and of unified memory are left out\n"),
                                HasSubstr("hosts are cpu0")));
}

TEST_F(RecordedGraphs, BadFiles) {
    dir_.write("text.sqlite", "SQLite format 3 is what it says, but it is no database, however long it may be");
    database("empty.sqlite", "CREATE TABLE t (x INT);");
    database("rows.sqlite", kTables);
    database("column.sqlite", "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INT, bytes INT);");
    database("device.sqlite", kTables + copy_row(1, -4, 7, 64, 1, 0, 2));
    database("bytes.sqlite", kTables + copy_row(1, 0, 7, 0, 1, 0, 2));
    database("time.sqlite", kTables + kernel_row(1, 0, 7, -5));
    database("word.sqlite",
             kTables + kernel_row(1, 0, 7, 5) + "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET deviceId = 'first';");
    expect_sentence("none.sqlite", "there is no such file");
    expect_sentence("text.sqlite", "SQLite says: file is not a database; ");
    expect_sentence("empty.sqlite", "it has no copies and no kernels; ");
    expect_sentence("rows.sqlite", "it has no copies and no kernels; ");
    expect_sentence("column.sqlite", "its table CUPTI_ACTIVITY_KIND_MEMCPY has no column end; ");
    expect_sentence("device.sqlite", "row 1 of CUPTI_ACTIVITY_KIND_MEMCPY is on device -4; ");
    expect_sentence("bytes.sqlite", "row 1 of CUPTI_ACTIVITY_KIND_MEMCPY copies 0 B; ");
    expect_sentence("time.sqlite", "row 1 of CUPTI_ACTIVITY_KIND_KERNEL has no time, or ends before it begins; ");
    expect_sentence("word.sqlite", "row 1 of CUPTI_ACTIVITY_KIND_KERNEL has no whole number as deviceId; ");
    expect_sentences({{{"graph"}, "command line: FILE is required"}});
}

} // namespace
} // namespace numavp::test
