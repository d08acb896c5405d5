/// Ways through machines: those of simulated packets and of closed forms are one, NVSwitches join GPUs, CPUs do not.
///
/// After a change that is meant to change ways of shipped systems, renew their digests and commit them with it; the
/// reasons stand in docs/use/NETWORKS.md, "Ways":
///
///     NUMAVP_RENEW_WAYS=1 build/release/tests/test_characterize --gtest_filter='*CommittedOnes*'
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/values/digest.h"
#include "common/system/load_system.h"
#include "common/system/narrow_ends.h"
#include "communication/characterize/benchmark.h"
#include "platform/explain/gpu_matrix.h"
#include "platform/machine/system.h"
#include "sw/workloads/workload_file.h"
#include "tests/communication/characterize/machines.h"
#include "tests/support/fast_build.h"
#include "tests/support/places.h"
#include "tests/support/temp_dir.h"

namespace numavp::test {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

SystemNetwork network_for(const SystemConfig& config, RoutedFor packets = RoutedFor::any) {
    return system_network(config, Place(config.name), packets);
}

/// All next channels of each router towards each other one, with the hops that are left.
std::string ways_text(const SystemNetwork& network) {
    const Topology& made = network.topology;
    std::string text;
    for (unsigned from = 0; from < made.graph.routers.size(); ++from)
        for (unsigned to = 0; to < made.graph.routers.size(); ++to) {
            text += std::to_string(made.routing->hops(from, to)) + ":";
            for (const RouteStep& step : made.routing->steps(from, to, RouteLeg::to_destination))
                text += " " + std::to_string(step.channel) + "/" + std::to_string(step.vcs.first) + "-" +
                        std::to_string(step.vcs.end);
            text += "\n";
        }
    return text;
}

/// Of packets of the system and of any packets.
std::string digest_of_ways(const SystemConfig& config) {
    Digest digest;
    for (const RoutedFor packets : {RoutedFor::system, RoutedFor::any})
        for (const char c : ways_text(network_for(config, packets))) digest.add(static_cast<unsigned char>(c));
    std::ostringstream text;
    text << config.name << " " << std::hex << digest.value() << "\n";
    return text.str();
}

TEST(ShippedWays, AreTheCommittedOnes) {
    if (!kFastBuild) GTEST_SKIP() << "values: the optimised build compares them";
    namespace fs = std::filesystem;
    std::set<std::string> lines;
    for (const auto& file : fs::recursive_directory_iterator(source_dir() + "/configs/systems")) {
        if (file.path().extension() != ".json") continue;
        const SystemConfig config = load_system(file.path().string(), {});
        const bool large = WiredParts(config).count() > 64; // NUBA's crossbars, which take a second each
        if (config.network.topology == FabricKind::wires && !large) lines.insert(digest_of_ways(config));
    }
    std::string found;
    for (const std::string& line : lines) found += line;
    const std::string path = source_dir() + "/tests/communication/characterize/shipped_ways.txt";
    if (std::getenv("NUMAVP_RENEW_WAYS") != nullptr) {
        std::ofstream(path) << found;
        return;
    }
    std::stringstream expected;
    expected << std::ifstream(path).rdbuf();
    EXPECT_EQ(expected.str(), found) << "If ways were meant to change, the head of " << __FILE__ << " says more.";
}

/// The closed form's way is one of those that packets take, on machines with CPUs and switches.
TEST(ShippedWays, OfPacketsAndClosedFormsAreOne) {
    for (const char* name : {"s822lc", "ac922", "dgx-1", "dgx-a100", "dgx-h100"}) {
        const HostMachine machine = real_machine(name);
        const SystemNetwork network = network_for(load_system(name, {}));
        const NetworkGraph& graph = network.topology.graph;
        for (unsigned from = 0; from < graph.routers.size(); ++from)
            for (unsigned to = 0; to < graph.routers.size(); ++to) {
                const std::vector<unsigned> way = machine.graph().way(from, to);
                ASSERT_EQ(way.size(), network.topology.routing->hops(from, to)) << name << from << " " << to;
                unsigned at = from;
                for (const unsigned link : way) {
                    std::vector<unsigned> next;
                    for (const RouteStep& step : network.topology.routing->steps(at, to, RouteLeg::to_destination))
                        next.push_back(graph.channels[step.channel].to);
                    at = machine.graph().links()[link].to;
                    EXPECT_THAT(next, Contains(at)) << name << " " << graph.routers[from] << " " << graph.routers[to];
                }
            }
    }
}

// --- Machines with NVSwitches ----------------------------------------------------------------------------------------

struct SwitchedRow {
    const char* machine;
    double nvlink; ///< GB/s each way of a GPU
};
class Switched : public ::testing::TestWithParam<SwitchedRow> {};

/// Near and far: of one PCIe switch or CPU, and of two.
TEST_P(Switched, GpusAreAllPeersAndAlike) {
    const HostMachine machine = real_machine(GetParam().machine);
    const double gbytes_per_s = GetParam().nvlink * 128 / 144, ns = 10e3 + 1024 * kMiB / gbytes_per_s;
    for (unsigned a = 0; a < 8; ++a)
        for (unsigned b = 0; b < 8; ++b) {
            if (a == b) continue;
            EXPECT_TRUE(machine.peers(a, b));
            for (const unsigned link : machine.graph().way(machine.gpu_part(a), machine.gpu_part(b)))
                EXPECT_EQ(machine.graph().links()[link].kind, "nvlink");
            EXPECT_NEAR(HostProgram(machine).peer_ns(a, b, 1024 * kMiB), ns, 0.03 * ns) << a << " " << b;
        }
    const std::vector<BenchmarkCase> cases = benchmark_cases(machine);
    EXPECT_EQ(std::count_if(cases.begin(), cases.end(),
                            [](const BenchmarkCase& what) { return what.benchmark == Benchmark::peer; }),
              56);
    EXPECT_EQ(why_no_cases(machine, Benchmark::peer), "");
}

/// What explain and characterize show: 450 or 300 GB/s of packets, 128 of 144 bytes of them data.
TEST_P(Switched, MatricesHaveOneValue) {
    const SystemConfig config = load_system(GetParam().machine, {});
    const GpuMatrix packets = gpu_matrix(NetworkSystem(config, network_for(config)), 144);
    const GpuMatrix copies = gpu_matrix(real_machine(GetParam().machine));
    ASSERT_EQ(packets.gpus.size(), 8U);
    EXPECT_EQ(packets.gpus[3], "gpu[3]");
    EXPECT_EQ(copies.gpus[3], "gpu3");
    for (unsigned a = 0; a < 8; ++a)
        for (unsigned b = 0; b < 8; ++b) {
            if (a == b) continue;
            EXPECT_NEAR(packets.pairs[a][b].gbytes_per_s, GetParam().nvlink, 0.03 * GetParam().nvlink);
            EXPECT_NEAR(copies.pairs[a][b].gbytes_per_s, GetParam().nvlink * 128 / 144, 0.01);
            EXPECT_NEAR(copies.pairs[a][b].latency_ns, 240, 1e-9);
            EXPECT_EQ(packets.pairs[a][b].latency_ns, packets.pairs[0][1].latency_ns);
            EXPECT_GT(packets.pairs[a][b].latency_ns, 240);
            EXPECT_LT(packets.pairs[a][b].latency_ns, 260);
            EXPECT_FALSE(packets.pairs[a][b].by_cpu || copies.pairs[a][b].by_cpu);
        }
    EXPECT_THAT(narrow_ends(config, network_for(config)), IsEmpty());
}

/// Simulated, with pages that are spread over the GPUs: PCIe and the link between the CPUs carry nothing.
TEST_P(Switched, PacketsBetweenGpusTakeNoPcie) {
    constexpr std::uint64_t kItems = 1U << 15;
    const nlohmann::json kernel = {
        {"pattern", "element_loop"},
        {"parameters", {{"items", kItems}, {"per_block", 1024}, {"accesses", {{{"array", "a"}}}}}},
        {"arrays", {{"a", "a"}}}};
    const Workload workload = read_workload({{"name", "loads"}, {"kernels", {kernel}}}, Place("file"), {});
    const SystemConfig config =
        load_system(GetParam().machine, {"gpu.sms=1", "placement.policy=page_interleave", "placement.memories=gpu"});
    System system(config, workload);
    system.run();
    const SystemNetwork network = network_for(config, RoutedFor::system);
    const nlohmann::json statistics = system.stats().values().at("network");
    std::uint64_t nvlink = 0, others = 0;
    for (unsigned c = 0; c < network.topology.graph.channels.size(); ++c) {
        const auto flits = statistics.at("channel" + std::to_string(c)).at("flits").get<std::uint64_t>();
        (network.links[network.topology.graph.channels[c].link].name == "nvlink" ? nvlink : others) += flits;
    }
    EXPECT_EQ(others, 0U);
    EXPECT_GT(nvlink, kItems * 4 / 128) << "most lines are remote, and pass two links";
}

INSTANTIATE_TEST_SUITE_P(Machines, Switched,
                         ::testing::Values(SwitchedRow{"dgx-h100", 450}, SwitchedRow{"dgx-a100", 300}),
                         [](const auto& row) { return row.index == 0 ? "H100" : "A100"; });

// --- Machines of a few parts -----------------------------------------------------------------------------------------

/// Two GPUs and a CPU, and what joins them.
class FewParts : public ::testing::Test {
  protected:
    std::string write(const std::string& routers, const std::string& wires, const std::string& cpu = "") {
        return folder.write("few.json", R"({"extends": "numa-aware-8", "name": "few", "sockets": null,
 "parts": [{"name": "gpu", "count": 2}, {"name": "cpu", "count": 1, "kind": "cpu"})" +
                                            routers + R"(],
 "cpu": {"sms": 0, "l2": {"size_kib": 0, "organisation": "memory_side", "slices": 4, "ways": 1}, "memory": {"channels": 4}},
 "link": {"lane_gbps": 16, "latency_cycles": 1},
 "network": {"topology": "wires", "links": [{"name": "slow", "gbytes_per_s": 10}, {"name": "fast", "gbytes_per_s": 100}],
  "wires": [)" + wires + "]}" + cpu + "}");
    }
    /// Parts that the way from GPU 0 to GPU 1 passes.
    static std::vector<std::string> passed(const HostMachine& machine) {
        std::vector<std::string> parts;
        for (const unsigned link : machine.graph().way(machine.gpu_part(0), machine.gpu_part(1)))
            parts.push_back(machine.graph().parts()[machine.graph().links()[link].to].name);
        parts.pop_back();
        return parts;
    }
    TempDir folder;
};

