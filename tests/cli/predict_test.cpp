/// numavp predict, as a user runs it.
#include <algorithm>

#include "tests/cli/cli_fixture.h"

namespace numavp::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Predict : public Cli {};

TEST_F(Predict, ShowsTimelineCriticalPathAndLinks) {
    const Ended made = numavp({"predict", "vector-add-64mib", "dgx-1"});
    EXPECT_EQ(made.status, 0) << made.err;
    EXPECT_EQ(made.err, "");
    EXPECT_THAT(made.out, AllOf(HasSubstr("vector-add-64mib on DGX-1: "), HasSubstr(" us by the closed form ("),
                                HasSubstr("vector_add  gpu0"), HasSubstr("value b_d"),
                                HasSubstr("critical path: copy_a, copy_b, vector_add, copy_s\n"),
                                HasSubstr("pcie cpu[0] to pcie[0]")));
}

TEST_F(Predict, JsonHasEachStepAndLink) {
    const auto json = nlohmann::json::parse(numavp({"predict", "stencil-4", "s822lc", "--json"}).out);
    EXPECT_EQ(json.at("system"), "S822LC");
    EXPECT_EQ(json.at("steps").size(), 44U);
    double last = 0;
    for (const auto& step : json.at("steps")) last = std::max(last, step.at("end_ns").get<double>());
    EXPECT_DOUBLE_EQ(json.at("simulated_ns").get<double>(), last);
    EXPECT_DOUBLE_EQ(json.at("closed_form_ns").get<double>(),
                     std::max({json.at("path_ns").get<double>(), json.at("load_ns").get<double>(),
                               json.at("turn_ns").get<double>()}));
    for (const auto& link : json.at("links")) {
        EXPECT_GT(link.at("use").get<double>(), 0);
        EXPECT_LE(link.at("use").get<double>(), 1);
    }
}

TEST_F(Predict, GivesTheSameBytesTwice) {
    const Args words{"predict", "train-ring-4", "ac922", "--json"};
    EXPECT_EQ(numavp(words).out, numavp(words).out);
}

TEST_F(Predict, TakesFilesAndSettings) {
    dir_.write("g.json", R"({"extends": ")" + std::string(NUMAVP_SOURCE_DIR) +
                             R"(/configs/graphs/vector-add-64mib.json", "name": "mine"})");
    const auto time = [this](const Args& more) {
        Args words{"predict", "g.json", "dgx-1", "--json"};
        words.insert(words.end(), more.begin(), more.end());
        const auto json = nlohmann::json::parse(numavp(words).out);
        EXPECT_EQ(json.at("graph"), "mine");
        return json.at("simulated_ns").get<double>();
    };
    EXPECT_GT(time({"--set", "network.links[1].gbytes_per_s=4"}), 2 * time({}));
}

TEST_F(Predict, CheckKnowsGraphs) {
    const Ended made = numavp({"check", "configs/graphs/vector-add.json"});
    EXPECT_EQ(made.status, 0) << made.err;
    EXPECT_THAT(made.out, HasSubstr("application graph vector-add: 6 values, 4 steps, 3 KiB copied\n"));
}

TEST_F(Predict, SaysWhatIsAssumed) {
    const Ended made = numavp({"predict", "vector-add", "gpu-8-cpu-2"});
    EXPECT_EQ(made.status, 0) << made.err;
    EXPECT_THAT(made.err, HasSubstr("gpu-8-cpu-2 has no calibration: costs of calls and buffers are assumed"));
}

TEST_F(Predict, IsKnownToCompletionHelpAndLists) {
    EXPECT_THAT(numavp({"completion", "bash"}).out,
                AllOf(HasSubstr("predict) options=\"--help --calibration"), HasSubstr("kinds=(graphs systems)")));
    EXPECT_THAT(numavp({"completion", "zsh"}).out, HasSubstr("_numavp_graphs"));
    EXPECT_THAT(numavp({"help", "predict"}).out, HasSubstr("--report FILE"));
    EXPECT_THAT(numavp({"list", "graphs", "--names"}).out,
                HasSubstr("stencil-4\ntrain-ring-4\nvector-add\nvector-add-64mib\n"));
    EXPECT_THAT(numavp({"list", "graphs"}).out, HasSubstr("The vector addition of C. Pearson's thesis"));
}

} // namespace
} // namespace numavp::test
