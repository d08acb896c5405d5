/// The arithmetic of rows, on results made by hand.
#include <cmath>
#include <map>

#include "common/words/text.h"
#include "platform/study/study_metrics.h"
#include "platform/study/study_verdict.h"
#include "tests/platform/study/study_fixture.h"

namespace numavp::test {
namespace {

class StudyRows : public StudyTest {
  protected:
    /// The row with these words; fails if there is none.
    StudyRow row(const std::string& metric, const std::string& configuration, const std::string& mean,
                 const std::string& workload = "", const std::string& over = "") {
        for (const StudyRow& r : study_rows(plan(), results_))
            if (r.metric == metric && r.configuration == configuration && r.mean == mean && r.over == over &&
                (workload.empty() || r.workload == workload))
                return r;
        ADD_FAILURE() << "no row " << metric << ", " << configuration << ", " << mean << ", " << workload;
        return {};
    }
    void times(const std::string& configuration, double a, double b, double c) {
        set_time(0, configuration, "table-lookup", a);
        set_time(0, configuration, "table-lookup-local", b);
        set_time(0, configuration, "stream-triad", c);
    }
};

constexpr const char* kThree = R"("figure": "Figure 8", "section": "5.2",
    "systems": [{"label": "one", "system": "gpu-1"}, {"label": "static", "system": "numa-4-static"},
                {"label": "aware", "system": "numa-4-caches"}],
    "paper": [{"metric": "speedup", "configuration": "static", "value": 1.5},
              {"metric": "speedup", "configuration": "static", "of": "min", "value": 0.9, "section": "5.3"},
              {"metric": "speedup", "configuration": "aware", "over": "static", "value": 1.25, "says": "words"},
              {"metric": "speedup", "configuration": "aware", "of": "workload", "workload": "stream-triad", "value": 4}])";

TEST_F(StudyRows, MeansAreTakenBothWays) {
    dir_.write("s.json", tiny(kThree));
    load("s.json");
    times("one", 100, 100, 100);
    times("static", 100, 50, 25); // 1, 2, 4
    times("aware", 50, 25, 20);   // 2, 4, 5
    const StudyRow arithmetic = row("speedup", "static", "arithmetic");
    EXPECT_DOUBLE_EQ(*arithmetic.measured, 7.0 / 3.0);
    EXPECT_DOUBLE_EQ(*arithmetic.difference, 7.0 / 3.0 / 1.5 - 1.0);
    EXPECT_EQ(arithmetic.figure, "Figure 8");
    EXPECT_EQ(arithmetic.section, "5.2");
    EXPECT_EQ(arithmetic.workloads, 3U);
    EXPECT_DOUBLE_EQ(*row("speedup", "static", "geometric").measured, 2.0);
    EXPECT_DOUBLE_EQ(*row("speedup", "static", "geometric").paper, 1.5);

    const StudyRow least = row("speedup", "static", "min");
    EXPECT_DOUBLE_EQ(*least.measured, 1.0);
    EXPECT_EQ(least.workload, "table-lookup");
    EXPECT_EQ(least.section, "5.3");

    const StudyRow over = row("speedup", "aware", "arithmetic", "", "static"); // of means: (11/3) / (7/3)
    EXPECT_NEAR(*over.measured, 11.0 / 7.0, 1e-12);
    EXPECT_NEAR(*over.difference, 11.0 / 7.0 / 1.25 - 1.0, 1e-12);
    EXPECT_EQ(over.says, "words");
    EXPECT_NEAR(*row("speedup", "aware", "geometric", "", "static").measured, std::cbrt(40.0) / 2.0, 1e-12);
    EXPECT_NEAR(*row("speedup", "aware", "arithmetic").measured, 11.0 / 3.0, 1e-12); // and the plain mean

    const StudyRow one = row("speedup", "aware", "", "stream-triad");
    EXPECT_DOUBLE_EQ(*one.measured, 5.0);
    EXPECT_DOUBLE_EQ(*one.difference, 0.25);
    EXPECT_FALSE(row("speedup", "aware", "", "table-lookup").paper);
}

/// Three seeds of two workloads: a workload's value is the mean of its seeds, relative to the baseline with the same
/// seed, and the spread of a mean is that of the seeds' means.
TEST_F(StudyRows, SeedsHaveMeanAndSpread) {
    dir_.write("s.json", tiny(R"("seeds": [5, 6, 7], "systems": [{"label": "one", "system": "gpu-1"},
                                {"label": "four", "system": "numa-4"}])"));
    load("s.json");
    const StudyPlan now = plan();
    ASSERT_EQ(now.points.size(), 18U);
    const PlannedFigure& figure = now.figures[0];
    EXPECT_EQ(*now.points[figure.cell("four", "stream-triad", 2)->point]->seed, 7U);
    const auto put = [&](const std::string& configuration, const std::string& workload, std::size_t seed, double time) {
        const std::string& point = now.points[figure.cell(configuration, workload, seed)->point]->key;
        results_.states[point] = PointState::done;
        results_.numbers[{point, "time_ns"}] = {time};
    };
    for (std::size_t seed = 0; seed < 3; ++seed)
        for (const char* workload : {"table-lookup", "stream-triad"}) {
            put("one", workload, seed, 100.0 * static_cast<double>(seed + 1));
            if (seed < 2 || workload[0] == 't') put("four", workload, seed, 100.0);
        }
    const StudyRow of_one = row("speedup", "four", "", "table-lookup"); // 1, 2, 3
    EXPECT_DOUBLE_EQ(*of_one.measured, 2.0);
    EXPECT_DOUBLE_EQ(*of_one.least, 1.0);
    EXPECT_DOUBLE_EQ(*of_one.most, 3.0);
    EXPECT_EQ(of_one.seeds, 3U);
    EXPECT_EQ(row("speedup", "four", "arithmetic").workloads, 1U) << "a seed of the other has not run";
    put("four", "stream-triad", 2, 50.0); // 1, 2, 6
    const StudyRow mean = row("speedup", "four", "arithmetic");
    EXPECT_DOUBLE_EQ(*mean.measured, 2.5);
    EXPECT_DOUBLE_EQ(*mean.least, 1.0);
    EXPECT_DOUBLE_EQ(*mean.most, 4.5);
    EXPECT_THAT(rows_csv(study_rows(now, results_)), ::testing::HasSubstr(",3,1,4.5\n"));
}

/// Two workloads, 1 and 4 with one seed and 4 and 1 with the other: each seed's geometric mean is 2, and so is theirs.
TEST_F(StudyRows, AMeanLiesWithinTheSpreadOfItsSeeds) {
    dir_.write("s.json", tiny(R"("seeds": [5, 6], "systems": [{"label": "one", "system": "gpu-1"},
                                {"label": "four", "system": "numa-4"}])"));
    load("s.json");
    const StudyPlan now = plan();
    const PlannedFigure& figure = now.figures[0];
    for (std::size_t seed = 0; seed < 2; ++seed)
        for (const char* workload : {"table-lookup", "stream-triad"}) {
            const bool slow = (seed == 0) == (workload[0] == 't');
            for (const auto& [configuration, time] :
                 {std::pair{"one", 100.0}, std::pair{"four", slow ? 100.0 : 25.0}}) {
                const std::string& point = now.points[figure.cell(configuration, workload, seed)->point]->key;
                results_.states[point] = PointState::done;
                results_.numbers[{point, "time_ns"}] = {time};
            }
        }
    const StudyRow geometric = row("speedup", "four", "geometric");
    EXPECT_NEAR(*geometric.measured, 2.0, 1e-12);
    EXPECT_NEAR(*geometric.least, 2.0, 1e-12);
    EXPECT_NEAR(*geometric.most, 2.0, 1e-12);
    EXPECT_DOUBLE_EQ(*row("speedup", "four", "arithmetic").measured, 2.5);
}

/// A trace has no seed: its one run is neither several values nor spread.
TEST_F(StudyRows, ATraceRunsOnceWithAnySeeds) {
    dir_.write("traces/kernelslist.g", "kernel-1.traceg\n");
    dir_.write("s.json", R"({"seeds": [5, 6], "workloads": ["traces/kernelslist.g"], "metrics": [{"name": "time"}],
                             "systems": [{"label": "one", "system": "gpu-1"}]})");
    load("s.json");
    const StudyPlan now = plan();
    ASSERT_EQ(now.points.size(), 1U);
    results_.states[now.points[0]->key] = PointState::done;
    results_.numbers[{now.points[0]->key, "time_ns"}] = {100.0};
    for (const StudyRow& r : study_rows(now, results_)) {
        EXPECT_EQ(r.seeds, 1U) << r.mean;
        EXPECT_DOUBLE_EQ(*r.measured, 100.0);
        EXPECT_FALSE(r.least || r.most) << r.mean;
    }
}

