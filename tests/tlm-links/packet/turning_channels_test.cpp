/// Lanes that turn on channels between routers: bandwidth follows them to the flit, both directions together never have
/// more lanes than are wired, and nothing is lost or stuck while they turn.
#include <gtest/gtest.h>

#include "base/values/error.h"
#include "common/system/load_system.h"
#include "common/system/network_settings.h"
#include "small_fabric.h"
#include "tests/support/places.h"
#include "tests/support/run_apart.h"
#include "tlm-links/packet/channels_towards.h"
#include "tlm-links/packet/turning_channels.h"
#include "tlm-links/topology/explicit_network.h"

namespace numavp::test {
namespace {

constexpr unsigned kLanes = 4, kPacketFlits = 8;
constexpr Cycle kSample = 2000, kSwitch = 50;

/// Two routers with a terminal each and a channel whose 4 lanes each way carry a flit in 4 cycles together.
class TwoRouters {
  public:
    explicit TwoRouters(LaneBalancerKind balancer, const WireFormat& format = {})
        : topology_(two_routers(format)), core_(topology_.graph, *topology_.routing, core_config()),
          channels_(core_, topology_.graph, kinds(balancer)) {
        due_ = channels_.launch(0);
    }

    /// Keeps packets waiting at each terminal that sends, for so many cycles.
    void run(Cycle cycles, bool first_sends, bool second_sends) {
        for (const Cycle end = core_.now() + cycles; core_.now() < end;) {
            const Cycle now = core_.now();
            for (unsigned t = 0; t < 2; ++t)
                while ((t == 0 ? first_sends : second_sends) && core_.backlog(t) < 4)
                    core_.offer({t, 1 - t, kPacketFlits, 0, 0, 0}, now);
            core_.step();
            for (const NetworkCore::Arrival& a : core_.arrivals()) core_.release(a.packet);
            if (now >= due_) due_ = channels_.act(now);
            most_ = std::max(most_, channels_.lanes(0) + channels_.lanes(1));
        }
    }
    const TurningChannels& channels() const { return channels_; }
    std::uint64_t flits(unsigned channel) const { return core_.channel_flits(channel); }
    Cycle now() const { return core_.now(); }
    unsigned most_lanes() const { return most_; }
    TurningChannels& channels() { return channels_; }
    void launch() { due_ = channels_.launch(core_.now()); }
    ChannelsTowards towards(unsigned endpoint) const {
        return {topology_.graph, endpoint, kinds(LaneBalancerKind::dynamic)};
    }

