/// numavp characterize, as a user runs it.
#include <sstream>

#include "tests/platform/cli/cli_fixture.h"
#include "tests/support/fast_build.h"

namespace numavp::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Characterize : public Cli {};

/// The whole file of a machine in few sizes, read again without errors.
TEST_F(Characterize, WritesWhatItReads) {
    for (const std::string machine : kFastBuild ? std::vector{"ac922", "dgx-1"} : std::vector{"ac922"}) {
        const Ended made = numavp({"characterize", machine, "--largest", "2", "--csv", machine + ".csv"});
        EXPECT_EQ(made.status, 0) << made.err;
        EXPECT_EQ(made.err, "");
        EXPECT_THAT(made.out, HasSubstr("NUMA_Memcpy_PinnedToGPU"));
        EXPECT_THAT(made.out, HasSubstr("4.1 affinity"));
        const std::string text = text_of(machine + ".csv");
        EXPECT_THAT(text, StartsWith("system,benchmark,exec_numa,src,dst,x_kind,x,median_ns,stddev_ns,GBps\n"));
        const Ended again =
            numavp({"characterize", machine, "--largest", "2", "--against", machine + ".csv", "--json"});
        EXPECT_EQ(again.status, 0) << again.err;
        const auto json = nlohmann::json::parse(again.out);
        std::size_t points = 0;
        for (const auto& series : json.at("comparison")) {
            EXPECT_LT(std::abs(series.at("worst_error").get<double>()), 1e-4);
            EXPECT_LT(std::abs(series.at("level_error").get<double>()), 1e-4);
            points += series.at("points").size();
        }
        const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
        EXPECT_EQ(points, lines - 1);
        EXPECT_EQ(json.at("series").size(), json.at("comparison").size());
    }
}

TEST_F(Characterize, WritesTheSameBytesTwice) {
    numavp({"characterize", "ac922", "--largest", "16", "--quiet", "--csv", "a.csv"});
    numavp({"characterize", "ac922", "--largest", "16", "--quiet", "--csv", "b.csv"});
    EXPECT_EQ(text_of("a.csv"), text_of("b.csv"));
    EXPECT_THAT(text_of("a.csv"), HasSubstr("\nAC922,NUMA_Memcpy_GPUToPinned,8,gpu3,cpu8,bytes,256,"));
}

TEST_F(Characterize, RunsOneBenchmark) {
    const Ended made = numavp({"characterize", "dgx-1", "--benchmark", "UM_Latency_GPUToGPU"});
    EXPECT_EQ(made.status, 0) << made.err;
    EXPECT_THAT(made.out, HasSubstr("gpu0  gpu5       54.51"));
    EXPECT_THAT(made.out, HasSubstr("gpu7  gpu6       37.12"));
    EXPECT_THAT(made.out, Not(HasSubstr("NUMA_Memcpy")));
}

/// The way over PCIe that a wider link makes faster, until something else is the slowest.
TEST_F(Characterize, TakesSettings) {
    const Args narrow{"characterize",
                      "s822lc",
                      "--benchmark",
                      "NUMA_Memcpy_PinnedToGPU",
                      "--json",
                      "--set",
                      "network.links[2].gbytes_per_s=19.2"};
    const auto json = nlohmann::json::parse(numavp(narrow).out);
    for (const auto& series : json.at("series"))
        if (series.at("src") == "cpu0" && series.at("dst") == "gpu2") {
            const auto& last = series.at("points").back();
            EXPECT_NEAR(last[0].get<double>() / last[1].get<double>(), 19.2 * 128 / 167, 0.05);
        }
}

TEST_F(Characterize, SaysWhatIsAssumed) {
    const Ended made = numavp({"characterize", "gpu-8-cpu-2", "--largest", "1"});
    EXPECT_EQ(made.status, 0) << made.err;
    EXPECT_EQ(made.err,
              "numavp: gpu-8-cpu-2 has no calibration: costs of calls, buffers, caches and faults are assumed\n");
    EXPECT_THAT(made.out, StartsWith("gpu-8-cpu-2: 2 CPUs, 8 GPUs"));
    EXPECT_EQ(numavp({"characterize", "pcie", "--largest", "1", "--quiet"}).out, "");
}