TEST_F(StudyRows, WhatIsMissingIsNotCounted) {
    dir_.write("s.json", tiny(kThree));
    load("s.json");
    EXPECT_FALSE(row("speedup", "static", "arithmetic").measured);
    EXPECT_FALSE(row("speedup", "static", "arithmetic").difference);
    set_time(0, "one", "stream-triad", 100);
    set_time(0, "static", "stream-triad", 50);
    set_time(0, "static", "table-lookup", 50); // its baseline has not run
    EXPECT_DOUBLE_EQ(*row("speedup", "static", "arithmetic").measured, 2.0);
    EXPECT_EQ(row("speedup", "static", "arithmetic").workloads, 1U);
    for (const StudyRow& r : study_rows(plan(), results_)) EXPECT_NE(r.configuration, "one");
}

/// Kernels of two bars, normalised to the whole first bar, and what the means of their heights say.
TEST_F(StudyRows, APartIsMeasuredByTheBaselinesWhole) {
    dir_.write("s.json", R"({"workloads": ["table-lookup", "table-lookup-local", "stream-triad"], "scale": 0.004,
        "systems": [{"label": "slow", "system": "gpu-1"}, {"label": "quick", "system": "numa-4"}], "baseline": "slow",
        "metrics": [{"name": "kernels", "path": "derived.kernels_ns", "baseline_path": "time_ns", "relation": "ratio"}],
        "paper": [{"metric": "kernels", "configuration": "slow", "over": "quick", "value": 4}]})");
    load("s.json");
    const double whole[] = {100, 200, 50}, slow[] = {60, 200, 10}, quick[] = {10, 20, 5};
    const char* const workloads[] = {"table-lookup", "table-lookup-local", "stream-triad"};
    for (unsigned i = 0; i < 3; ++i) {
        set_time(0, "slow", workloads[i], whole[i]);
        set_time(0, "quick", workloads[i], 1); // which nothing asks for
        results_.numbers[{key(plan(), 0, "slow", workloads[i]), "derived.kernels_ns"}] = {slow[i]};
        results_.numbers[{key(plan(), 0, "quick", workloads[i]), "derived.kernels_ns"}] = {quick[i]};
    }
    EXPECT_NEAR(*row("kernels", "quick", "arithmetic").measured, (0.1 + 0.1 + 0.1) / 3, 1e-12);
    EXPECT_NEAR(*row("kernels", "slow", "arithmetic").measured, (0.6 + 1.0 + 0.2) / 3, 1e-12) << "not 1";
    EXPECT_NEAR(*row("kernels", "slow", "arithmetic", "", "quick").measured, (0.6 + 1.0 + 0.2) / 0.3, 1e-12);
}