TEST_F(FewParts, ThatACpuAloneJoinsAreNoPeersAndSaySo) {
    const std::string file = write("", R"({"from": "cpu", "to": "gpu", "link": "slow"})");
    for (const std::vector<std::string>& set : {std::vector<std::string>{}, {"parts[1].transit=true"}}) {
        const HostMachine machine = load_host_machine(file, set, "");
        EXPECT_FALSE(machine.peers(0, 1));
        EXPECT_EQ(why_no_cases(machine, Benchmark::peer),
                  "CUDA_Memcpy_GPUToGPU has no pair: between any two GPUs of few the way leads through a CPU, so that "
                  "none are peers");
        EXPECT_EQ(why_no_cases(machine, Benchmark::staged), "");
        EXPECT_TRUE(gpu_matrix(machine).pairs[0][1].by_cpu);
        EXPECT_THAT(gpu_matrix_text(gpu_matrix(machine), {}), HasSubstr("*: the way leads through a CPU"));
    }
}

TEST_F(FewParts, ThatASwitchJoinsArePeers) {
    const HostMachine machine = load_host_machine(
        write(R"(, {"name": "pcie", "count": 1, "kind": "router"})",
              R"({"from": "gpu", "to": "pcie", "link": "slow"}, {"from": "cpu", "to": "pcie", "link": "slow"})"),
        {}, "");
    EXPECT_THAT(passed(machine), ElementsAre("pcie[0]"));
    EXPECT_TRUE(machine.peers(0, 1));
}

