/// numavp import, as a user runs it: the file that it writes is checked, explained and run.
#include <cstdlib>

#include "tests/platform/cli/cli_fixture.h"

namespace numavp::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const char* const kDgx =
    "\tGPU0\tGPU1\tGPU2\tGPU3\tCPU Affinity\nGPU0\t X \tNV1\tNV1\tSYS\t0-7\nGPU1\tNV1\t X \tSYS\tNV1\t0-7\n"
    "GPU2\tNV1\tSYS\t X \tNV1\t8-15\nGPU3\tSYS\tNV1\tNV1\t X \t8-15\n";

class Import : public Cli {
  protected:
    void SetUp() override { dir_.write("topo.txt", kDgx); }
};

TEST_F(Import, WritesAFileThatRuns) {
    const Ended made = numavp({"import", "topo.txt", "--out", "found.json", "--name", "Found Box"});
    EXPECT_EQ(made.status, 0) << made.err;
    EXPECT_EQ(made.out, "");
    EXPECT_THAT(made.err,
                HasSubstr("numavp: the bandwidth of PCIe is not in the files: 15.75 GB/s a direction are taken"));
    EXPECT_EQ(json_of("found.json")["name"], "found-box");
    EXPECT_THAT(numavp({"check", "found.json"}).out, StartsWith("found.json: system found-box: 6 sockets"));
    const std::string explained = numavp({"explain", "found.json"}).out;
    EXPECT_THAT(explained, ::testing::AllOf(HasSubstr("nvlink"), HasSubstr("link lanes out, to the router")));
    EXPECT_THAT(explained.substr(explained.find("Wires\n")), HasSubstr("  gpu[0]  gpu[1]  nvlink")) << "who with whom";
    const Ended ran = numavp({"run", "found.json", "spmv-powerlaw", "--scale", "0.01", "--quiet", "--out", "ran",
                              "--set", "gpu.sms=4", "--set", "checks.protocol=true"});
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_TRUE(exists("ran/results.json"));
}

TEST_F(Import, PrintsTheSameFileTwice) {
    const Ended first = numavp({"import", "topo.txt", "--quiet"}), second = numavp({"import", "topo.txt", "--quiet"});
    EXPECT_EQ(first.out, second.out);
    EXPECT_EQ(first.err, "");
    EXPECT_THAT(first.out, StartsWith("{\n  \"extends\": \"numa-aware-8\",\n"));
}

TEST_F(Import, PrintsGraphPathsAndJson) {
    EXPECT_THAT(numavp({"import", "topo.txt", "--graph", "--quiet"}).out, HasSubstr("smp pkg0 pkg1\n"));
    EXPECT_THAT(numavp({"import", "topo.txt", "--paths", "--quiet"}).out,
                HasSubstr("gpu0 gpu1 20 GB/s gpu0 =nv= gpu1\n"));
    const auto json = nlohmann::json::parse(numavp({"import", "topo.txt", "--json", "--quiet"}).out);
    EXPECT_EQ(json["parts"][0]["name"], "pkg0");
    EXPECT_EQ(json["links"].back()["type"], "nv");
    EXPECT_FALSE(json["assumed"].empty());
}

/// `nvidia-smi topo -m` of a DGX H100: each GPU at a root port of its own, NVLinks to all others. All are peers by the
/// NVSwitch, and it alone carries what they copy.
TEST_F(Import, JoinsGpusByAnNvSwitchAndNotByCpus) {
    std::string topo = "\t";
    for (int gpu = 0; gpu < 8; ++gpu) topo += "GPU" + std::to_string(gpu) + "\t";
    topo += "CPU Affinity\tNUMA Affinity\n";
    for (int gpu = 0; gpu < 8; ++gpu) {
        topo += "GPU" + std::to_string(gpu) + "\t";
        for (int other = 0; other < 8; ++other) topo += other == gpu ? " X \t" : "NV18\t";
        topo += gpu < 4 ? "0-55,112-167\t0\n" : "56-111,168-223\t1\n";
    }
    dir_.write("h100.txt", topo);
    const Ended made = numavp({"import", "h100.txt", "--gpu", "H100", "--out", "h100.json"});
    EXPECT_EQ(made.status, 0) << made.err;
    EXPECT_THAT(made.err, ::testing::Not(HasSubstr("neighbour GPU")));
    const Ended ended = numavp({"characterize", "h100.json", "--largest", "64", "--json"});
    EXPECT_EQ(ended.status, 0) << ended.err;
    const auto json = nlohmann::json::parse(ended.out);
    EXPECT_TRUE(json["without_pairs"].empty());
    EXPECT_EQ(json["gpu_pairs"].size(), 56U);
    for (const auto& pair : json["gpu_pairs"]) {
        EXPECT_NEAR(pair["gbytes_per_s"].get<double>(), 400, 12);
        EXPECT_EQ(pair["by_cpu"], false);
    }
    const std::string explained = numavp({"explain", "h100.json"}).out;
    EXPECT_THAT(explained, HasSubstr("GB/s from, to  gpu[0]  gpu[1]"));
    EXPECT_THAT(explained, ::testing::Not(HasSubstr("*: the way leads through a CPU")));
    const auto predicted = nlohmann::json::parse(numavp({"predict", "train-ring-4", "h100.json", "--json"}).out).dump();
    EXPECT_THAT(predicted, HasSubstr("nvlink"));
}

