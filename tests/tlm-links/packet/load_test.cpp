/// Latency over load: beside the reference simulator, the same at any number of jobs, and what is refused.
#include <fstream>

#include <gtest/gtest.h>

#include "named_networks.h"
#include "platform/cli/cli_network.h"
#include "platform/network/load_curve.h"
#include "tests/support/places.h"
#include "tests/support/temp_dir.h"

namespace numavp::test {
namespace {

/// Latencies of a cycle-accurate simulator of flits (BookSim2, the routers and networks of docs/use/NETWORKS.md), in
/// cycles.
struct ReferenceRow {
    const char* network;
    const char* traffic;
    unsigned bytes;
    bool requests;
    double rate;
    double latency;
};
const ReferenceRow kReference[] = {{"sfbfly-4g16h", "uniform", 144, false, 0.5, 33.5218},
                                   {"sfbfly-4g16h", "uniform", 144, true, 0.05, 25.5913},
                                   {"sfbfly-4g16h", "uniform", 16, false, 0.85, 18.9269},
                                   {"dfbfly-4g16h-random-entry", "uniform", 144, false, 0.5, 40.9307},
                                   {"storus-4g16h", "uniform", 144, false, 0.4, 36.1963},
                                   {"ring-4g16h", "uniform", 144, false, 0.12, 44.9554},
                                   {"mesh-8x8", "uniform", 144, false, 0.2, 50.6122},
                                   {"torus-8x8", "uniform", 144, false, 0.3, 45.9874},
                                   {"flatfly-64", "uniform", 144, false, 0.3, 33.0057},
                                   {"flatfly-64", "bad-permutation", 144, false, 0.2, 37.2843}};

TEST(NetworkLoad, LatencyIsTheReferences) {
    for (const ReferenceRow& row : kReference) {
        const bool ugal = std::string(row.traffic) == "bad-permutation";
        const NetworkSystem system = network(row.network, {ugal ? "routing=ugal" : "routing=minimal"});
        LoadSpec load{system.flits(row.bytes), row.requests, 0.01, 60'000};
        const LoadTest test(system, flows_of(kTraffics.value(row.traffic, "test"), system.topology.graph, "test"), load,
                            1, 1);
        const LoadPoint point = test.measure({row.rate}, {}).front();
        EXPECT_NEAR(point.latency_cycles / row.latency, 1.0, 0.05) << row.network << " at " << row.rate;
        EXPECT_NEAR(point.accepted_rate, row.rate, 0.03 * row.rate) << row.network;
    }
}

TEST(NetworkLoad, SaturationIsSeen) {
    const NetworkSystem system = network("sfbfly-4g16h");
    const LoadTest test(system, flows_of(TrafficKind::uniform, system.topology.graph, "test"), {}, 1, 1);
    const LoadPoint point = test.measure({0.99}, {}).front();
    EXPECT_TRUE(point.saturated);
    EXPECT_NEAR(point.accepted_rate, 0.902, 0.02); // the reference's throughput
    EXPECT_DOUBLE_EQ(test.idle_cycles(), 24.0);
}

NetworkWords quick_words(const std::string& name) {
    NetworkWords words;
    words.system = source_dir() + "/configs/systems/networks/" + name + ".json";
    words.packets = "20000";
    words.quiet = true;
    return words;
}

std::string contents(const std::string& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(NetworkCommand, WritesTheSameFileAtAnyNumberOfJobs) {
    const TempDir folder;
    std::vector<std::string> files;
    for (const char* jobs : {"1", "3"}) {
        NetworkWords words = quick_words("sfbfly-4g16h");
        words.rates = "0.05,0.10,0.99";
        words.jobs = jobs;
        words.requests = false;
        words.csv = folder.path(jobs);
        network_command(words);
        files.push_back(contents(words.csv));
    }
    EXPECT_EQ(files[0], files[1]);
    EXPECT_EQ(files[0].substr(0, files[0].find('\n')), "injection_rate,latency_cycles,accepted_rate,hops,status");
    EXPECT_NE(files[0].find("\n0.1,"), std::string::npos);
    EXPECT_NE(files[0].find("\n0.99,,0."), std::string::npos); // saturated: no latency
}

TEST(NetworkCommand, RequestsHaveColumnsOfTheirOwn) {
    const TempDir folder;
    NetworkWords words = quick_words("sfbfly-4g16h");
    words.rates = "0.01";
    words.requests = true;
    words.csv = folder.path("r.csv");
    network_command(words);
    const std::string text = contents(words.csv);
    EXPECT_NE(text.find("status,request_latency_cycles,reply_latency_cycles\n"), std::string::npos) << text;
}

TEST(NetworkCommand, ACurveEndsAtSaturation) {
    NetworkWords words = quick_words("sfbfly-4g16h");
    words.curve = true;
    words.quiet = false;
    words.json = true;
    const json answer = json::parse(network_command(words));
    EXPECT_NEAR(answer.at("saturation_rate").get<double>(), 0.81, 0.04);
    EXPECT_EQ(answer.at("points").size(), 13U);
}

std::string refusal(const NetworkWords& words) {
    try {
        network_command(words);
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "";
}

TEST(NetworkCommand, RefusesWithASentence) {
    const auto refused = [](const char* name, const std::function<void(NetworkWords&)>& change) {
        NetworkWords words = quick_words(name);
        words.rates = "0.1";
        change(words);
        return refusal(words);
    };
    EXPECT_NE(refused("mesh-8x8", [](NetworkWords& w) { w.traffic = "neighbour"; }).find("a network of nodes"),
              std::string::npos);
    EXPECT_NE(refused("sfbfly-4g16h", [](NetworkWords& w) { w.traffic = "tornado"; }).find("processors and memories"),
              std::string::npos);
    EXPECT_NE(refused("sfbfly-4g16h", [](NetworkWords& w) { w.traffic = "uniforn"; }).find("'uniform'"),
              std::string::npos);
    EXPECT_NE(refused("sfbfly-4g16h", [](NetworkWords& w) { w.rates = "0.1,x"; }).find("'x' is not a rate"),
              std::string::npos);
    EXPECT_NE(refused("sfbfly-4g16h", [](NetworkWords& w) { w.curve = true; }).find("do not go together"),
              std::string::npos);
    EXPECT_NE(refused("torus-8x8", [](NetworkWords& w) { w.set = {"routing=ugal"}; }).find("--set routing: torus has"),
              std::string::npos);
    EXPECT_NE(refused("sfbfly-4g16h", [](NetworkWords& w) { w.set = {"parts.cubes.count=4"}; }).find("is 'cube'"),
              std::string::npos);
    EXPECT_NE(refused("sfbfly-4g16h", [](NetworkWords& w) { w.set = {"parts.cube.count=15"}; }).find("need 16"),
              std::string::npos);
    EXPECT_NE(refused("sfbfly-4g16h", [](NetworkWords& w) { w.set = {"parts.cube.channels=4"}; }).find("needs 5"),
              std::string::npos);
    EXPECT_NE(refused("sfbfly-4g16h", [](NetworkWords& w) { w.set = {"network.buffer_bytes=8"}; }).find("do not hold"),
              std::string::npos);
    EXPECT_NE(
        refused("numa-4", [](NetworkWords& w) { w.system = "numa-4"; }).find("no network of routers joins the sockets"),
        std::string::npos);
}

TEST(NetworkCommand, FlowsOfAFile) {
    const TempDir folder;
    const std::string path = folder.path("flows.csv");
    std::ofstream(path) << "from,to,weight\r\n# all to one cube\r\ngpu[0],cube[5],1\r\ngpu[1],cube[5],3\r\n";
    const NetworkSystem system = network("sfbfly-4g16h");
    const std::vector<Flow> flows = read_flows(path, system.topology.graph);
    ASSERT_EQ(flows.size(), 2U);
    EXPECT_DOUBLE_EQ(flows[0].weight + flows[1].weight, 32.0); // the mean over 32 terminals is 1
    EXPECT_DOUBLE_EQ(flows[1].weight, 24.0);
    NetworkWords words = quick_words("sfbfly-4g16h");
    words.rates = "0.01";
    words.traffic = path;
    words.quiet = false;
    EXPECT_NE(network_command(words).find("4 of 32 terminals send, and a rate is the mean over all 32"),
              std::string::npos)
        << "each of two GPUs enters by the two channels to one of its cubes";
    words.traffic = "uniform";
    EXPECT_NE(network_command(words).find("; 32 terminals send\n"), std::string::npos);
    // As spreadsheets write it.
    for (const char* text :
         {"from, to, weight\ngpu[0], cube[5], 1\ngpu[1], cube[5], 3\n",
          "from,to,weight\n gpu[0] ,\tcube[5] , 1 \ngpu[1],cube[5],3\n",
          "\xef\xbb\xbf\"from\",\"to\",\"weight\"\r\n\"gpu[0]\",\"cube[5]\",1\r\ngpu[1],cube[5],\" 3\"\r\n",
          "  # a comment\n\n   \ngpu[0],cube[5],1\ngpu[1],cube[5],3", "gpu[0], cube[5], 1\n gpu[1], cube[5], 3\n"}) {
        std::ofstream(path) << text;
        const std::vector<Flow> same = read_flows(path, system.topology.graph);
        ASSERT_EQ(same.size(), 2U) << text;
        for (const std::size_t f : {0U, 1U}) {
            EXPECT_EQ(same[f].from, flows[f].from) << text;
            EXPECT_EQ(same[f].to, flows[f].to) << text;
            EXPECT_DOUBLE_EQ(same[f].weight, flows[f].weight) << text;
        }
    }
    const auto sentence = [&](const std::string& line) {
        std::ofstream(path) << line << '\n';
        try {
            read_flows(path, system.topology.graph);
        } catch (const ConfigError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_NE(sentence("gpu[9],cube[0],1").find("flows.csv:1: unknown endpoint 'gpu[9]'"), std::string::npos);
    EXPECT_NE(sentence("gpu[0];cube[0]").find("is not from,to,weight"), std::string::npos);
    EXPECT_NE(sentence("gpu[0],cube[0],-1").find("is not a weight"), std::string::npos);
    EXPECT_NE(sentence("cube[0],cube[1],1").find("answers only"), std::string::npos);
    EXPECT_NE(sentence("# nothing").find("there is no traffic"), std::string::npos);
}

} // namespace
} // namespace numavp::test
