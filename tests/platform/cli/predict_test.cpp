/// numavp predict, as a user runs it.
#include <algorithm>
#include <map>

#include "tests/platform/cli/cli_fixture.h"
#include "tests/support/places.h"

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
    dir_.write("g.json",
               R"({"extends": ")" + source_dir() + R"(/configs/graphs/vector-add-64mib.json", "name": "mine"})");
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
    EXPECT_THAT(made.err,
                HasSubstr("gpu-8-cpu-2 has no calibration: costs of calls, buffers, caches and faults are assumed"));
}

/// A machine of the user's own with another's constants: its name, and which of its links they know nothing of.
TEST_F(Predict, SaysWhatACalibrationOfAnotherMachineLacks) {
    dir_.write("mine.json", R"({"extends": "gpu-8-cpu-2", "name": "mine"})");
    const std::string constants = source_dir() + "/configs/calibrations/s822lc.json";
    const Ended made = numavp({"predict", "vector-add", "mine.json", "--calibration", constants});
    EXPECT_EQ(made.status, 0) << made.err;
    EXPECT_THAT(made.out, HasSubstr("vector-add on mine, constants of S822LC: "));
    EXPECT_EQ(made.err,
              "numavp: the calibration s822lc has no format for link 'qpi' (it has nvlink_cpu, nvlink, x_bus, "
              "pcie): that its packets have 16 B besides 128 B of data is assumed\n");
    const Ended changed =
        numavp({"what-if", "vector-add", "mine.json", "--calibration", constants, "--change", "link.qpi=nvlink"});
    EXPECT_THAT(changed.err, HasSubstr("no format for link 'qpi'"));
    EXPECT_EQ(numavp({"predict", "vector-add", "dgx-1"}).err, "") << "a machine's own calibration knows all its links";
}

TEST_F(Predict, SaysWhichSettingsChangeNothing) {
    const Ended made = numavp(
        {"predict", "vector-add", "dgx-1", "--set", "gpu[2].sms=10", "--set", "network.links[1].gbytes_per_s=8"});
    EXPECT_EQ(made.status, 0) << made.err;
    EXPECT_THAT(made.err, HasSubstr("numavp: gpu[2].sms=10 changes no time here"));
    EXPECT_THAT(made.err, ::testing::Not(HasSubstr("gbytes_per_s=8 changes")));
    const Ended row = numavp({"what-if", "vector-add", "dgx-1", "--change", "set.gpu[2].sms=10", "--json"});
    EXPECT_THAT(row.err, HasSubstr("gpu[2].sms=10 changes no time here"));
    EXPECT_THAT(nlohmann::json::parse(row.out).at("changes")[1].at("assumed")[0].get<std::string>(),
                HasSubstr("gpu[2].sms=10 changes no time here"));
    const char* slower = "network.links[1].gbytes_per_s=8";
    EXPECT_EQ(numavp({"predict", "vector-add", "dgx-1", "--set", slower, "--set", slower}).err, "") << "twice the same";
    dir_.write("spare.json", R"({"extends": "dgx-1", "name": "dgx-1", "network": {"links": [
        {"name": "nvlink", "gbytes_per_s": 20}, {"name": "pcie", "gbytes_per_s": 15.75}, {"name": "qpi", "gbytes_per_s": 19.2},
        {"name": "spare", "gbytes_per_s": 30}]}})");
    const Ended spare = numavp({"what-if", "vector-add", "spare.json", "--set", "network.links[3].gbytes_per_s=60",
                                "--change", "link.pcie=spare"});
    EXPECT_EQ(spare.status, 0) << spare.err;
    EXPECT_THAT(spare.err, ::testing::Not(HasSubstr("changes no time"))) << "no wire has it until the change";
}

