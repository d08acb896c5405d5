/// A ratio that a part registers is in everything that shows numbers, without another line of code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/config/config.h"
#include "base/stats/part_list.h"
#include "base/stats/series.h"
#include "base/stats/stats.h"
#include "common/files/results_format.h"
#include "platform/compare/comparison.h"
#include "platform/machine/kernel_ledger.h"
#include "platform/report/run_report.h"
#include "platform/results/kernel_figures.h"
#include "platform/results/ratio_values.h"
#include "platform/results/stream_rows.h"
#include "platform/study/study_store.h"
#include "platform/summary/summary.h"
#include "tests/support/temp_dir.h"

namespace numavp::test {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::Optional;

/// Counts tries, and those that were good.
class FakePart final : public ModelPart {
  public:
    void add_statistics(StatGroup& owner) const override {
        owner.total("fake.tries", tries, "tries", "Made.");
        owner.total("fake.good", good, "tries", "Of these, good ones.");
        owner.ratio(by_interval(share_of("fake.luck", {"fake.good"}, {"fake.tries"}, "Good tries, of all."),
                                {"fake.good"}, {"fake.tries"}));
        owner.ratio(rate_of("fake.pace", {"fake.tries"}, RatioPer::cycle, "tries a cycle", "Tries in a cycle."));
    }
    void add_series(SeriesGroup& owner) const override {
        owner.total("fake.tries", tries, "tries", "Made.");
        owner.total("fake.good", good, "tries", "Of these, good ones.");
    }
    void count(std::uint64_t more, std::uint64_t of_these_good) {
        tries += more;
        good += of_these_good;
    }
    std::uint64_t tries = 0, good = 0;
};

/// Two sockets, the first of which has two such parts; a kernel in the first half of 200 cycles.
ordered_json fake_run() {
    FakePart a, b, c;
    PartList parts;
    parts.add({"socket", 0}, "socket0.fake0", a);
    parts.add({"socket", 0}, "socket0.fake1", b);
    parts.add({"socket", 1}, "socket1.fake0", c);
    StatGroup stats;
    SeriesRecorder series(100);
    parts.add_statistics(stats);
    parts.add_series(series);
    KernelLedger kernels(stats, 8);
    LaunchRecord launch;
    launch.number = 1;
    launch.name = "k";
    kernels.started(launch, 0);
    a.count(10, 1);
    b.count(10, 4);
    launch.ended = 100;
    kernels.drained(launch, 100);
    kernels.flushed(launch, 100);
    series.sample(100);
    c.count(80, 80);
    series.sample(200);

    SystemConfig config;
    config.name = "s";
    config.sockets = 2;
    config.clock_khz = 1000000;
    ordered_json results;
    results["format"] = kResultsFormat;
    results["configuration"] = dump_config(config);
    results["workload"] = {{"name", "w"}, {"footprint_bytes", 1}, {"launches", 1}, {"blocks", 1}};
    results["cycles"] = 200;
    results["time_ns"] = 200.0;
    results["statistics"] = stats.values();
    for (const char* socket : {"socket0", "socket1"})
        for (const char* group : {"l1", "l2", "memory", "load_latency"})
            results["statistics"][socket][group] = ordered_json::object();
    results["units"] = stats.units();
    for (const auto& [name, ratio] : stats.ratios()) results["ratios"][name] = json_of(ratio);
    results["series"] = series.json();
    results["kernels"] = kernels.json(200);
    return results;
}

TEST(RatioValues, AreSumsOverSumsByOwnerAndInterval) {
    const ordered_json results = fake_run();
    const RatioValues values(results);
    EXPECT_EQ(values.of("fake.luck", "socket0"), 0.25);
    EXPECT_EQ(values.of("fake.luck", "socket1"), 1.0);
    EXPECT_EQ(values.together("fake.luck"), 0.85) << "of all tries, not the mean of the sockets";
    EXPECT_EQ(values.together("fake.pace"), 0.5);
    EXPECT_EQ(values.of("fake.luck", "socket2"), std::nullopt);
    EXPECT_EQ(values.of("other", "socket0"), std::nullopt);
    const OwnedRatio& luck = *find_ratio(values.all(), "fake.luck");
    EXPECT_THAT(values.by_interval(luck, "socket0"), ElementsAre(0.25, std::nullopt));
    EXPECT_THAT(values.by_interval(luck, "socket1"), ElementsAre(std::nullopt, 1.0));
    EXPECT_THAT(values.by_interval(*find_ratio(values.all(), "fake.pace"), "socket0"), ElementsAre())
        << "it has no columns";
}

TEST(RatioValues, AreInSummaryKernelsStreamsAndComparison) {
    const ordered_json results = fake_run();
    SystemConfig config;
    config.sockets = 2;
    const ordered_json summary = summary_json(summarise(config, results));
    EXPECT_EQ(summary.at("ratios").at("fake_luck"), 0.85);
    EXPECT_EQ(summary.at("sockets").at(0).at("ratios").at("fake_luck"), 0.25);
    const ordered_json& streams = summary.at("streams");
    EXPECT_EQ(streams.at(0).at("fake_luck"), 0.25) << "while the kernel ran";
    EXPECT_EQ(streams.at(1).at("fake_luck"), 1.0) << "outside kernels";
    const std::vector<KernelFigure> figures = kernel_figures(results);
    const auto luck = std::find_if(figures.begin(), figures.end(), [](const auto& f) { return f.name == "fake_luck"; });
    ASSERT_NE(luck, figures.end());
    EXPECT_THAT(luck->values, ElementsAre(0.25, 1.0));
    EXPECT_EQ(luck->doc, "Good tries, of all.");
    ordered_json other = results;
    other["statistics"]["socket0"]["fake"]["good"] = 15;
    const Comparison compared = compare_runs({{"a", results}, {"b", other}}, false);
    const auto headline = std::find_if(compared.headline.begin(), compared.headline.end(),
                                       [](const auto& number) { return number.path == "fake_luck"; });
    ASSERT_NE(headline, compared.headline.end());
    EXPECT_EQ(headline->unit, "%");
    EXPECT_THAT(headline->values, ElementsAre(Optional(DoubleEq(85.0)), Optional(DoubleEq(95.0))));
    EXPECT_TRUE(std::any_of(compared.kernels.at(0).numbers.begin(), compared.kernels.at(0).numbers.end(),
                            [](const auto& number) { return number.path == "fake_luck"; }));
}

/// From 0 to 0.04 % is little, beside tries that became a fifth more.
TEST(RatioValues, AShareThatHardlyChangesIsNotWhatDiffersMost) {
    ordered_json one = fake_run(), other = one;
    one["kernels"]["counters"]["socket0.fake.good"][0] = 0;
    one["kernels"]["counters"]["socket0.fake.tries"][0] = 10000;
    other["kernels"]["counters"]["socket0.fake.good"][0] = 5;
    other["kernels"]["counters"]["socket0.fake.tries"][0] = 12000;
    const Comparison compared = compare_runs({{"a", one}, {"b", other}}, false);
    const auto kernel = std::find_if(compared.kernels.begin(), compared.kernels.end(),
                                     [](const auto& row) { return row.kind == "kernel"; });
    ASSERT_NE(kernel, compared.kernels.end());
    EXPECT_EQ(kernel->numbers.at(kernel->most).path, "fake_pace");
}

TEST(RatioValues, AreInTheReport) {
    const ordered_json results = fake_run();
    const ReportPage page = run_report(results, {{"traceEvents", ordered_json::array()}}, ordered_json::object());
    const auto shown = std::find_if(page.data.at("ratios").begin(), page.data.at("ratios").end(),
                                    [](const auto& ratio) { return ratio.at("name") == "fake.luck"; });
    ASSERT_NE(shown, page.data.at("ratios").end());
    EXPECT_EQ(shown->at("owners").at("socket1"), 1.0);
    EXPECT_EQ(shown->at("intervals").at("socket0").dump(), "[0.25,null]");
}

TEST(RatioValues, AreInTheResultsFileOfAStudy) {
    const TempDir folder;
    StudyStore store(folder.path("r.sqlite"), StudyStore::Access::write);
    PointJob job;
    job.key = "00000000000000aa";
    job.system = ordered_json::object();
    PointOutcome outcome;
    outcome.done = true;
    outcome.results = fake_run().dump();
    store.record(job, outcome);
    EXPECT_THAT(store.values(job.key, "ratios.fake.luck"), ElementsAre(0.85));
    EXPECT_THAT(store.values(job.key, "ratios.socket*.fake.luck"), ElementsAre(0.25, 1.0));
    const auto count = [&](const char* rows) {
        SqlStatement row(store.database(), (std::string("SELECT count(*) FROM ") + rows).c_str());
        row.step();
        return row.integer(0);
    };
    EXPECT_EQ(count("kernels WHERE name = 'k' AND fake_luck = 0.25"), 1);
    EXPECT_EQ(count("streams WHERE fake_luck = 1.0"), 1);
    EXPECT_EQ(count("series WHERE name = 'socket1.fake.luck'"), 1) << "none of an interval without tries";
    EXPECT_EQ(count("series WHERE name = 'socket1.fake.luck' AND edge = 200 AND value = 1.0"), 1);
}

/// Results that were written before definitions were.
TEST(RatioValues, OfAnEarlierVersionAreThoseOfThisOne) {
    const ordered_json results = {
        {"cycles", 100},
        {"time_ns", 100.0},
        {"statistics", {{"socket0", {{"l1", {{"hits", 1}, {"load_lines", 4}, {"merged", 2}}}}}}}};
    const RatioValues values(results);
    EXPECT_EQ(values.of("l1.hit_rate", "socket0"), 0.25);
    EXPECT_EQ(values.of("l1.merged_share", "socket0"), 0.5);
    EXPECT_EQ(find_ratio(values.all(), "l2.hit_rate"), nullptr);
}

} // namespace
} // namespace numavp::test
