/// Studies run by the program: resumed, killed, starved of disk, and always with the same numbers.
#include <csignal>
#include <filesystem>

#include <fmt/format.h>

#include "tests/platform/study/study_fixture.h"
#include "tests/support/places.h"

namespace numavp::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class StudyRun : public StudyTest {
  protected:
    /// Rows of `points`.
    std::int64_t noted_points(const std::string& db) const {
        const SqlDatabase database(dir_.path(db), false);
        SqlStatement row(database, "SELECT count(*) FROM points");
        row.step();
        return row.integer(0);
    }
    /// Ended by a signal, or by itself: what is in the file is sound, and the same command does the rest.
    void expect_resumes(const std::string& study, const std::string& db, std::size_t points) {
        const json before = status(study, db);
        EXPECT_LT(before["done"], points);
        EXPECT_EQ(before["failed"], 0);
        const Ended ended = numavp({"run", study, "--db", db, "--json"});
        EXPECT_EQ(ended.status, 0) << ended.err;
        const json report = json::parse(ended.out);
        EXPECT_EQ(report["done"], points);
        EXPECT_EQ(report["ran"], points - before["done"].get<std::size_t>());
    }
};

TEST_F(StudyRun, NumbersDoNotDependOnWorkers) {
    dir_.write("s.json", two_systems());
    for (const char* jobs : {"1", "3"}) {
        const Ended ended = numavp({"run", "s.json", "--jobs", jobs, "--db", std::string("j") + jobs, "--quiet"});
        EXPECT_EQ(ended.status, 0) << ended.err;
        EXPECT_EQ(ended.out + ended.err, "");
    }
    EXPECT_EQ(exported("s.json", "j1"), exported("s.json", "j3"));
}

TEST_F(StudyRun, RowsByKernelSumToTheRun) {
    dir_.write("s.json", two_systems());
    ASSERT_EQ(numavp({"run", "s.json", "--db", "db", "--quiet"}).status, 0);
    const SqlDatabase database(dir_.path("db"), false);
    SqlStatement row(database, R"SQL(
        SELECT runs.id, sum(cycles), sum(kernels.warp_instructions), count(launch), min(ipc),
               (SELECT value FROM metrics WHERE run = runs.id AND name = 'cycles'),
               (SELECT value FROM metrics WHERE run = runs.id AND name = 'statistics.system.warp_instructions'),
               (SELECT value FROM metrics WHERE run = runs.id AND name = 'statistics.system.kernels')
        FROM runs JOIN kernels ON run = runs.id GROUP BY runs.id)SQL");
    std::size_t runs = 0;
    for (; row.step(); ++runs) {
        EXPECT_EQ(row.integer(1), row.integer(5));
        EXPECT_EQ(row.integer(2), row.integer(6));
        EXPECT_EQ(row.integer(3), row.integer(7));
        EXPECT_GT(row.integer(2), 0);
    }
    EXPECT_EQ(runs, 6U);
    SqlStatement outside(database, R"SQL(
        SELECT count(*) FROM runs JOIN kernels k ON k.run = runs.id JOIN metrics m ON m.run = runs.id
        WHERE k.kind = 'outside' AND m.name = 'derived.outside_ns' AND abs(m.value - k.cycles) < 1e-6)SQL");
    outside.step();
    EXPECT_EQ(outside.integer(0), 6) << "the time outside kernels is that of its row, at 1 GHz";
}

/// Whatever it is called, and whatever lies beside it.
TEST_F(StudyRun, PointsRunInTheProgramThatWasStarted) {
    dir_.write("s.json", two_systems());
    std::filesystem::copy_file(program_file(), dir_.path("renamed"));
    dir_.write("numavp", "another program");
    std::filesystem::permissions(dir_.path("numavp"), std::filesystem::perms::owner_all);
    const Ended ended = run_process({dir_.path("renamed"), "study", "run", "s.json", "--db", "db", "--json"},
                                    {std::string("NUMAVP_CONFIGS=") + source_dir() + "/configs"}, dir_.path(""));
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_EQ(runs_in("db"), 6U);
}

/// Points of one figure at the scale of another are no second scale of the first.
TEST_F(StudyRun, FiguresOfAFolderMayHaveOtherScales) {
    std::string larger = two_systems();
    larger.replace(larger.find("0.004"), 5, "0.005");
    dir_.write("f/small.json", two_systems());
    dir_.write("f/large.json", larger);
    ASSERT_EQ(numavp({"run", "f", "--db", "r.sqlite", "--quiet"}).status, 0);
    const Ended one = numavp({"status", "f", "--db", "r.sqlite", "--figure", "large", "--json"});
    ASSERT_EQ(one.status, 0) << one.err;
    EXPECT_EQ(json::parse(one.out)["figures"]["large"]["scale"], 0.005);
}