/// A row says at which scale its workload ran.
TEST_F(StudyRows, AWorkloadsRowHasItsOwnScale) {
    dir_.write("s.json",
               R"({"workloads": ["table-lookup", "stream-triad"], "scale": 0.004, "scales": {"stream-triad": 0.008},
        "systems": [{"label": "one", "system": "gpu-1"}], "metrics": [{"name": "time", "path": "time_ns"}]})");
    load("s.json");
    for (const char* workload : {"table-lookup", "stream-triad"}) set_time(0, "one", workload, 50);
    std::map<std::string, double> scales;
    for (const StudyRow& r : study_rows(plan(), results_))
        if (r.mean.empty()) scales[r.workload] = r.scale;
    EXPECT_DOUBLE_EQ(scales.at("table-lookup"), 0.004);
    EXPECT_DOUBLE_EQ(scales.at("stream-triad"), 0.008);
}

TEST_F(StudyRows, ARatioOfMeansIsOverTheWorkloadsOfBoth) {
    dir_.write("s.json", tiny(kThree));
    load("s.json");
    times("one", 100, 100, 100);
    times("static", 100, 50, 25); // 1, 2, 4
    times("aware", 50, 25, 20);   // 2, 4, 5
    results_.states[key(plan(), 0, "static", "stream-triad")] = PointState::failed;
    results_.states[key(plan(), 0, "aware", "table-lookup")] = PointState::failed;
    for (const char* mean : {"arithmetic", "geometric"}) {
        const StudyRow over = row("speedup", "aware", mean, "", "static");
        EXPECT_DOUBLE_EQ(*over.measured, 4.0 / 2.0) << mean;
        EXPECT_EQ(over.workloads, 1U);
    }
    EXPECT_EQ(row("speedup", "aware", "arithmetic").workloads, 2U);
}

