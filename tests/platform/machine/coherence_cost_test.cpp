/// What flushes cost, what links spend, what a partition without L1 says.
#include <string>

#include <gtest/gtest.h>

#include "platform/machine/system.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/hand_kernel.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

using nlohmann::json;

constexpr std::uint64_t kLines = 64;
constexpr std::uint64_t kReaders = 3;

/// Socket 1 touches lines, then `kReaders` kernels read all of them on socket 0, past the L1.
Workload read_again() {
    const auto all_on = [](std::uint64_t socket) {
        return [socket](std::uint64_t block, unsigned) {
            WarpCode code;
            if (block == socket)
                for (std::uint64_t i = 0; i < kLines; ++i) code.push_back(load_past_l1(kHandBase + i * kLineBytes));
            return code;
        };
    };
    std::vector<Launch> launches = {hand_launch("touch", 2, 1, all_on(1))};
    for (std::uint64_t k = 0; k < kReaders; ++k) launches.push_back(hand_launch("read", 2, 1, all_on(0)));
    return hand_workload(std::move(launches));
}

json values_of(const SystemConfig& config) {
    return run_apart([&config] {
        const Workload workload = read_again();
        System system(config, workload);
        system.run();
        return json(system.stats().values());
    });
}

TEST(TheL2ThatIgnoresInvalidations, KeepsWhatEveryKernelReadsAgain) {
    SystemConfig config = small_system(2);
    config.socket.l2.organisation = L2Organisation::coherent;
    const json real = values_of(config);
    EXPECT_EQ(stat(real, "socket0.l2.outgoing_reads"), kReaders * kLines);
    EXPECT_EQ(stat(real, "socket0.l2.remote.hits"), 0U);
    EXPECT_EQ(stat(real, "socket0.l2.invalidated"), kReaders * kLines);
    EXPECT_EQ(stat(real, "socket1.l2.incoming.misses"), kReaders * kLines); // its L2 is flushed too

    config.socket.l2.invalidate = false;
    const json ideal = values_of(config);
    EXPECT_EQ(stat(ideal, "socket0.l2.outgoing_reads"), kLines);
    EXPECT_EQ(stat(ideal, "socket0.l2.remote.hits"), (kReaders - 1) * kLines);
    EXPECT_EQ(stat(ideal, "socket0.l2.invalidated"), 0U);
    EXPECT_EQ(stat(ideal, "socket1.l2.incoming.hits"), kLines);
    EXPECT_LT(stat(ideal, "system.cycles"), stat(real, "system.cycles"));
}

TEST(LinkEnergy, IsTenPicojoulesForEachBitThatIsSent) {
    SystemConfig config = small_system(2);
    config.socket.l2.organisation = L2Organisation::memory_side;
    const json values = values_of(config);
    const double requests = kReaders * kLines * 8 * 8 * 10.0;    // of 8 bytes
    const double responses = kReaders * kLines * 136 * 8 * 10.0; // of 8 bytes and a line
    EXPECT_DOUBLE_EQ(values["socket0"]["link"]["out"]["energy_pj"], requests);
    EXPECT_DOUBLE_EQ(values["socket1"]["link"]["out"]["energy_pj"], responses);
    EXPECT_DOUBLE_EQ(values["system"]["link_energy_pj"], requests + responses);
    EXPECT_FALSE(values["socket0"]["link"]["in"].contains("energy_pj")); // counted where a packet starts

    config.link.energy_pj_per_bit = 2.5;
    EXPECT_DOUBLE_EQ(values_of(config)["system"]["link_energy_pj"], (requests + responses) / 4);
}

/// Reads over the link that saturate it, so that remote lines get ways.
json ways_of(bool l1) {
    return run_apart([l1] {
        SystemConfig config = small_system(2);
        config.socket.l2.organisation = L2Organisation::numa_aware;
        config.socket.partition.l1 = l1;
        config.link.lane_gbps = 1.0;
        const Workload workload =
            hand_workload({hand_launch("touch", 2, 1,
                                       [](std::uint64_t block, unsigned) {
                                           return block == 1 ? WarpCode{load(kHandBase)} : WarpCode{};
                                       }),
                           hand_launch("read", 2, 4, [](std::uint64_t block, unsigned warp) {
                               WarpCode code;
                               for (std::uint64_t i = 1; block == 0 && i < 120; ++i)
                                   code.push_back(load(kHandBase + (warp * 120 + i) * kLineBytes));
                               return code;
                           })});
        System system(config, workload);
        system.run();
        json answer = {{"l1", system.stats().values()["socket0"]["ways"]["l1_local"]}, {"events", json::array()}};
        for (const TimelineEvent& e : system.timeline())
            if (e.what == "ways" && e.socket == 0) answer["events"].push_back(e.args.size() == 2 ? "L2 and L1" : "L2");
        return answer;
    });
}

TEST(WaysOfTheL1, AreNotReportedWhereItIsNotPartitioned) {
    const json with = ways_of(true), without = ways_of(false);
    ASSERT_FALSE(with["events"].empty());
    EXPECT_EQ(with["events"][0], "L2 and L1");
    ASSERT_FALSE(without["events"].empty());
    EXPECT_EQ(without["events"][0], "L2");
    EXPECT_EQ(without["l1"], 0);
}

/// Both sockets read from each other alone, so that each direction carries answers and the other's requests.
class LinksFullOfReadsInBothDirections : public ::testing::TestWithParam<unsigned> {};

TEST_P(LinksFullOfReadsInBothDirections, CountAsSaturated) {
    const json local = run_apart([] {
        SystemConfig config = small_system(2);
        config.socket.l2.organisation = L2Organisation::numa_aware;
        config.socket.l2.ways = 8;
        config.socket.partition.sample_cycles = 1000;
        config.link.lane_gbps = 1.0;
        config.packets.flit_bytes = GetParam();
        constexpr std::uint64_t kApart = 16 * 65536; // bytes: pages of their own
        const auto at = [](std::uint64_t socket, std::uint64_t line) {
            return load_past_l1(kHandBase + socket * kApart + line * kLineBytes);
        };
        const Workload workload = hand_workload(
            {hand_launch("touch", 2, 1, [=](std::uint64_t block, unsigned) { return WarpCode{at(block, 0)}; }),
             hand_launch("read", 2, 4, [=](std::uint64_t block, unsigned warp) {
                 WarpCode code;
                 for (std::uint64_t i = 1; i < 120; ++i) code.push_back(at(1 - block, warp * 120 + i));
                 return code;
             })});
        System system(config, workload);
        system.run();
        const json values = system.stats().values();
        return json{values["socket0"]["ways"]["l2_local"], values["socket1"]["ways"]["l2_local"]};
    });
    // From four of eight, a way a sample: the run takes eight samples and more.
    EXPECT_EQ(local, json({1, 1}));
}
INSTANTIATE_TEST_SUITE_P(FlitBytes, LinksFullOfReadsInBothDirections, ::testing::Values(1U, 32U, 128U));

} // namespace
} // namespace numavp::test