/// Kernel times of runs on one P100 and one V100. The triad streams 16 MB, so that the quotient of its times is that of
/// NVIDIA's bandwidths, 900 to 732 GB/s, but for stores that the larger L2 still holds at the end. The graph's own
/// times are of a recording (time_us) and of a rate.
TEST_F(Predict, TakesKernelTimesFromRuns) {
    dir_.write("g.json", R"({"name": "mine", "values": [{"name": "a", "place": "gpu0", "bytes": 2097152, "given": true},
        {"name": "b", "place": "gpu0", "bytes": 1048576}, {"name": "c", "place": "gpu0", "bytes": 1048576}],
        "steps": [{"name": "first", "kernel": "triad", "kind": "kernel", "place": "gpu0", "reads": ["a"], "writes": ["b"], "gbytes_per_s": 1},
                  {"name": "triad 2", "kind": "kernel", "place": "gpu0", "reads": ["b"], "time_us": 7, "time_on": [{"place": "gpu0", "time_us": 8}]},
                  {"name": "other", "kind": "kernel", "place": "gpu0", "reads": ["b"], "time_us": 9},
                  {"name": "last", "kind": "kernel", "place": "gpu0", "reads": ["b"], "writes": ["c"], "gbytes_per_s": 500}]})");
    const auto run_on = [this](const std::string& gpu, const std::string& khz) {
        dir_.write(gpu + ".json", R"({"extends": "gpu-1", "name": ")" + gpu + R"(", "clock_khz": )" + khz +
                                      R"(, "socket": {"use": "gpu/)" + gpu + R"("}})");
        const Ended ended =
            numavp({"run", gpu + ".json", "stream-triad", "--scale", "0.02", "--quiet", "--out", "r-" + gpu});
        EXPECT_EQ(ended.status, 0) << ended.err;
        const auto results = json_of("r-" + gpu + "/results.json");
        return results["kernels"]["rows"]["cycles"][0].get<double>() * 1e6 / std::stod(khz);
    };
    const double p100 = run_on("p100", "1480000"), v100 = run_on("v100", "1530000");
    EXPECT_NEAR(p100 / v100, 900.0 / 732, 0.1);
    const auto steps_on = [this](const std::string& machine, const Args& more, std::string& assumed) {
        Args words{"predict", "g.json", machine, "--json"};
        words.insert(words.end(), more.begin(), more.end());
        const Ended made = numavp(words);
        EXPECT_EQ(made.status, 0) << made.err;
        assumed = made.err;
        std::map<std::string, std::pair<std::string, double>> steps;
        const auto json = nlohmann::json::parse(made.out);
        for (const auto& step : json.at("steps"))
            steps[step.at("name")] = {step.at("time"), step.at("alone_ns").get<double>()};
        return steps;
    };
    std::string said;
    auto steps = steps_on("s822lc", {"--times", "r-p100"}, said);
    for (const char* name : {"first", "triad 2"}) {
        EXPECT_EQ(steps[name].first, "simulated") << name;
        EXPECT_NEAR(steps[name].second, p100, 1e-6 * p100) << name;
    }
    EXPECT_EQ(steps["other"], (std::pair<std::string, double>{"measured", 9000}));
    EXPECT_EQ(steps["last"].first, "scaled");
    EXPECT_NEAR(steps["last"].second, 2097152 / 500.0, 1e-6);
    EXPECT_EQ(said, "numavp: no run has the kernels other, last: the graph's time is taken\n");
    steps = steps_on("ac922", {"--times", "r-v100/results.json", "--times", "r-p100"}, said);
    EXPECT_NEAR(steps["first"].second, v100, 1e-6 * v100) << "the first run that has it";
    EXPECT_THAT(said, HasSubstr("the memory of the GPU of p100 has 732 GB/s, that of ac922 900: its times are those of "
                                "another GPU"));
    EXPECT_THAT(numavp({"predict", "g.json", "s822lc", "--times", "r-p100"}).out, HasSubstr(" simulated "));
    steps = steps_on("s822lc", {}, said);
    EXPECT_EQ(steps["triad 2"], (std::pair<std::string, double>{"measured", 8000}));
    EXPECT_EQ(said, "");
}

TEST_F(Predict, RefusesRunsWithoutItsKernels) {
    numavp({"run", "gpu-1", "stream-triad", "--scale", "0.001", "--quiet", "--out", "r"});
    expect_fault({"predict", "vector-add", "dgx-1", "--times", "r"},
                 "r/results.json: it has none of the kernels of vector-add; its own are triad");
    dir_.write("x.json", R"({"cycles": 5})");
    expect_fault({"predict", "vector-add", "dgx-1", "--times", "x.json"},
                 "x.json: it is no results.json with rows of kernels");
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