TEST_F(StudyRun, RunsOnlyWhatIsMissing) {
    dir_.write("s.json", two_systems());
    const auto ran = [&](const Args& more) {
        Args words = {"run", "s.json", "--json"};
        words.insert(words.end(), more.begin(), more.end());
        const Ended ended = numavp(words);
        EXPECT_EQ(ended.status, 0) << ended.err;
        return json::parse(ended.out)["ran"].get<int>();
    };
    EXPECT_EQ(ran({}), 6);
    EXPECT_EQ(ran({}), 0);
    EXPECT_EQ(ran({"--scale", "0.005"}), 6);
    const Ended two = numavp({"show", "s.json", "--json"});
    EXPECT_EQ(two.status, 2);
    EXPECT_THAT(two.err, HasSubstr("at several scales; --scale with one of 'own', '0.005' is expected"));
    const Ended own = numavp({"status", "s.json", "--json"});
    EXPECT_EQ(json::parse(own.out)["figures"]["s"]["scale"], 0.004) << "of several the study's own";
    EXPECT_EQ(json::parse(own.out)["other_scales"], json({"0.005"}));
    const Ended one = numavp({"status", "s.json", "--json", "--scale", "0.005"});
    EXPECT_EQ(json::parse(one.out)["others"], 6);
    EXPECT_EQ(json::parse(one.out)["figures"]["s"]["scale"], 0.005);
    dir_.write(
        "s.json",
        tiny(R"("systems": [{"label": "one", "system": "gpu-1"}, {"label": "four", "system": "numa-4-lanes"}])"));
    EXPECT_EQ(ran({}), 3);
}

TEST_F(StudyRun, ShowsTheScaleThatItHas) {
    dir_.write("s.json", two_systems());
    ASSERT_EQ(numavp({"run", "s.json", "--quiet", "--scale", "0.005"}).status, 0);
    const Ended shown = numavp({"show", "s.json"});
    EXPECT_THAT(shown.out, AllOf(HasSubstr("scale 0.005"), HasSubstr("3 workloads")));
    ASSERT_EQ(numavp({"run", "s.json", "--quiet"}).status, 0);
    EXPECT_EQ(numavp({"show", "s.json"}).status, 2) << "not the one that was run last";
    for (const auto& [asked, scale] : {std::pair{"own", 0.004}, std::pair{"0.005", 0.005}}) {
        const json rows = json::parse(numavp({"show", "s.json", "--json", "--scale", asked}).out);
        EXPECT_EQ(rows.at(0).at("scale"), scale);
        EXPECT_FALSE(rows.at(0).at("measured").is_null()) << asked;
    }
}

TEST_F(StudyRun, RefusesMetricsThatNoRunHas) {
    const auto with = [&](const std::string& path) {
        dir_.write("s.json", R"({"workloads": ["table-lookup"], "scale": 0.004, "set": {"socket.sms": 2},
            "systems": [{"system": "gpu-1"}, {"system": "numa-4"}],
            "metrics": [{"name": "time"}, {"name": "m", "path": ")" +
                                 path + R"("}]})");
        return run_process({program_file(), "check", "s.json"}, {}, dir_.path(""));
    };
    for (const char* path :
         {"statistics.socket*.link.out.bytes", "statistics.socket3.l1.hits", "workload.blocks",
          "derived.socket*.link.in_saturated", "slots.socket*.memory", "access_latency.load.remote.p99_9_ps"}) {
        const Ended good = with(path);
        EXPECT_EQ(good.status, 0) << good.err;
    }
    const Ended bad = with("statistics.socket*.l1.hit");
    EXPECT_EQ(bad.status, 2);
    EXPECT_THAT(bad.err, AllOf(HasSubstr("s.json: $.metrics[1].path: no run of this figure has "
                                         "'statistics.socket*.l1.hit', the nearest"),
                               HasSubstr("'statistics.socket*.l1.hits'")));
    const Ended run = numavp({"run", "s.json", "--quiet"});
    EXPECT_EQ(run.status, 2) << "before anything runs";
    EXPECT_EQ(run.err, bad.err);
    EXPECT_EQ(runs_in("results/s.sqlite"), 0U);
}