/// The largest workloads are those that run into limits: what is left says nothing about all.
TEST_F(StudyRows, ANumberOfAllWorkloadsHasNoVerdictWhileSomeAreMissing) {
    dir_.write("s.json", tiny(kThree));
    load("s.json");
    times("one", 100, 100, 100);
    times("static", 100, 60, 60); // 1, 1.67, 1.67
    times("aware", 50, 50, 50);
    EXPECT_EQ(row("speedup", "static", "arithmetic").verdict, "agrees");
    EXPECT_EQ(row("speedup", "static", "arithmetic").reason, "");
    results_.states[key(plan(), 0, "static", "stream-triad")] = PointState::failed;
    for (const char* mean : {"arithmetic", "min"}) {
        const StudyRow r = row("speedup", "static", mean);
        EXPECT_TRUE(r.measured);
        EXPECT_EQ(r.verdict, "open") << mean;
        EXPECT_EQ(r.reason, "1 of 3 workloads are missing, stream-triad: the point on static failed");
    }
    EXPECT_EQ(row("speedup", "aware", "arithmetic", "", "static").verdict, "open");
    EXPECT_EQ(row("speedup", "aware", "", "stream-triad").verdict, "differs") << "of one that is there";
}

TEST_F(StudyRows, ANumberOfASelectionHasNoVerdictWhileItIsNotDecided) {
    const std::string systems =
        R"("systems": [{"label": "one", "system": "gpu-1"}, {"label": "four", "system": "numa-4"}])";
    dir_.write(
        "f/a.json",
        tiny(R"("rules": [{"name": "r", "metric": "speedup", "configuration": "four", "below": 2}], )" + systems));
    dir_.write("f/b.json", tiny(R"("select": {"figure": "a", "rule": "r"}, "paper": [{"metric": "speedup",
                                "configuration": "four", "value": 1}], )" +
                                systems));
    load("f");
    const auto judged = [&]() -> StudyRow {
        for (const StudyRow& r : study_rows(plan(), results_))
            if (r.name == "b" && r.mean == "arithmetic" && r.configuration == "four") return r;
        ADD_FAILURE();
        return {};
    };
    for (const char* workload : {"table-lookup", "table-lookup-local", "stream-triad"}) {
        set_time(0, "one", workload, 100);
        set_time(0, "four", workload, 100);
    }
    EXPECT_EQ(judged().verdict, "agrees");
    results_.states[key(plan(), 0, "four", "stream-triad")] = PointState::failed;
    results_.numbers.clear();
    for (const char* workload : {"table-lookup", "table-lookup-local"}) {
        set_time(0, "one", workload, 100);
        set_time(0, "four", workload, 100);
    }
    EXPECT_TRUE(judged().measured);
    EXPECT_EQ(judged().verdict, "open");
    EXPECT_EQ(judged().reason,
              "1 of 3 workloads are missing, stream-triad: the figure's rule needs a point that failed");
}