  private:
    static Topology two_routers(const WireFormat& format) {
        NetworkGraph made;
        for (unsigned n = 0; n < 2; ++n) {
            made.routers.push_back("r" + std::to_string(n));
            made.endpoints.push_back({made.routers.back(), true, n, {}});
            made.attach(n, n, 1);
        }
        made.connect(0, 1, {3, kLanes * NetworkChannel::kCycle, 1, 0, format});
        return make_explicit(std::move(made), 4, Place("graph"));
    }
    static NetworkCoreConfig core_config() {
        NetworkCoreConfig config;
        config.virtual_channels = 4;
        return config;
    }
    static std::vector<ChannelLanes> kinds(LaneBalancerKind balancer) {
        ChannelLanes kind;
        kind.turner.wired = {kLanes, kLanes};
        kind.turner.balancer = balancer;
        kind.turner.sample_cycles = kSample;
        kind.turner.switch_cycles = kSwitch;
        return {{}, kind};
    }
    Topology topology_;
    NetworkCore core_;
    TurningChannels channels_;
    Cycle due_ = 0;
    unsigned most_ = 0;
};

TEST(TurningChannels, CarryAsMuchAsTheLanesThatFaceTheirWay) {
    TwoRouters net(LaneBalancerKind::dynamic);
    for (unsigned lanes = kLanes; lanes < 2 * kLanes - 1; ++lanes) {
        EXPECT_EQ(net.channels().lanes(0), lanes);
        const std::uint64_t before = net.flits(0);
        const std::uint64_t slots = net.channels().lane_cycles(0, net.now());
        net.run(kSample, true, false);
        const std::uint64_t had = net.channels().lane_cycles(0, net.now()) - slots;
        // A lane carries a flit in 16 cycles; the pipeline of the first packet, and the flit at either end.
        EXPECT_NEAR(16.0 * static_cast<double>(net.flits(0) - before), static_cast<double>(had), 16.0 * 4) << lanes;
        net.run(kSwitch + 2 * kLanes * kLanes, true, false); // quiesced and turned
    }
    EXPECT_EQ(net.channels().lanes(0), 2 * kLanes - 1);
    EXPECT_EQ(net.channels().lanes(1), 1U);
    EXPECT_EQ(net.channels().turned(0), kLanes - 1);
    EXPECT_EQ(net.most_lanes(), 2 * kLanes);
}

TEST(TurningChannels, ComeBackWhenBothDirectionsAreFullAndAtALaunch) {
    TwoRouters net(LaneBalancerKind::dynamic);
    net.run(3 * kSample + 500, true, false);
    ASSERT_EQ(net.channels().lanes(0), 2 * kLanes - 1);
    net.run(5 * kSample, true, true);
    EXPECT_EQ(net.channels().lanes(0), kLanes);
    EXPECT_EQ(net.channels().lanes(1), kLanes);
    net.run(3 * kSample, false, true);
    ASSERT_LT(net.channels().lanes(0), kLanes);
    net.launch();
    net.run(500, false, false);
    EXPECT_EQ(net.channels().lanes(0), kLanes);
}

TEST(TurningChannels, StayAsWiredWithoutABalancerAndAtRest) {
    TwoRouters fixed(LaneBalancerKind::fixed);
    fixed.run(4 * kSample, true, false);
    EXPECT_EQ(fixed.channels().lanes(0), kLanes);
    TwoRouters rests(LaneBalancerKind::dynamic);
    rests.channels().rest();
    rests.run(4 * kSample, true, false);
    EXPECT_EQ(rests.channels().lanes(0), kLanes);
    EXPECT_EQ(rests.channels().turned(0), 0U);
}

/// A lane carries a flit in 16 cycles, whichever way it faces.
TEST(TurningChannels, TowardsAPackageCarryWhatTheirLanesDo) {
    TwoRouters net(LaneBalancerKind::dynamic);
    const ChannelsTowards first = net.towards(0), second = net.towards(1);
    ASSERT_TRUE(first.any() && second.any());
    const auto lanes_of = [&](const ChannelsTowards& towards) { return towards.flits(16, net.channels()); };
    EXPECT_DOUBLE_EQ(lanes_of(first), kLanes);
    EXPECT_DOUBLE_EQ(lanes_of(second), kLanes);
    net.run(2 * kSample - 1, true, false);
    EXPECT_DOUBLE_EQ(lanes_of(second), kLanes + 1) << "channel 0 leads there";
    EXPECT_DOUBLE_EQ(lanes_of(first), kLanes - 1);
    net.run(3 * kSample, true, false);
    EXPECT_DOUBLE_EQ(lanes_of(second), 2 * kLanes - 1);
    EXPECT_DOUBLE_EQ(lanes_of(first), 1);
    net.launch();
    net.run(500, false, false);
    EXPECT_DOUBLE_EQ(lanes_of(first), kLanes);
}

TEST(TurningChannels, TowardsAPackageTakeWhatTheirFormatMakesOfAPacket) {
    EXPECT_EQ(TwoRouters(LaneBalancerKind::dynamic).towards(0).wire_bytes(136, 32), 160U) << "whole flits";
    EXPECT_EQ(TwoRouters(LaneBalancerKind::dynamic, {12, 4, 32}).towards(0).wire_bytes(136, 32), 148U);
}

/// Two sockets joined by a channel without a switch; all of socket 1's blocks read what socket 0 holds.
SystemConfig two_sockets(LaneBalancerKind balancer) {
    SystemConfig c = fabric_system(2, FabricKind::wires);
    NetworkLink link;
    link.name = "lanes";
    link.gbytes_per_s = 16;
    link.lanes = 8;
    link.balancer = balancer;
    link.sample_ns = 500;
    link.switch_ns = 20;
    c.network.links = {link};
    c.network.wires = {{"socket[0]", "socket[1]", "", "lanes", 1}};
    return c;
}

/// The statistics of a run in which every second block reads lines of socket 0 alone.
nlohmann::json reads_of_socket_0(LaneBalancerKind balancer) {
    return run_apart([balancer] {
        const CodeOf read = [](std::uint64_t block, unsigned) {
            WarpCode code;
            if (block % 2 == 1) // interleaved lines: even ones are socket 0's
                for (unsigned i = 0; i < 64; ++i)
                    code.push_back(load(kHandBase + (block * 64 + i) * 2 * kLineBytes, 2));
            return code;
        };
        const Workload workload = hand_workload({hand_launch("read", 64, 4, read)});
        SystemConfig c = two_sockets(balancer);
        c.network.links.front().gbytes_per_s = 2; // less than the loads in flight ask for
        System system(c, workload);
        system.run();
        return nlohmann::json(system.stats().values());
    });
}

TEST(TurningChannels, OfASystemSpeedUpWhatFlowsOneWay) {
    const nlohmann::json fixed = reads_of_socket_0(LaneBalancerKind::fixed);
    const nlohmann::json dynamic = reads_of_socket_0(LaneBalancerKind::dynamic);
    EXPECT_EQ(stat(fixed, "network.channel0.lane_turns"), 0U);
    EXPECT_GT(stat(dynamic, "network.channel0.lane_turns"), 0U);
    EXPECT_LT(stat(dynamic, "system.cycles"), stat(fixed, "system.cycles"));
}

/// What the controller of the ways takes for the bandwidth towards its socket: the link's, or that of the channels
/// behind it where these are narrower, as their lanes face.
TEST(TurningChannels, BoundTheBandwidthThatWaysFollow) {
    const auto way_changes = [](double channel_gbytes_per_s) {
        return run_apart([=] {
                   const CodeOf read = [](std::uint64_t block, unsigned warp) {
                       WarpCode code;
                       if (block % 2 == 1) // interleaved lines: even ones are socket 0's
                           for (unsigned i = 0; i < 200; ++i)
                               code.push_back(
                                   load_past_l1(kHandBase + ((block * 4 + warp) * 200 + i) * 2 * kLineBytes, 2));
                       return code;
                   };
                   const Workload workload = hand_workload({hand_launch("read", 64, 4, read)});
                   SystemConfig c = two_sockets(LaneBalancerKind::fixed);
                   c.network.links.front().gbytes_per_s = channel_gbytes_per_s;
                   c.network.links.front().lanes = 0;
                   c.link.lane_gbps = 400; // never full
                   c.socket.l2.organisation = L2Organisation::numa_aware;
                   c.socket.partition.controller = WayPartitionKind::numa_aware;
                   c.socket.partition.sample_cycles = 500;
                   c.validate(Place("two"));
                   System system(c, workload);
                   system.run();
                   return nlohmann::json(stat(nlohmann::json(system.stats().values()), "socket1.ways.changes"));
               })
            .get<unsigned>();
    };
    EXPECT_GT(way_changes(2), 0U);
    EXPECT_EQ(way_changes(64), 0U) << "it carries more than the reads ask for";
}

TEST(TurningChannels, KeepValuesAtAnyDepth) {
    for (const unsigned seed : {1U, 2U, 3U})
        for (const bool least : {false, true})
            EXPECT_EQ(run_apart([=] {
                          SystemConfig c = two_sockets(LaneBalancerKind::dynamic);
                          if (least) set_least_depths(c);
                          return nlohmann::json(run_values(c, seed, {}));
                      }),
                      "")
                << seed << (least ? " at least depths" : "");
}

/// The paper's machine with packets from end to end, as its file says.
TEST(TurningChannels, OfTheNumaAwareGpuKeepValues) {
    const std::string file = source_dir() + "/configs/systems/topologies/numa-aware-4-packets.json";
    EXPECT_EQ(run_apart([&] { return nlohmann::json(run_values(load_system(file), 1, {})); }), "");
}

TEST(TurningChannels, OrderOfConstructionAndOfDeliveriesChangesNothing) {
    const auto run = [](std::uint64_t build, std::optional<std::uint64_t> deliveries) {
        return run_apart([=] {
            RandomProgram program(5, {});
            SystemOptions options;
            options.hooks = &program;
            options.order_seed = build;
            options.shuffle_seed = deliveries;
            System system(two_sockets(LaneBalancerKind::dynamic), program.workload(), options);
            system.run();
            return nlohmann::json(system.stats().values());
        });
    };
    const nlohmann::json first = run(0, std::nullopt);
    EXPECT_GT(stat(first, "network.channel0.lane_turns"), 0U);
    EXPECT_EQ(first, run(3, std::nullopt));
    EXPECT_EQ(first, run(0, 1));
}

TEST(TurningChannels, RefuseWhatCannotTurn) {
    const auto sentence = [](const std::function<void(NetworkLink&)>& change) -> std::string {
        SystemConfig c = two_sockets(LaneBalancerKind::dynamic);
        change(c.network.links.front());
        try {
            system_network(c, Place("file"));
        } catch (const ConfigError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(sentence([](NetworkLink&) {}), "");
    EXPECT_NE(
        sentence([](NetworkLink& l) { l.lanes = 0; }).find("$.network.links[0].balancer: the link is not made of"),
        std::string::npos);
    EXPECT_NE(
        sentence([](NetworkLink& l) { l.gbytes_per_s = 40; }).find("15 of 16 lanes that turn would carry 75 GB/s"),
        std::string::npos);
    EXPECT_NE(sentence([](NetworkLink& l) { l.gbytes_per_s = 0.1; }).find("on the one lane that is left of 8"),
              std::string::npos);
}

} // namespace
} // namespace numavp::test