/// A kernel of the workload's, and what a kernel has.
TEST_F(StudyRun, RefusesKernelsThatNoWorkloadHas) {
    const auto with = [&](const std::string& metric) {
        dir_.write("s.json", R"({"workloads": ["spmv-mesh"], "scale": 0.004, "set": {"socket.sms": 2},
            "systems": [{"system": "numa-aware-2"}], "metrics": [{"name": "m", )" +
                                 metric + "}]}");
        return run_process({program_file(), "check", "s.json"}, {}, dir_.path(""));
    };
    for (const char* path : {"time_ns", "l2_hit_rate", "memory_bytes", "statistics.socket*.memory.read_bytes"}) {
        const Ended good = with(R"("kernel": "spmv_rows", "path": ")" + std::string(path) + "\"");
        EXPECT_EQ(good.status, 0) << good.err;
    }
    const Ended kernel = with(R"("kernel": "spmv_row")");
    EXPECT_EQ(kernel.status, 2);
    EXPECT_THAT(kernel.err,
                HasSubstr("s.json: $.metrics[0].kernel: unknown kernel 'spmv_row', the nearest is 'spmv_rows'"));
    const Ended path = with(R"("kernel": "spmv_rows", "path": "derived.copies_ns")");
    EXPECT_EQ(path.status, 2);
    EXPECT_THAT(path.err, HasSubstr("no run of this figure has 'derived.copies_ns' by kernel"));
    const Ended percentile = with(R"("kernel": "spmv_rows", "path": "statistics.socket*.load_latency.local.p99_ps")");
    EXPECT_EQ(percentile.status, 2) << "percentiles do not add up";
    EXPECT_THAT(percentile.err, HasSubstr("load_latency.local.p99_ps' by kernel"));
}

TEST_F(StudyRun, ANameIsNoPath) {
    auto study = nlohmann::ordered_json::parse(two_systems());
    study["name"] = "../../up";
    dir_.write("s.json", study.dump());
    ASSERT_EQ(numavp({"run", "s.json", "--quiet"}).status, 0);
    EXPECT_GT(runs_in("results/_..-..-up.sqlite"), 0U);
}

TEST_F(StudyRun, ShowsItsRows) {
    dir_.write("s.json", two_systems());
    ASSERT_EQ(numavp({"run", "s.json", "--quiet"}).status, 0);
    const json rows = json::parse(numavp({"show", "s.json", "--json"}).out);
    ASSERT_EQ(rows.size(), 5U); // two means, three workloads
    EXPECT_EQ(rows[0]["mean"], "arithmetic");
    EXPECT_GT(rows[0]["measured"], 0.1);
    EXPECT_TRUE(rows[0]["paper"].is_null());
    EXPECT_EQ(rows[0]["verdict"], "");
    EXPECT_EQ(rows[2]["workload"], "table-lookup");
    EXPECT_THAT(numavp({"show", "s.json", "--csv"}).out, HasSubstr("\ns,s,,speedup,four,,arithmetic,,3,,0.004,,,,,"));
    EXPECT_THAT(numavp({"show", "s.json", "--workloads"}).out,
                AllOf(HasSubstr("3 workloads"), HasSubstr("stream-triad")));
    EXPECT_THAT(numavp({"status", "s.json"}).out, HasSubstr("all, each once"));
}

TEST_F(StudyRun, SaturatedIntervalsAreCounted) {
    dir_.write("s.json", R"({"workloads": ["table-lookup"], "scale": 0.01,
        "set": {"socket.sms": 2, "results.interval_cycles": 100},
        "systems": [{"label": "narrow", "system": "numa-4", "set": {"link.lane_gbps": 0.1}},
                    {"label": "wide", "system": "numa-4", "set": {"link.lane_gbps": 100}}],
        "metrics": [{"name": "saturated", "path": "derived.socket*.link.in_saturated", "reduce": "max"}]})");
    ASSERT_EQ(numavp({"run", "s.json", "--quiet"}).status, 0);
    const json rows = json::parse(numavp({"show", "s.json", "--json"}).out);
    EXPECT_EQ(rows[0]["configuration"], "narrow");
    EXPECT_GT(rows[0]["measured"], 0.5);
    EXPECT_EQ(rows[3]["configuration"], "wide");
    EXPECT_EQ(rows[3]["measured"], 0.0);
}