TEST_F(StudyRows, ANumberOfThePaperIsARowWhateverBecomesOfIt) {
    dir_.write("s.json", tiny(kThree));
    load("s.json");
    const auto one = [&] { return row("speedup", "aware", "", "stream-triad"); };
    EXPECT_FALSE(one().measured);
    EXPECT_EQ(*one().paper, 4.0);
    EXPECT_EQ(one().reason, "the point on aware has not run");
    EXPECT_EQ(one().verdict, "open");
    EXPECT_EQ(row("speedup", "static", "min").reason,
              "no workload has a value; of table-lookup, the point on static has not run");
    times("one", 100, 100, 100);
    times("static", 100, 50, 25);
    times("aware", 50, 25, 20);
    results_.states[key(plan(), 0, "one", "stream-triad")] = PointState::failed;
    EXPECT_EQ(one().reason, "the point on one failed");
    EXPECT_EQ(one().workloads, 0U);
    EXPECT_EQ(row("speedup", "aware", "arithmetic").workloads, 2U);
}

TEST_F(StudyRows, ASpreadIsTheLargestOverTheSmallest) {
    const std::string path = "statistics.port*.bytes";
    dir_.write("s.json", R"({"workloads": ["table-lookup", "stream-triad"], "baseline": "one",
        "systems": [{"label": "one", "system": "gpu-1"}],
        "metrics": [{"name": "spread", "path": ")" +
                             path + R"(", "reduce": "spread"}]})");
    load("s.json");
    const auto set_bytes = [&](const char* workload, const std::vector<double>& bytes) {
        const std::string point = key(plan(), 0, "one", workload);
        results_.numbers[{point, path}] = bytes;
        results_.states[point] = PointState::done;
    };
    set_bytes("stream-triad", {30, 10, 20});
    set_bytes("table-lookup", {5, 0});
    EXPECT_DOUBLE_EQ(*row("spread", "one", "arithmetic").measured, 3.0);
    EXPECT_EQ(row("spread", "one", "arithmetic").workloads, 1U) << "nothing is so much more than 0";
}

TEST_F(StudyRows, AClaimHasOneVerdict) {
    dir_.write("s.json", tiny(kThree));
    load("s.json");
    times("one", 100, 100, 100);
    times("static", 100, 50, 25); // 1, 2, 4: 2.33 for 1.5, 1 for 0.9
    times("aware", 50, 25, 20);   // 1.57 for 1.25, 5 for 4
    std::vector<std::string> verdicts;
    for (const StudyRow& r : study_rows(plan(), results_))
        if (!r.verdict.empty()) verdicts.push_back(r.mean + " " + r.verdict);
    EXPECT_EQ(verdicts,
              (std::vector<std::string>{"arithmetic differs", "min differs", "arithmetic differs", " differs"}));
    EXPECT_EQ(row("speedup", "static", "geometric").kind, "claim");
    EXPECT_EQ(row("speedup", "static", "geometric").verdict, "");
}