/// The way around the CPU is longer and slower.
TEST_F(FewParts, PassACpuOnASwitchOnlyIfItSaysThatItIsTransit) {
    const std::string file =
        write(R"(, {"name": "sw", "count": 4, "kind": "router"})",
              R"({"from": "gpu[0]", "to": "sw[0]", "link": "fast"}, {"from": "gpu[1]", "to": "sw[1]", "link": "fast"},
   {"from": "cpu", "to": "sw[0..1]", "link": "fast"}, {"from": "sw[0]", "to": "sw[2]", "link": "slow"},
   {"from": "sw[2]", "to": "sw[3]", "link": "slow"}, {"from": "sw[3]", "to": "sw[1]", "link": "slow"})");
    const std::vector<std::string> says{"parts[1].transit=true"};
    EXPECT_THAT(passed(load_host_machine(file, {}, "")), ElementsAre("sw[0]", "sw[2]", "sw[3]", "sw[1]"));
    EXPECT_THAT(passed(load_host_machine(file, says, "")), ElementsAre("sw[0]", "cpu[0]", "sw[1]"));
    EXPECT_EQ(network_for(load_system(file, {})).topology.routing->hops(0, 1), 5U);
    EXPECT_EQ(network_for(load_system(file, says)).topology.routing->hops(0, 1), 4U);
    EXPECT_TRUE(load_host_machine(file, {}, "").peers(0, 1));
    EXPECT_FALSE(load_host_machine(file, says, "").peers(0, 1));
    EXPECT_THAT(load_host_machine(file, says, "").assumed(), Each(::testing::Not(HasSubstr("changes no time"))));
}