TEST_F(StudyRun, AnExportSparesTheResultsFile) {
    dir_.write("s.json", two_systems());
    ASSERT_EQ(numavp({"run", "s.json", "--db", "out/r.sqlite", "--quiet"}).status, 0);
    const Ended into = numavp({"export", "s.json", "--db", "out/r.sqlite", "--out", "out"});
    EXPECT_EQ(into.status, 2);
    EXPECT_THAT(into.err, HasSubstr("numavp: export out: the results file itself is there as r.sqlite"));
    EXPECT_FALSE(std::filesystem::exists(dir_.path("out/points.csv")));
    EXPECT_EQ(status("s.json", "out/r.sqlite")["done"], 6);
    for (int i = 0; i < 2; ++i) // the second one replaces the first one's copy
        EXPECT_EQ(numavp({"export", "s.json", "--db", "out/r.sqlite", "--out", "other"}).status, 0);
    EXPECT_EQ(runs_in("other/r.sqlite"), 6U);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir_.path("other")), {}), 7)
        << "nothing is left behind";
}

TEST_F(StudyRun, AFailedPointIsSaidAndRetriedOnlyWhenAsked) {
    dir_.write("s.json", R"({"workloads": ["w.json"], "metrics": [{"name": "t"}], "systems": [{"system": "gpu-1"},
        {"label": "few", "system": "gpu-1", "set": {"socket.sm.registers": 1024}}]})");
    dir_.write("w.json", R"({"kernels": [{"pattern": "stream_triad", "parameters": {"elements": 4096}}]})");
    const Ended first = numavp({"run", "s.json"});
    EXPECT_EQ(first.status, 1);
    EXPECT_THAT(first.err, AllOf(HasSubstr("w on gpu-1 few failed: "), HasSubstr("registers")));
    EXPECT_THAT(first.out, AllOf(HasSubstr("1 of 2 points are done, 1 failed"), HasSubstr("--retry-failed")));
    EXPECT_THAT(status("s.json", "results/s.sqlite")["failures"][0]["message"].get<std::string>(),
                HasSubstr("registers"));
    EXPECT_THAT(numavp({"run", "s.json"}).out, HasSubstr("0 points ran"));
    EXPECT_THAT(numavp({"run", "s.json", "--retry-failed"}).out, HasSubstr("1 point ran"));
}

TEST_F(StudyRun, APointThatHangsIsEnded) {
    dir_.write("s.json", slow());
    const auto study = start({"run", "s.json", "--jobs", "1", "--time-limit", "1", "--db", "r"});
    ASSERT_TRUE(wait_until([&] { return !children_of(study->pid()).empty(); }));
    ::kill(children_of(study->pid()).front(), SIGSTOP);
    ASSERT_TRUE(wait_until([&] { return runs_in("r") >= 1; }));
    study->send(SIGTERM);
    study->wait();
    EXPECT_THAT(status("s.json", "r")["failures"][0]["message"].get<std::string>(), HasSubstr("time limit of 1 s"));
}

TEST_F(StudyRun, AKilledWorkerCostsItsPoint) {
    dir_.write("s.json", slow());
    const auto study = start({"run", "s.json", "--jobs", "2", "--db", "r"});
    ASSERT_TRUE(wait_until([&] { return !children_of(study->pid()).empty(); }));
    ::kill(children_of(study->pid()).front(), SIGKILL);
    const Ended ended = study->wait();
    EXPECT_EQ(ended.status, 1);
    EXPECT_THAT(ended.err, HasSubstr("failed: it was ended by signal 9 (Killed)"));
    EXPECT_EQ(status("s.json", "r")["done"], 5);
    const Ended again = numavp({"run", "s.json", "--db", "r", "--retry-failed", "--quiet"});
    EXPECT_EQ(again.status, 0) << again.err;
    EXPECT_EQ(status("s.json", "r")["done"], 6);
}

TEST_F(StudyRun, AKilledStudyResumes) {
    dir_.write("s.json", slow());
    const auto study = start({"run", "s.json", "--jobs", "2", "--db", "r"});
    ASSERT_TRUE(wait_until([&] { return runs_in("r") >= 1; }));
    const std::vector<pid_t> points = children_of(study->pid());
    study->send(SIGKILL);
    EXPECT_EQ(study->wait().signal, SIGKILL);
    EXPECT_EQ(noted_points("r"), 6);
    for (const pid_t point : points)
        EXPECT_TRUE(wait_until([&] { return ::kill(point, 0) != 0; }, 5.0)) << "a point outlived its study";
    expect_resumes("s.json", "r", 6);
}