/// Every tenth of the time is off: the table of errors has it.
TEST_F(Characterize, ComparesWithMeasurements) {
    numavp({"characterize", "s822lc", "--benchmark", "NUMA_Memcpy_GPUToPinned", "--largest", "64", "--quiet", "--csv",
            "m.csv"});
    std::istringstream in(text_of("m.csv"));
    std::string line, out;
    for (unsigned number = 0; std::getline(in, line); ++number) {
        if (number == 19) { // 64 MiB of the first pair: half of the time is told
            const std::size_t at = line.rfind(",0.0,"), comma = line.rfind(',', at - 1);
            const double ns = std::stod(line.substr(comma + 1, at - comma - 1)) / 2;
            line = line.substr(0, comma + 1) + std::to_string(ns) + line.substr(at);
        }
        out += line + "\n";
    }
    dir_.write("m.csv", out + "AC922,NUMA_Memcpy_GPUToPinned,0,gpu0,cpu0,bytes,256,1000,,\n"
                              "S822LC,NUMA_Memcpy_GPUToPinned,0,gpu9,cpu0,bytes,256,1000,,\n");
    const auto compared = [&](const Args& more) {
        Args words{"characterize", "s822lc", "--benchmark", "NUMA_Memcpy_GPUToPinned", "--against", "m.csv"};
        words.insert(words.end(), more.begin(), more.end());
        return numavp(words);
    };
    const Ended made = compared({});
    EXPECT_EQ(made.status, 0) << made.err;
    EXPECT_THAT(made.out, HasSubstr("+100.0 %"));
    EXPECT_THAT(made.out, HasSubstr("1 rows are between parts that the machine does not have"));
    EXPECT_THAT(compared({"--beyond", "99"}).out, HasSubstr("points beyond"));
    EXPECT_THAT(compared({"--beyond", "101"}).out, HasSubstr("no point is beyond 101 %"));
}

/// A difference of up to two standard deviations of the measurement is marked.
TEST_F(Characterize, MarksWhatTheMeasurementScatters) {
    const std::string head = "system,benchmark,exec_numa,src,dst,x_kind,x,median_ns,stddev_ns,GBps\n";
    const auto scattered = [&](double stddev) {
        dir_.write("m.csv", head + "S822LC,NUMA_Memcpy_GPUToPinned,0,gpu0,cpu0,bytes,1048576,20000," +
                                std::to_string(stddev) + ",\n");
        const Ended made = numavp({"characterize", "s822lc", "--benchmark", "NUMA_Memcpy_GPUToPinned", "--largest", "1",
                                   "--against", "m.csv", "--json"});
        return nlohmann::json::parse(made.out).at("comparison").at(0);
    };
    const double ns = scattered(0).at("points").at(0).at("ns").get<double>(), half = (ns - 20000) / 2;
    ASSERT_GT(half, 1000);
    EXPECT_EQ(scattered(half - 1).at("within_two_deviations"), 0);
    EXPECT_EQ(scattered(half + 1).at("within_two_deviations"), 1);
}

/// With the stride of the algorithms 34 strides of a DGX-1 have 8 faults, and the slope is not that of a fault.
TEST_F(Characterize, TakesAStrideAndThreads) {
    const auto last_of = [&](const Args& more) {
        Args words{"characterize", "dgx-1", "--json", "--quiet"};
        words.insert(words.end(), more.begin(), more.end());
        const Ended made = numavp(words);
        EXPECT_EQ(made.status, 0) << made.err;
        return nlohmann::json::parse(made.out).at("series").at(0).at("points").back().at(1).get<double>() / 1000;
    };
    const Args chase{"--benchmark", "NUMAUM_Latency_HostToGPU"};
    EXPECT_NEAR(last_of(chase), 48 + 35 * 35.2, 1);
    EXPECT_NEAR(last_of({chase[0], chase[1], "--stride", "algorithm"}), 48 + 8 * 35.2, 1);
    EXPECT_EQ(last_of({chase[0], chase[1], "--stride", "128"}), last_of(chase));
    const Args touch{"--benchmark", "NUMAUM_Coherence_GPUToHost", "--largest", "1024"};
    const Args four{touch[0], touch[1], touch[2], touch[3], "--threads", "4"};
    EXPECT_LT(last_of(four), last_of(touch) / 1.2);
}

TEST_F(Characterize, IsKnownToCompletionAndHelp) {
    EXPECT_THAT(numavp({"completion", "bash"}).out,
                HasSubstr("characterize) options=\"--help --calibration --set --benchmark"));
    EXPECT_THAT(numavp({"help", "characterize"}).out, HasSubstr("--against FILE"));
}

} // namespace
} // namespace numavp::test