TEST_F(StudyRows, HarmonicMeansAreRowsOfTheirOwn) {
    dir_.write("s.json", tiny(R"("systems": [{"label": "one", "system": "gpu-1"},
        {"label": "static", "system": "numa-4-static"}, {"label": "aware", "system": "numa-4"}],
        "paper": [{"metric": "speedup", "configuration": "aware", "of": "harmonic", "value": 2.4},
                  {"metric": "speedup", "configuration": "aware", "of": "harmonic", "over": "static", "value": 1.5}])"));
    load("s.json");
    times("one", 100, 100, 100);
    times("static", 100, 50, 25); // 1, 2, 4: 3 / 1.75
    times("aware", 50, 25, 100);  // 2, 4, 1: the same
    std::vector<StudyRow> found;
    for (const StudyRow& r : study_rows(plan(), results_))
        if (r.mean == "harmonic") found.push_back(r);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_DOUBLE_EQ(*found[0].measured, 3 / 1.75);
    EXPECT_EQ(found[0].verdict, "differs");
    EXPECT_EQ(found[1].over, "static");
    EXPECT_DOUBLE_EQ(*found[1].measured, 1.0);
    EXPECT_EQ(row("speedup", "aware", "arithmetic").verdict, "");
}

TEST_F(StudyRows, TheBestOfSeveralConfigurations) {
    dir_.write("s.json", tiny(R"("systems": [{"label": "one", "system": "gpu-1", "axes": []},
        {"label": "lanes", "system": "numa-4-lanes", "axes": ["a"]}],
        "axes": [{"name": "a", "path": "link.sample_cycles", "values": [1000, 5000]}],
        "paper": [{"metric": "speedup", "configurations": ["lanes / 1000", "lanes / 5000"], "of": "max", "value": 4},
                  {"metric": "speedup", "configurations": ["lanes / 1000", "lanes / 5000"], "of": "min", "below": 1}])"));
    load("s.json");
    EXPECT_EQ(row("speedup", "lanes / 1000", "max").verdict, "open");
    times("one", 100, 100, 100);
    times("lanes / 1000", 100, 50, 200); // 1, 2, 0.5
    times("lanes / 5000", 25, 100, 100); // 4, 1, 1
    const StudyRow most = row("speedup", "lanes / 5000", "max");
    EXPECT_DOUBLE_EQ(*most.measured, 4.0);
    EXPECT_EQ(most.workload, "table-lookup");
    EXPECT_EQ(most.verdict, "agrees");
    const StudyRow least = row("speedup", "lanes / 1000", "min");
    EXPECT_EQ(least.workload, "stream-triad");
    EXPECT_EQ(least.verdict, "agrees");
    EXPECT_FALSE(least.paper);
    EXPECT_EQ(*least.below, 1.0);
}

TEST(StudyVerdict, ANumberIsNearAndSoIsItsGain) {
    const auto verdict = [](double paper, bool ratio, double measured) {
        StudyPaper said;
        said.value.value = paper;
        return verdict_of(said, ratio, measured);
    };
    EXPECT_EQ(verdict(100.0, false, 110.0), "agrees");
    EXPECT_EQ(verdict(100.0, false, 110.1), "differs");
    EXPECT_EQ(verdict(2.0, true, 1.8), "agrees");    // 0.8 of a gain of 1
    EXPECT_EQ(verdict(1.14, true, 1.05), "differs"); // within a tenth, but about a third of the gain
    EXPECT_EQ(verdict(1.14, false, 1.05), "agrees");
    EXPECT_EQ(verdict(1.14, true, 1.175), "agrees");
    EXPECT_EQ(verdict(1.14, true, 1.176), "differs");
    EXPECT_EQ(verdict(0.84, true, 0.80), "agrees"); // a loss is a gain below 0
    EXPECT_EQ(verdict(0.84, true, 0.79), "differs");
    EXPECT_EQ(verdict(1.0, true, 1.1), "agrees");
}

TEST(StudyVerdict, BoundsAreKeptAndInputsAreNotJudged) {
    StudyPaper said;
    said.below.value = 1.0;
    EXPECT_EQ(verdict_of(said, true, 0.99), "agrees");
    EXPECT_EQ(verdict_of(said, true, 1.0), "differs");
    EXPECT_EQ(verdict_of(said, true, std::nullopt), "open");
    said.above.value = 0.5;
    EXPECT_EQ(verdict_of(said, true, 0.5), "differs");
    EXPECT_EQ(kind_of(said), "claim");
    said.input = true;
    EXPECT_EQ(verdict_of(said, true, 0.7), "");
    EXPECT_EQ(kind_of(said), "input");
}