TEST_F(StudyRun, AKilledStudyHasNotedWhatItsSelectionsMade) {
    dir_.write("f/a.json", R"({"workloads": ["stream-triad"], "scale": 0.002, "metrics": [{"name": "time"}],
        "systems": [{"system": "gpu-1"}],
        "rules": [{"name": "all", "metric": "time", "configuration": "gpu-1", "from": 0}]})");
    dir_.write("f/b.json", R"({"workloads": ["stream-triad"], "scale": 1, "metrics": [{"name": "time"}],
        "systems": [{"system": "numa-4"}], "select": {"figure": "a", "rule": "all"}})");
    const auto study = start({"run", "f", "--jobs", "1", "--db", "r"});
    ASSERT_TRUE(wait_until([&] { return runs_in("r") >= 1; }));
    EXPECT_TRUE(wait_until([&] { return noted_points("r") == 2; }));
    EXPECT_EQ(runs_in("r"), 1U) << "noted when it began";
    study->send(SIGKILL);
    EXPECT_EQ(study->wait().signal, SIGKILL);
    EXPECT_EQ(noted_points("r"), 2);
}

TEST_F(StudyRun, AnUndecidedWorkloadIsSaid) {
    dir_.write("w.json", R"({"kernels": [{"pattern": "stream_triad", "parameters": {"elements": 4096}}]})");
    dir_.write("s.json", R"({"workloads": ["w.json"], "metrics": [{"name": "time"}],
        "systems": [{"system": "gpu-1", "set": {"socket.sm.registers": 1024}}],
        "rules": [{"name": "all", "metric": "time", "configuration": "gpu-1", "from": 0}], "select": {"rule": "all"}})");
    EXPECT_EQ(numavp({"run", "s.json", "--db", "r", "--quiet"}).status, 1);
    EXPECT_EQ(status("s.json", "r")["figures"]["s"]["undecided"], json({"w"}));
}

TEST_F(StudyRun, CtrlCKeepsWhatThereIs) {
    dir_.write("s.json", slow());
    const auto study = start({"run", "s.json", "--jobs", "1", "--db", "r"});
    ASSERT_TRUE(wait_until([&] { return runs_in("r") >= 1; }));
    study->send(SIGINT);
    const Ended ended = study->wait();
    EXPECT_EQ(ended.status, 130);
    EXPECT_THAT(ended.err, AllOf(HasSubstr("the same command continues"), HasSubstr("interrupted")));
    EXPECT_FALSE(std::filesystem::exists(dir_.path("r.lock")));
    expect_resumes("s.json", "r", 6);
}

TEST_F(StudyRun, AReaderHoldsAStudyUpButDoesNotEndIt) {
    dir_.write("s.json", two_systems());
    ASSERT_EQ(numavp({"run", "s.json", "--db", "r", "--quiet", "--scale", "0.005"}).status, 0);
    const SqlDatabase reader(dir_.path("r"), false);
    reader.run("BEGIN");
    SqlStatement rows(reader, "SELECT key FROM runs");
    ASSERT_TRUE(rows.step());
    const auto study = start({"run", "s.json", "--db", "r"});
    const auto says = [&] {
        return study->errors_so_far().find("another program holds r; waiting") != std::string::npos;
    };
    ASSERT_TRUE(wait_until(says));
    rows.reset();
    reader.run("COMMIT");
    const Ended ended = study->wait();
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_EQ(runs_in("r"), 12U);
}

TEST_F(StudyRun, TwoAtOnceAreRefused) {
    dir_.write("s.json", slow());
    const auto study = start({"run", "s.json", "--jobs", "1", "--db", "r"});
    ASSERT_TRUE(wait_until([&] { return !children_of(study->pid()).empty(); }));
    const Ended second = numavp({"run", "s.json", "--db", "r"});
    EXPECT_EQ(second.status, 2);
    EXPECT_THAT(second.err,
                HasSubstr(fmt::format("another run of a study writes to it (process {} on ", study->pid())));
    EXPECT_EQ(status("s.json", "r")["points"], 6); // readers are welcome
}

TEST_F(StudyRun, AFullDiskLeavesAReadableFile) {
    dir_.write("s.json", two_systems());
    // No file may grow beyond 300 KiB: room for some of the points. (Of file systems of a given size only root has
    // any.)
    std::string command = "ulimit -f 600; exec";
    for (const std::string& word : program({"run", "s.json", "--jobs", "1", "--db", "r"})) command += " '" + word + "'";
    const Ended ended = run_process({"/bin/sh", "-c", command}, {}, dir_.path(""));
    EXPECT_EQ(ended.status, 2) << ended.err;
    EXPECT_THAT(ended.err, AllOf(HasSubstr("numavp: results file r: "), HasSubstr("full")));
    SqlDatabase database(dir_.path("r"), false);
    SqlStatement check(database, "PRAGMA integrity_check");
    ASSERT_TRUE(check.step());
    EXPECT_EQ(check.text(0), "ok");
    check.reset();
    EXPECT_GT(status("s.json", "r")["done"], 0);
    expect_resumes("s.json", "r", 6);
}

} // namespace
} // namespace numavp::test
