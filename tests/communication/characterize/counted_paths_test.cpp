/// Links of logical paths by counters: of packets that a simulated machine counts, and of files.
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/values/error.h"
#include "common/system/load_system.h"
#include "common/system/network_settings.h"
#include "communication/characterize/counted_paths.h"
#include "platform/machine/system.h"
#include "sw/workloads/workload_file.h"
#include "tests/communication/characterize/machines.h"

namespace numavp::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kHeaderOfCounters = "src,dst,bytes,link_from,link_to,link,counted_bytes\n";

/// Parts that the links lead to.
std::vector<std::string> ends_of(const HostMachine& machine, const std::vector<unsigned>& links) {
    std::vector<std::string> names;
    for (const unsigned link : links) names.push_back(machine.graph().parts()[machine.graph().links()[link].to].name);
    return names;
}

/// One block, which dispatch.split contiguous gives to GPU 7, reads 64 KiB that lie in GPU 0's memory; each channel of
/// the simulated DGX-1 counts its flits. The two are no neighbours, so that the data passes a PCIe switch and a CPU of
/// each; requests go the other way.
TEST(CountedPaths, OfASimulatedMachineAreTheWaysOfItsPackets) {
    constexpr std::uint64_t kBytes = 64 * 1024;
    const nlohmann::json kernel = {
        {"pattern", "element_loop"},
        {"parameters", {{"items", kBytes / 4}, {"per_block", kBytes / 4}, {"accesses", {{{"array", "a"}}}}}},
        {"arrays", {{"a", "a"}}}};
    const Workload workload =
        read_workload({{"name", "loads"}, {"on_gpu", {{"a", 0}}}, {"kernels", {kernel}}}, Place("file"), {});
    const SystemConfig config = load_system("dgx-1", {"gpu.sms=1"});
    System system(config, workload);
    system.run();

    const HostMachine machine = real_machine("dgx-1");
    const NetworkGraph graph = system_network(config, Place("file"), RoutedFor::system).topology.graph;
    CountedMove move{gpu(0), gpu(7), kBytes, std::vector<double>(machine.graph().links().size(), 0.0)};
    const nlohmann::json statistics = system.stats().values().at("network");
    for (unsigned c = 0; c < graph.channels.size(); ++c)
        for (unsigned l = 0; l < machine.graph().links().size(); ++l) {
            const TransferLink& link = machine.graph().links()[l];
            if (machine.graph().parts()[link.from].name == graph.routers[graph.channels[c].from] &&
                machine.graph().parts()[link.to].name == graph.routers[graph.channels[c].to])
                move.counted[l] +=
                    config.network.flit_bytes * statistics.at("channel" + std::to_string(c)).at("flits").get<double>();
        }
    const CountedPath path = counted_path(machine, move);
    EXPECT_THAT(ends_of(machine, path.links), ElementsAre("pcie[0]", "cpu[0]", "cpu[1]", "pcie[3]", "gpu[7]"));
    EXPECT_THAT(path.others, IsEmpty());
    EXPECT_TRUE(path.arrives);
    EXPECT_TRUE(path.as_assumed());
    EXPECT_NEAR(path.overhead, 5 * 32 / 128.0 - 1, 1e-9) << "144 B for 128 B of data, in flits of 32 B";
}

std::vector<CountedMove> moves_of(const HostMachine& machine, const std::string& rows) {
    std::istringstream in(kHeaderOfCounters + rows);
    return parse_counted(in, "c.csv", machine);
}

/// S822LC, CPU 0 to GPU 2: over the X bus, as its counters say. The request direction and other traffic stay below
/// half.
TEST(CountedPaths, OfAFileAreChained) {
    const HostMachine machine = real_machine("s822lc");
    const std::vector<CountedMove> moves = moves_of(machine, "cpu0,gpu2,1000000,cpu[1],gpu[2],nvlink_cpu,1250000\n"
                                                             "cpu0,gpu2,1000000,cpu[0],cpu[1],,1300000\n"
                                                             "cpu0,gpu2,1000000,cpu[1],cpu[0],,300000\n"
                                                             "cpu0,gpu2,1000000,cpu[0],gpu[0],nvlink_cpu,499999\n"
                                                             "gpu0,gpu1,1000,gpu[0],gpu[1],nvlink,1200\n");
    ASSERT_EQ(moves.size(), 2U);
    const CountedPath remote = counted_path(machine, moves[0]);
    EXPECT_THAT(ends_of(machine, remote.links), ElementsAre("cpu[1]", "gpu[2]"));
    EXPECT_TRUE(remote.as_assumed());
    EXPECT_NEAR(remote.overhead, 0.275, 1e-9);
    EXPECT_EQ(counted_paths_text(machine, moves),
              "cpu0 gpu2: cpu[0] =x_bus= cpu[1] =nvlink_cpu= gpu[2], +27.5 %; predictions take this way\n"
              "gpu0 gpu1: gpu[0] =nvlink= gpu[1], +20.0 %; predictions take this way\n");
}

/// Another way than predictions take, a link that nothing leads to, and counters that do not arrive.
TEST(CountedPaths, SayWhereTheyDiffer) {
    const HostMachine machine = real_machine("s822lc");
    const CountedPath other = counted_path(
        machine, moves_of(machine, "gpu0,gpu1,1000,gpu[0],cpu[0],nvlink_cpu,1200\ngpu0,gpu1,1000,cpu[0],gpu[1],nvlink_"
                                   "cpu,1200\n")[0]);
    EXPECT_TRUE(other.arrives);
    EXPECT_FALSE(other.as_assumed());
    EXPECT_THAT(ends_of(machine, other.links), ElementsAre("cpu[0]", "gpu[1]"));
    EXPECT_THAT(ends_of(machine, other.assumed), ElementsAre("gpu[1]"));
    const std::vector<CountedMove> odd =
        moves_of(machine, "cpu0,gpu2,1000,cpu[0],cpu[1],,1200\ncpu0,gpu2,1000,gpu[3],cpu[1],nvlink_cpu,1200\n");
    const CountedPath open = counted_path(machine, odd[0]);
    EXPECT_FALSE(open.arrives);
    EXPECT_EQ(open.others.size(), 1U);
    EXPECT_THAT(counted_paths_text(machine, odd),
                HasSubstr("cpu[0] =x_bus= cpu[1], +20.0 %, which does not arrive, and beside it gpu[3] =nvlink_cpu= "
                          "cpu[1]; predictions take cpu[0] =x_bus= cpu[1] =nvlink_cpu= gpu[2]\n"));
    EXPECT_THAT(counted_paths_text(machine, moves_of(machine, "cpu0,gpu2,1000,cpu[0],cpu[1],,10\n")),
                HasSubstr("cpu0 gpu2: no counter at the source rose by half of the bytes; predictions take"));
}

} // namespace
} // namespace numavp::test