/// From the CPU, which only GPU 0 has a link to, to GPU 1: by a GPU that is no transit if nothing else leads there.
TEST_F(FewParts, PassAGpuIfThereIsNoOtherWay) {
    const HostMachine machine = load_host_machine(
        write("", R"({"from": "cpu", "to": "gpu[0]", "link": "slow"}, {"all": "gpu", "link": "fast"})"), {}, "");
    EXPECT_EQ(machine.graph().way(machine.cpu_part(0), machine.gpu_part(1)).size(), 2U);
    EXPECT_TRUE(machine.peers(0, 1));
}

/// Of ways with two hops the faster one, before and after a change of the machine.
TEST_F(FewParts, TakeTheFasterOfTwoSwitches) {
    HostMachine machine = load_host_machine(
        write(R"(, {"name": "sw", "count": 2, "kind": "router"})",
              R"({"from": "gpu", "to": "sw[0]", "link": "slow"}, {"from": "gpu", "to": "sw[1]", "link": "fast"},
   {"from": "cpu", "to": "sw[0]"})"),
        {}, "");
    EXPECT_THAT(passed(machine), ElementsAre("sw[1]"));
    ASSERT_TRUE(machine.scale_links("slow", 20));
    EXPECT_THAT(passed(machine), ElementsAre("sw[0]"));
}

TEST_F(FewParts, SayWhoIsNarrowerThanALink) {
    const std::string file =
        write(R"(, {"name": "sw", "count": 1, "kind": "router"})",
              R"({"from": "gpu", "to": "sw", "link": "fast", "channels": 2}, {"from": "cpu", "to": "sw"})");
    const SystemConfig config = load_system(file, {"link.balancer=static"});
    EXPECT_THAT(narrow_ends(config, network_for(config)),
                ElementsAre("gpu[0..1] take 128 GB/s, less than the 200 of their link fast to sw: terminals, or "
                            "link.lane_gbps, limit them"));
    const SystemConfig wide = load_system(file, {"link.balancer=static", "link.lane_gbps=32", "parts[0].terminals=2"});
    EXPECT_THAT(narrow_ends(wide, network_for(wide)), IsEmpty());
    EXPECT_EQ(gpu_matrix(NetworkSystem(config, network_for(config)), 144).pairs[0][1].gbytes_per_s, 128);
    EXPECT_NEAR(gpu_matrix(NetworkSystem(wide, network_for(wide)), 144).pairs[0][1].gbytes_per_s, 200, 0.01);
}

} // namespace
} // namespace numavp::test
