/// The smallest scale at which the speed is that of larger ones, with runs that are made up.
#include <deque>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/config/config.h"
#include "platform/study/scale_search.h"

namespace numavp::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::vector<ScaleStep> steps_of(const std::vector<double>& speeds) {
    std::vector<ScaleStep> steps;
    for (const double speed : speeds) steps.push_back({kScaleLadder.at(steps.size()), speed});
    return steps;
}

TEST(ScaleSearch, TwoLargerScalesMustBeWithinTheBound) {
    EXPECT_EQ(settled_scale({}, 0.05), std::nullopt);
    EXPECT_EQ(settled_scale(steps_of({1.0, 1.0}), 0.05), std::nullopt) << "one larger scale is too few";
    EXPECT_EQ(settled_scale(steps_of({1.0, 1.0, 1.05}), 0.05), 0.0625);
    EXPECT_EQ(settled_scale(steps_of({1.0, 1.0, 1.06}), 0.05), std::nullopt);
    EXPECT_EQ(settled_scale(steps_of({1.0, 2.0, 1.0}), 0.05), std::nullopt);
    EXPECT_EQ(settled_scale(steps_of({1.0, 2.0, 2.1, 2.05}), 0.05), 0.125);
}

TEST(ScaleSearch, HalfOfTheSizeIsComparedWithTheWholeAlone) {
    EXPECT_EQ(settled_scale(steps_of({1.0, 2.0, 3.0, 4.0, 4.1}), 0.05), 0.5);
    EXPECT_EQ(settled_scale(steps_of({1.0, 2.0, 3.0, 4.0, 5.0}), 0.05), std::nullopt);
    EXPECT_EQ(settled_scale(steps_of({0.0, 0.0, 0.0, 0.0, 0.0}), 0.05), std::nullopt) << "no speed is no agreement";
}

/// Workers whose runs take as long as a table says, by system and scale.
class FakeWorkers final : public PointWorkers {
  public:
    std::size_t slots() const override { return 2; }
    std::string why_unshared() const override { return "each runs alone"; }
    void start(std::size_t slot, const PointJob& job) override {
        begun.push_back(job.system_name);
        PointOutcome outcome;
        outcome.done = job.scale != failing;
        outcome.message = "too much memory";
        const double ns = job.system_name == "slow" ? 1000.0 * job.scale : 500.0 * job.scale + fixed_ns;
        outcome.results = ordered_json({{"cycles", ns},
                                        {"time_ns", ns},
                                        {"statistics", {{"system", {{"warp_instructions", 100.0 * job.scale}}}}}})
                              .dump();
        ended.push_back({slot, outcome});
    }
    std::vector<Ended> wait(int) override {
        std::vector<Ended> out = {ended.back()}; // the last one first
        ended.pop_back();
        return out;
    }
    double share(std::size_t) const override { return 0.0; }
    std::vector<std::string> begun;
    std::deque<Ended> ended;
    double fixed_ns = 10.0, failing = 0.0;
};

ScaleQuestion question_of(const char* over) {
    ScaleQuestion question;
    question.system.name = "fast";
    if (over != nullptr) question.over.emplace().name = over;
    question.workload.record.name = "w";
    question.workload.source = json::object();
    return question;
}

/// Speedups 1000 s / (500 s + 10): 1.52, 1.72, 1.85, 1.92, 1.96.
TEST(ScaleSearch, SpeedIsTheSpeedupOverTheOtherSystem) {
    FakeWorkers workers;
    std::vector<double> seen;
    const FoundScale found = find_scale(
        question_of("slow"), workers, [&](const ScaleStep& step) { seen.push_back(step.scale); }, [] {});
    EXPECT_EQ(found.settled, 0.5);
    EXPECT_THAT(seen, ElementsAre(0.0625, 0.125, 0.25, 0.5, 1.0));
    EXPECT_NEAR(found.steps.front().speed, 62.5 / 41.25, 1e-12);
    EXPECT_THAT(scale_text(found, question_of("slow")),
                HasSubstr("scale 0.5: speedup over slow 1.52 at 0.0625, 1.72 at 0.125"));

    workers.fixed_ns = 0.0; // the same speed at all scales: two larger ones say so
    EXPECT_EQ(find_scale(
                  question_of("slow"), workers, [](const ScaleStep&) {}, [] {})
                  .settled,
              0.0625);
}

TEST(ScaleSearch, WithoutAnotherSystemItIsWarpInstructionsACycle) {
    FakeWorkers workers;
    const FoundScale found = find_scale(
        question_of(nullptr), workers, [](const ScaleStep&) {}, [] {});
    EXPECT_NEAR(found.steps.back().speed, 100.0 / 510.0, 1e-12);
    EXPECT_THAT(workers.begun, ::testing::Each("fast"));
    workers.fixed_ns = 1000.0;
    const FoundScale none = find_scale(
        question_of(nullptr), workers, [](const ScaleStep&) {}, [] {});
    EXPECT_EQ(none.settled, std::nullopt);
    EXPECT_EQ(none.scale(), 1.0);
    EXPECT_THAT(scale_text(none, question_of(nullptr)), HasSubstr("no smaller scale is within 5 % of full size"));
}

TEST(ScaleSearch, FailuresAndTracesAreSentences) {
    FakeWorkers workers;
    workers.failing = 0.125;
    const auto search = [&](const ScaleQuestion& question) {
        find_scale(
            question, workers, [](const ScaleStep&) {}, [] {});
    };
    EXPECT_THAT([&] { search(question_of("slow")); },
                ThrowsMessage<ConfigError>(HasSubstr("w on slow at scale 0.125 failed: too much memory")));
    ScaleQuestion trace = question_of("slow");
    trace.workload.source = nullptr;
    EXPECT_THAT([&] { search(trace); }, ThrowsMessage<ConfigError>(HasSubstr("a trace is what it is")));
}

} // namespace
} // namespace numavp::test