TEST_F(StudyRows, MetricsReduceDivideAndCompare) {
    dir_.write("s.json", R"({"workloads": ["compute"], "systems": [{"system": "gpu-1"}, {"system": "numa-4"}],
        "baseline": "gpu-1", "metrics": [
        {"name": "sum", "path": "a.*.b"}, {"name": "mean", "path": "a.*.b", "reduce": "mean", "factor": 10},
        {"name": "least", "path": "a.*.b", "reduce": "min"}, {"name": "most", "path": "a.*.b", "reduce": "max"},
        {"name": "rate", "path": "a.*.b", "per": "time_ns"}, {"name": "ratio", "path": "time_ns", "relation": "ratio"},
        {"name": "high", "path": "time_ns", "above": 3}, {"name": "equal", "path": "time_ns", "above": 4},
        {"name": "none", "path": "nothing"}]})");
    load("s.json");
    set_time(0, "gpu-1", "compute", 2.0);
    set_time(0, "numa-4", "compute", 4.0);
    results_.numbers[{key(plan(), 0, "numa-4", "compute"), "a.*.b"}] = {1.0, 2.0, 5.0};
    const std::pair<const char*, double> expected[] = {{"sum", 8.0},  {"mean", 80.0 / 3.0}, {"least", 1.0},
                                                       {"most", 5.0}, {"rate", 2.0},        {"ratio", 2.0},
                                                       {"high", 1.0}, {"equal", 0.0}};
    for (const auto& [metric, value] : expected)
        EXPECT_DOUBLE_EQ(*row(metric, "numa-4", "arithmetic").measured, value) << metric;
    EXPECT_FALSE(row("none", "numa-4", "arithmetic").measured);
    EXPECT_DOUBLE_EQ(*row("sum", "numa-4", "geometric").measured, 8.0);
}

TEST(StudyMetrics, PathsFitStepByStep) {
    EXPECT_TRUE(path_fits("a.socket*.b", "a.socket12.b"));
    EXPECT_TRUE(path_fits("a.*.b", "a.x.b"));
    EXPECT_TRUE(path_fits("*", "a"));
    EXPECT_FALSE(path_fits("*", "a.b"));
    EXPECT_FALSE(path_fits("a.socket*.b", "a.socket1.c.b"));
    EXPECT_FALSE(path_fits("a.b", "a.b.c"));
    EXPECT_FALSE(path_fits("a.b.c", "a.b"));
    EXPECT_TRUE(path_fits("s*t*.x", "socket0.x"));
}

TEST(StudyMetrics, Means) {
    EXPECT_FALSE(arithmetic_mean({}));
    EXPECT_FALSE(geometric_mean({}));
    EXPECT_FALSE(geometric_mean({1.0, 0.0}));
    EXPECT_DOUBLE_EQ(*geometric_mean({1.0, 4.0}), 2.0);
    EXPECT_DOUBLE_EQ(*arithmetic_mean({1.0, 4.0}), 2.5);
}

TEST(StudyMetrics, CsvQuotes) {
    EXPECT_EQ(csv_field("a b"), "a b");
    EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
    EXPECT_EQ(csv_field("a\"b"), "\"a\"\"b\"");
    EXPECT_EQ(csv_field("=1+2"), "'=1+2") << "a spreadsheet would compute it";
    EXPECT_EQ(csv_field("@f(1,2)"), "\"'@f(1,2)\"");
    for (const char* plain : {"-1.5e-3", "+7", "-", "--", "a=b"})
        EXPECT_EQ(csv_field(plain), plain == std::string("--") ? "'--" : plain);
}

} // namespace
} // namespace numavp::test
