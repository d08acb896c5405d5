/// Configurations of modules: what follows from settings, and parameters of policies under the paths of their owners.
#include <gtest/gtest.h>

#include "base/config/config.h"
#include "models/socket/socket_config.h"

namespace numavp {
namespace {

TEST(ModuleConfig, SetsFollowFromSizes) {
    L2Config l2;
    EXPECT_EQ(l2.sets(), 64U); // 4 MiB in 32 slices of 16 ways
    l2.ways = 8;
    EXPECT_EQ(l2.sets(), 128U);
    EXPECT_EQ(L1Config().sets(), 256U);
    EXPECT_EQ(SmConfig().shared_bytes(), 65536U);
}

TEST(ModuleConfig, ALargerSocketHasTheSameSlicesAndChannels) {
    SocketConfig socket;
    socket.l2.size_kib = 1 << 20; // 16 times that are more bytes than 32 bits count
    socket.memory.bandwidth_gbps = 700;
    for (const unsigned times : {2U, 16U}) {
        const SocketConfig larger = socket.scaled(times);
        EXPECT_EQ(larger.sms, times * socket.sms);
        EXPECT_EQ(larger.l2.slices, times * socket.l2.slices);
        EXPECT_EQ(larger.l2.sets(), socket.l2.sets());
        EXPECT_EQ(larger.memory.channels, times * socket.memory.channels);
        EXPECT_EQ(larger.memory.channel_bytes_per_s(), socket.memory.channel_bytes_per_s());
    }
}

TEST(ModuleConfig, ALatencyIsAtLeastItsNanoseconds) {
    ChannelConfig channel;
    channel.latency_ns = 77.0;
    EXPECT_EQ(channel.latency_cycles(1'000'000), 77U);
    EXPECT_EQ(channel.latency_cycles(1'250'000), 97U); // of 96.25
    EXPECT_EQ(channel.channel_bytes_per_s(), 24'000'000'000U);
    EXPECT_EQ(LinkConfig().most_bytes_per_s(), 128'000'000'000U);
}

/// Bytes that the lanes carry in the latency, in packets, and two that begin and end.
TEST(ModuleConfig, ALinkHasThePacketsInFlightThatItsRateAndLatencyNeed) {
    LinkConfig link;
    link.lanes_out = link.lanes_in = 1;
    link.lane_gbps = 2.0;
    link.latency_cycles = 100;
    EXPECT_EQ(link.packets_in_flight(136, 1'000'000), 2U * 2 * 100 / 136 + 2) << "both lanes face one way";
    EXPECT_EQ(link.packets_in_flight(40, 500'000), 2U * 4 * 100 / 40 + 2) << "bytes of a longer cycle";
    link.lane_gbps = 10000.0;
    link.latency_cycles = 100000;
    EXPECT_EQ(link.packets_in_flight(40, 1'000'000), LinkConfig::kMostInFlight);
}

TEST(ModuleConfig, ParametersOfAPolicyStandUnderTheOwnersPath) {
    const auto link = read_config<LinkConfig>(json::parse(R"({"saturation_percent": 55})"), Place("link"));
    EXPECT_EQ(link.params.saturation_percent, 55U);
    EXPECT_EQ(dump_config(link)["saturation_percent"], 55);
    const auto ways = read_config<WayPartitionConfig>(json::parse(R"({"saturation_percent": 44})"), Place("partition"));
    EXPECT_EQ(ways.params.saturation_percent, 44U);
    EXPECT_THROW(read_config<LinkConfig>(json::parse(R"({"params": {}})"), Place("link")), ConfigError);
}

/// What follows from the machine is in no file.
TEST(ModuleConfig, WhatFollowsFromTheMachineIsNoSetting) {
    const ordered_json socket = dump_config(SocketConfig());
    EXPECT_FALSE(socket["memory"].contains("ports"));
    EXPECT_FALSE(socket["sm"]["l1"].contains("partitioned"));
    EXPECT_FALSE(dump_config(LinkConfig()).contains("sources"));
    EXPECT_FALSE(dump_config(MmuConfig()).contains("memories"));
}

} // namespace
} // namespace numavp