/// With hwloc in the build the machine of the test; without it a sentence.
TEST_F(Import, ImportsThisMachine) {
    const Ended made = numavp({"import", "--here", "--out", "here.json", "--quiet"});
    if (made.status == 2) {
        EXPECT_THAT(made.err, HasSubstr("numavp: --here: "));
        return;
    }
    EXPECT_EQ(made.status, 0) << made.err;
    EXPECT_EQ(numavp({"check", "here.json"}).status, 0);
}

/// The environment makes hwloc describe another machine: the user reads that it does.
TEST_F(Import, SaysWhereHereIsAnotherMachine) {
    Args environment = Cli::environment();
    environment.emplace_back("HWLOC_SYNTHETIC=pack:2 [numa] core:2 pu:1");
    const Ended other = run_process(program({"import", "--here", "--graph"}), environment, dir_.path(""));
    if (other.status == 2) GTEST_SKIP() << "this build has no hwloc";
    EXPECT_EQ(other.out, "smp pkg0 pkg1\n");
    EXPECT_THAT(other.err, HasSubstr("HWLOC_SYNTHETIC is set: --here is not this machine"));
    EXPECT_THAT(numavp({"import", "--here", "--graph"}).err, ::testing::Not(HasSubstr("is set: --here")));
}

/// A Grace Hopper with the places that it keeps for partitions of its GPU: two sockets, joined by NVLink-C2C.
TEST_F(Import, MakesTwoSocketsOfAGraceHopper) {
    std::string numa = "node 0 cpus: 0 1\nnode 0 size: 480000 MB\nnode 1 cpus:\nnode 1 size: 97280 MB\n";
    for (int node = 2; node < 9; ++node)
        numa += "node " + std::to_string(node) + " cpus:\nnode " + std::to_string(node) + " size: 0 MB\n";
    dir_.write("numa.txt", numa);
    dir_.write("gh.txt", "\tGPU0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\nGPU0\t X \t0-1\t0\t1\n");
    const Ended made = numavp({"import", "numa.txt", "gh.txt", "--gpu", "GH200", "--out", "gh.json"});
    EXPECT_EQ(made.status, 0) << made.err;
    EXPECT_THAT(made.err, HasSubstr("NVLink-C2C, which no file shows: 450 GB/s a direction are taken"));
    EXPECT_THAT(numavp({"check", "gh.json"}).out, HasSubstr(": 2 sockets"));
    const auto network = json_of("gh.json")["network"];
    EXPECT_EQ(network["links"][0]["gbytes_per_s"], 450);
    EXPECT_EQ(network["wires"].size(), 1U);
    const Ended used = numavp({"what-if", "vector-add-64mib", "gh.json", "--change", "copies=pinned"});
    EXPECT_EQ(used.status, 0) << used.err;
}

/// A network file of BookSim: what `import` writes is a system whose load curve can be measured. A packet from node 0
/// to node 2 passes the channel of 15 cycles, one to node 3 a channel of one.
TEST_F(Import, MakesASystemOfANetworkFile) {
    dir_.write("net", "router 0 node 0 node 1 router 1 15 router 2\nrouter 1 node 2\nrouter 2 node 3\n");
    EXPECT_EQ(numavp({"import", "net", "--graph"}).out,
              "node0 router0\nnode1 router0\nnode2 router1\nnode3 router2\nrouter0 router1 15\nrouter0 router2\n");
    const Ended made = numavp({"import", "net", "--out", "net.json"});
    EXPECT_EQ(made.status, 0) << made.err;
    EXPECT_THAT(made.err, HasSubstr("a cycle of the file is 1 ns"));
    EXPECT_THAT(numavp({"check", "net.json"}).out, HasSubstr(": 4 sockets"));
    const auto latency = [this](const std::string& to) {
        dir_.write("one.csv", "node[0],node[" + to + "],1\n");
        const Ended ran =
            numavp({"network", "net.json", "--traffic", "one.csv", "--rates", "0.01", "--json", "--quiet"});
        EXPECT_EQ(ran.status, 0) << ran.err;
        return nlohmann::json::parse(ran.out)["points"][0]["latency_cycles"].get<double>();
    };
    EXPECT_NEAR(latency("2") - latency("3"), 14, 0.01);
    EXPECT_EQ(numavp({"import", "net", "--paths"}).status, 2);
    EXPECT_THAT(numavp({"import", "net", "topo.txt"}).err, HasSubstr("net: it is a network by itself"));
}

} // namespace
} // namespace numavp::test
