/// `numavp run --log-accesses`: the log, its place in the folder of the results, its arrows in the timeline, and bad
/// inputs.
#include <cstdint>
#include <map>
#include <set>
#include <sqlite3.h>
#include <sstream>
#include <vector>

#include "tests/platform/cli/cli_fixture.h"

namespace numavp::test {
namespace {

using nlohmann::ordered_json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class AccessLogOfARun : public Cli {
  protected:
    void run(const Args& more) const {
        const Ended ended = small_run(more);
        ASSERT_EQ(ended.status, 0) << ended.err;
    }
    std::vector<std::vector<std::string>> rows(const std::string& name) const {
        std::vector<std::vector<std::string>> all;
        std::istringstream in(text_of(name));
        for (std::string line; std::getline(in, line);) {
            all.emplace_back();
            std::istringstream cells(line + ",");
            for (std::string cell; std::getline(cells, cell, ',');) all.back().push_back(cell);
        }
        return all;
    }
};

TEST_F(AccessLogOfARun, HasARowForEachHopAndTheirTimesSum) {
    run({"--out", "out", "--log-accesses", "50"});
    EXPECT_THAT(names_in("out"), ElementsAre("accesses.csv", "results.json", "run.json", "timeline.json"));
    const auto table = rows("out/accesses.csv");
    ASSERT_GT(table.size(), 100U);
    EXPECT_THAT(table[0],
                ElementsAre("access", "kind", "socket", "sm", "home", "address", "from_ps", "latency_ps", "hop",
                            "place", "hop_from_ps", "wait_ps", "time_ps", "waited_for", "waited_access"));
    std::map<std::string, std::uint64_t> left; // of each access's latency
    for (std::size_t i = 1; i < table.size(); ++i) {
        ASSERT_EQ(table[i].size(), 15U) << i;
        if (table[i][8] == "1") left[table[i][0]] = std::stoull(table[i][7]);
        left[table[i][0]] -= std::stoull(table[i][12]);
        EXPECT_EQ(std::stoull(table[i][0]) % 50, 1U);
    }
    for (const auto& [access, ps] : left) EXPECT_EQ(ps, 0U) << access;
    EXPECT_THAT(numavp({"check", "out"}).out, HasSubstr("followed accesses"));
    EXPECT_THAT(numavp({"check", "out/accesses.csv"}).out, HasSubstr("which sum to their latencies"));
}

TEST_F(AccessLogOfARun, ChangesNothingElse) {
    run({"--out", "with", "--log-accesses", "1"});
    run({"--out", "without"});
    EXPECT_EQ(text_of("with/results.json"), text_of("without/results.json"));
    run({"--out", "again", "--log-accesses", "1"});
    EXPECT_EQ(text_of("with/accesses.csv"), text_of("again/accesses.csv"));
    EXPECT_EQ(text_of("with/timeline.json"), text_of("again/timeline.json"));
}

TEST_F(AccessLogOfARun, IsReplacedAndRemovedWithTheResults) {
    run({"--out", "out", "--log-accesses", "50"});
    const std::string before = text_of("out/accesses.csv");
    run({"--out", "out", "--log-accesses", "60"});
    EXPECT_NE(text_of("out/accesses.csv"), before);
    run({"--out", "out"});
    EXPECT_THAT(names_in("out"), ElementsAre("results.json", "run.json", "timeline.json"));
    dir_.write("out/accesses.csv", "mine");
    const Ended ended = small_run({"--out", "out", "--log-accesses", "50"});
    EXPECT_EQ(ended.status, 2);
    EXPECT_THAT(ended.err, HasSubstr("--log-accesses: the folder out has a file accesses.csv that no run wrote"));
    EXPECT_EQ(text_of("out/accesses.csv"), "mine");
    run({"--out", "out", "--log-accesses", "50", "--access-log", "out/followed.csv"});
    EXPECT_EQ(text_of("out/accesses.csv"), "mine");
    EXPECT_THAT(numavp({"check", "out"}).out, HasSubstr("followed accesses"));
}

TEST_F(AccessLogOfARun, IsTheSameInSqlite) {
    run({"--out", "out", "--log-accesses", "50"});
    run({"--out", "out", "--log-accesses", "50", "--access-log", "out/a.sqlite"});
    EXPECT_THAT(names_in("out"), ElementsAre("a.sqlite", "results.json", "run.json", "timeline.json"));
    EXPECT_THAT(numavp({"check", "out"}).out, HasSubstr("which sum to their latencies"));
    run({"--out", "csv", "--log-accesses", "50", "--access-log", "elsewhere.csv"});
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(dir_.path("out/a.sqlite").c_str(), &database), SQLITE_OK);
    std::string text;
    const auto add = [](void* out, int columns, char** cells, char**) {
        for (int i = 0; i < columns; ++i)
            *static_cast<std::string*>(out) += std::string(i == 0 ? "" : ",") + (cells[i] != nullptr ? cells[i] : "");
        *static_cast<std::string*>(out) += "\n";
        return 0;
    };
    EXPECT_EQ(sqlite3_exec(database,
                           "SELECT access, kind, socket, sm, home, address, from_ps, latency_ps, hop, place, "
                           "hop_from_ps, wait_ps, time_ps, waited_for, waited_access FROM accesses JOIN hops USING "
                           "(access) ORDER BY from_ps + latency_ps, access, hop",
                           add, &text, nullptr),
              SQLITE_OK);
    sqlite3_close(database);
    const std::string csv = text_of("elsewhere.csv");
    EXPECT_EQ(text, csv.substr(csv.find('\n') + 1));
}

/// Spans of one access do not overlap, and an arrow leads through all of them.
TEST_F(AccessLogOfARun, IsInTheTimeline) {
    run({"--out", "out", "--log-accesses", "200"});
    const ordered_json timeline = json_of("out/timeline.json");
    std::map<std::uint64_t, std::string> arrows;
    std::map<std::uint64_t, std::size_t> spans;
    std::set<std::string> names;
    double before = -1.0;
    for (const ordered_json& event : timeline.at("traceEvents")) {
        const double ts = event.value("ts", -1.0);
        EXPECT_GE(ts, before);
        before = ts;
        if (event.value("cat", "") != "access") continue;
        if (event.at("ph") == "X") {
            names.insert(event.at("name"));
            if (event.at("name") == "noc" || event.at("args").contains("waited_access")) continue;
            ++spans[event.at("args").at("access").get<std::uint64_t>()];
        } else {
            arrows[event.at("id").get<std::uint64_t>()] += event.at("ph").get<std::string>();
        }
    }
    ASSERT_GT(arrows.size(), 5U);
    for (const auto& [access, phases] : arrows) {
        EXPECT_EQ(phases.front(), 's') << access << phases;
        EXPECT_EQ(phases.back(), 'f') << access << phases;
        EXPECT_EQ(phases.find_first_not_of('t', 1), phases.size() - 1) << access << phases;
        EXPECT_GT(spans[access], 0U);
    }
    for (const char* name : {"noc", "sm", "slice", "channel"}) EXPECT_EQ(names.count(name), 1U) << name;
}

TEST_F(AccessLogOfARun, RefusesWhatItCannotBe) {
    const std::string allowed = "a whole number of accesses from 1 to 1000000000000";
    for (const char* every : {"0", "-1", "1.5", "some", "1e3", "99999999999999999999"})
        expect_fault({"run", "numa-4", "compute", "--log-accesses", every},
                     "--log-accesses: '" + std::string(every) + "' is not " + allowed);
    expect_fault({"run", "--access-log", "x.csv"}, "--access-log requires --log-accesses");
    expect_fault({"run", "numa-4", "compute", "--log-accesses", "9", "--access-log", "x.txt"},
                 "--access-log: 'x.txt' does not say the format; a name that ends in .csv or .sqlite is expected");
    expect_fault({"run", "numa-4", "compute", "--log-accesses", "9", "--access-log", "/proc/none/x.csv"},
                 "--access-log: it can't be");
    expect_fault({"run", "numa-4", "compute", "--log-accesses", "9", "--access-log", "/proc/none/x.sqlite"},
                 "--access-log: it can't be");
    expect_fault({"run", "numa-4", "compute", "--log-accesses", "9", "--out", "o", "--access-log", "o"},
                 "gets in the way of --out 'o'");
    expect_fault({"run", "numa-4", "compute", "--log-accesses", "9", "--out", "o", "--access-log", "o/run.json"},
                 "the results have a file run.json");
    expect_fault({"run", "numa-4", "compute", "--log-accesses", "9", "--access-log", "a.csv", "--access-log", "b.csv"},
                 "--access-log is there 2 times");
}

TEST_F(AccessLogOfARun, LeavesNothingOnAFullDisk) {
    for (const char* name : {"a.csv", "a.sqlite"}) {
        const Ended ended = numavp_in_files_of(16, small_run_words({"--log-accesses", "1", "--access-log", name}));
        EXPECT_EQ(ended.status, 2) << name << ended.out;
        const bool csv = std::string(name) == "a.csv";
        EXPECT_THAT(ended.err, HasSubstr(csv ? "--access-log: it can't be written: File too large"
                                             : "access log a.sqlite: it can't be written or read"))
            << name;
        EXPECT_THAT(names_in(""), IsEmpty()) << name;
    }
}

TEST_F(AccessLogOfARun, IsCheckedRowByRow) {
    run({"--out", "out", "--log-accesses", "500"});
    const std::string text = text_of("out/accesses.csv");
    const std::size_t row = text.find('\n') + 1;
    const auto checked = [&](const std::string& changed, const std::string& part) {
        dir_.write("out/accesses.csv", changed);
        const Ended ended = numavp({"check", "out"});
        EXPECT_EQ(ended.status, 2) << ended.out;
        EXPECT_THAT(ended.err, HasSubstr(part));
    };
    checked(text.substr(0, text.rfind('\n', text.size() - 2) + 1), "its latency of");
    checked(text.substr(0, row) + text.substr(text.find('\n', row) + 1), "row 2: hop 2 of access 1 does not follow");
    checked(text.substr(0, row) + "x" + text.substr(row), "row 2: 'x1' is not a whole number");
    checked(text.substr(0, row) + "1,load\n" + text.substr(row), "row 2: it has 2 cells; 15 are expected");
}

} // namespace
} // namespace numavp::test
