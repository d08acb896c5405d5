/// Latencies of an idle system to the cycle, and peak bandwidths within 1 %, from configuration values alone.
///
/// The sums name their parts. A packet of b bytes leaves an idle output of B bytes a cycle after ceil(b / B) cycles.
#include <algorithm>
#include <cmath>
#include <functional>
#include <ostream>
#include <string>

#include <gtest/gtest.h>

#include "platform/machine/system.h"
#include "tests/support/fast_build.h"
#include "tests/support/hand_kernel.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

using nlohmann::json;

/// Table 1 with few SMs, a checker on every wire and no launch latency.
SystemConfig table_1(unsigned sockets, L2Organisation organisation = L2Organisation::memory_side) {
    SystemConfig c;
    c.sockets = sockets;
    c.socket.sms = 2;
    c.socket.l2.organisation = organisation;
    c.dispatch.launch_cycles = 0;
    c.checks.protocol = true;
    return c;
}

std::uint64_t ceil_div(double bytes, double bytes_per_cycle) {
    return static_cast<std::uint64_t>(std::ceil(bytes / bytes_per_cycle - 1e-9));
}

/// The parts of an idle load's way, in cycles.
struct Way {
    explicit Way(const SystemConfig& config) : c(config) {}
    const SystemConfig& c;
    std::uint64_t request = c.packets.header_bytes;
    std::uint64_t data = c.packets.header_bytes + kLineBytes;
    double per_cycle(double gbps) const { return gbps * 1e6 / static_cast<double>(c.clock_khz); }
    std::uint64_t cycles(std::uint64_t bytes, double bytes_per_cycle) const {
        return ceil_div(static_cast<double>(bytes), bytes_per_cycle);
    }

    /// From the L1's look-up to the crossbar: the SM's port carries the request, the miss takes its time.
    std::uint64_t sm() const {
        return cycles(request, c.socket.noc.request_bytes_per_cycle) + c.socket.sm.l1.miss_cycles;
    }
    std::uint64_t noc_request() const {
        return cycles(request, c.socket.noc.request_bytes_per_cycle) + c.socket.noc.latency_cycles;
    }
    std::uint64_t noc_response() const {
        return cycles(data, c.socket.noc.response_bytes_per_cycle) + c.socket.noc.latency_cycles;
    }
    /// The crossbar's port to the link is as wide as all lanes, if they are more than another port.
    std::uint64_t noc_to_link(std::uint64_t bytes) const {
        const double lanes = (c.link.lanes_out + c.link.lanes_in) * per_cycle(c.link.lane_gbps);
        const double others = std::max(c.socket.noc.request_bytes_per_cycle, c.socket.noc.response_bytes_per_cycle);
        return cycles(bytes, std::max(lanes, others)) + c.socket.noc.latency_cycles;
    }
    std::uint64_t slice_data() const { return cycles(data, c.socket.l2.bytes_per_cycle); }
    std::uint64_t slice_hit() const { return c.socket.l2.hit_cycles + slice_data(); }
    std::uint64_t memory() const {
        const MemoryConfig& m = c.socket.memory;
        return cycles(kLineBytes, per_cycle(m.bandwidth_gbps) / m.channels) +
               static_cast<std::uint64_t>(std::ceil(m.latency_ns * static_cast<double>(c.clock_khz) / 1e6 - 1e-9));
    }
    /// A miss: decided, fetched, and the line goes to the response.
    std::uint64_t slice_miss(std::uint64_t fetch) const {
        return c.socket.l2.miss_cycles + fetch + c.socket.l2.fill_cycles + slice_data();
    }
    /// Up a link, through the switch, down a link: 128 cycles in Table 1, and what the packet's bytes take.
    std::uint64_t between_sockets(std::uint64_t bytes) const {
        const double lane = per_cycle(c.link.lane_gbps);
        return cycles(bytes, c.link.lanes_out * lane) + c.link.latency_cycles +
               cycles(bytes, (c.link.lanes_out + c.link.lanes_in) * lane) + c.switch_.latency_cycles +
               cycles(bytes, c.link.lanes_in * lane) + c.link.latency_cycles;
    }

    std::uint64_t local(std::uint64_t slice) const { return sm() + noc_request() + slice + noc_response(); }
    /// From the link's input at the requester to the line being back there; `slice` is the home's.
    std::uint64_t round_trip(std::uint64_t slice) const {
        return between_sockets(request) + noc_request() + slice + noc_to_link(data) + between_sockets(data);
    }
};

/// One warp on socket 0 loads a line, then, when it has come, loads it again past the L1. Another line of the same
/// page was touched before by the last socket, if `remote`, so that the page lives there.
json two_loads(const SystemConfig& config, bool remote) {
    const std::uint64_t last = config.sockets - 1;
    const Workload workload =
        hand_workload({hand_launch("touch", config.sockets, 1,
                                   [=](std::uint64_t block, unsigned) {
                                       return block == (remote ? last : 0) ? WarpCode{load(kHandBase)} : WarpCode{};
                                   }),
                       hand_launch("measure", config.sockets, 1, [](std::uint64_t block, unsigned) {
                           const std::uint64_t line = kHandBase + 5 * kLineBytes;
                           return block == 0 ? WarpCode{load(line, 1), load_past_l1(line, 2, 1)} : WarpCode{};
                       })});
    System system(config, workload);
    system.run();
    return system.stats().values();
}

void expect_latencies(const SystemConfig& config, bool remote, std::uint64_t first, std::uint64_t second) {
    const json values = two_loads(config, remote);
    const std::string place = std::string("socket0.load_latency.") + (remote ? "remote" : "local");
    const std::uint64_t cycle_ps = 1'000'000'000 / config.clock_khz;
    // Without `remote` the touch is a load of socket 0, of the same length as the first.
    EXPECT_EQ(stat(values, place + ".loads"), remote ? 2U : 3U);
    EXPECT_EQ(stat(values, place + ".max_ps"), first * cycle_ps);
    EXPECT_EQ(stat(values, place + ".min_ps"), second * cycle_ps);
}

TEST(IdleLatency, OfTable1IsTheOneThatTheSumsGive) {
    // The sums of this file with the numbers put in, so that a fault in both is seen:
    // SM 1+4, crossbar 1+8, slice 120+3 or 20+106+20+3, crossbar 3+8.
    const SystemConfig c = table_1(2);
    const Way way(c);
    EXPECT_EQ(way.local(way.slice_hit()), 5U + 9 + 123 + 11);
    EXPECT_EQ(way.local(way.slice_miss(way.memory())), 5U + 9 + 149 + 11);
    EXPECT_EQ(way.between_sockets(way.request), 128U + 3);
    EXPECT_EQ(way.between_sockets(way.data), 128U + 3 + 2 + 3);
}

TEST(IdleLatency, LocalMissesAndHitsInTheL2) {
    const SystemConfig c = table_1(1);
    const Way way(c);
    expect_latencies(c, false, way.local(way.slice_miss(way.memory())), way.local(way.slice_hit()));
}

TEST(IdleLatency, RemoteLoadsAreServedByTheHomeInTheMemorySideOrganisation) {
    const SystemConfig c = table_1(2);
    const Way way(c);
    const auto remote = [&](std::uint64_t slice) {
        return way.sm() + way.noc_to_link(way.request) + way.round_trip(slice) + way.noc_response();
    };
    expect_latencies(c, true, remote(way.slice_miss(way.memory())), remote(way.slice_hit()));
}

TEST(IdleLatency, RemoteLoadsGoThroughTheRequestersL2InTheCoherentOrganisation) {
    const SystemConfig c = table_1(2, L2Organisation::coherent);
    const Way way(c);
    const std::uint64_t fetch = way.round_trip(way.slice_miss(way.memory()));
    expect_latencies(c, true, way.local(way.slice_miss(fetch)), way.local(way.slice_hit()));
}

TEST(IdleLatency, AnotherConfigurationObeysTheSameSums) {
    SystemConfig c = table_1(3, L2Organisation::numa_aware);
    c.clock_khz = 1'250'000;
    c.packets.header_bytes = 16;
    c.socket.sm.l1.miss_cycles = 7;
    c.socket.noc.request_bytes_per_cycle = 8;
    c.socket.noc.response_bytes_per_cycle = 32;
    c.socket.noc.latency_cycles = 13;
    c.socket.l2.miss_cycles = 9;
    c.socket.l2.fill_cycles = 31;
    c.socket.l2.bytes_per_cycle = 48;
    c.socket.memory.latency_ns = 77.0;
    c.link.lanes_out = 3;
    c.link.lanes_in = 5;
    c.link.latency_cycles = 40;
    c.switch_.latency_cycles = 21;
    const Way way(c);
    const std::uint64_t fetch = way.round_trip(way.slice_miss(way.memory()));
    expect_latencies(c, true, way.local(way.slice_miss(fetch)), way.local(way.slice_hit()));
}

TEST(IdleLatency, AnL1HitTakesTheLookUpAndTheHitCycles) {
    const SystemConfig c = table_1(1);
    const auto cycles_of = [&](unsigned loads) {
        return run_apart([&c, loads] {
                   const Workload workload =
                       hand_workload({hand_launch("chain", 1, 1, [loads](std::uint64_t, unsigned) {
                           return WarpCode(loads, load(kHandBase, 1, 1)); // each waits for the one before
                       })});
                   System system(c, workload);
                   system.run();
                   EXPECT_EQ(stat(system.stats().values(), "socket0.l1.hits"), loads - 1U);
                   return json(kernel_cycles(system, "chain"));
               })
            .get<std::uint64_t>();
    };
    // Issue, look-up on the next cycle, then the configured time to use.
    const std::uint64_t one_hit = 1 + c.socket.sm.l1.hit_cycles;
    const std::uint64_t few = cycles_of(100);
    const std::uint64_t many = cycles_of(300);
    // The last load of a chain is waited for by nobody, so that both chains end alike.
    EXPECT_EQ(many - few, 200 * one_hit);
}

// --- peak bandwidth

/// The same for millions of packets.
SystemConfig table_1_under_load(unsigned sockets) {
    SystemConfig c = table_1(sockets);
    c.checks.protocol = kFastBuild;
    return c;
}

/// Blocks on socket 0 make accesses, all independent; before, the last socket has touched the memory if `remote`.
struct Stream {
    const char* name;
    std::function<void(SystemConfig&)> change;
    bool remote = false;
    Op op = Op::load;
    unsigned warps = 32;
    unsigned accesses = 800; ///< of a warp
    std::uint64_t lines = 0; ///< of all warps together, again and again; 0: each its own
    bool bypass_l1 = false;
    std::function<std::uint64_t(const json&)> bytes; ///< that the bottleneck has carried
    double bytes_per_cycle = 0;                      ///< what it is expected to carry
};
std::ostream& operator<<(std::ostream& out, const Stream& stream) { return out << stream.name; }

struct Measured {
    json values;
    double cycles = 0;
};

Measured run_stream(const Stream& stream, SystemConfig config, const SystemOptions& options = {}) {
    if (stream.change) stream.change(config);
    const unsigned n = stream.accesses, warps = stream.warps;
    const std::uint64_t lines = stream.lines ? stream.lines : std::uint64_t{n} * warps * config.socket.sms;
    const std::uint64_t blocks = config.socket.sms, all = blocks * config.sockets;
    const auto line_of = [lines](std::uint64_t i) { return kHandBase + i % lines * kLineBytes; };
    std::vector<Launch> launches;
    const std::uint64_t page = config.placement.page_kib * std::uint64_t{1024};
    launches.push_back(hand_launch("touch", all, 1, [=](std::uint64_t block, unsigned) {
        WarpCode code;
        if (block != (stream.remote ? all - 1 : 0)) return code;
        // With a footprint of its own the last line of each page, else all lines, so that they are in the L2.
        const std::uint64_t step = stream.lines ? kLineBytes : page;
        for (std::uint64_t at = 0; at < lines * kLineBytes; at += step) code.push_back(load_past_l1(kHandBase + at));
        return code;
    }));
    launches.push_back(hand_launch("stream", all, warps, [=](std::uint64_t block, unsigned warp) {
        WarpCode code;
        if (block >= blocks) return code;
        Inst inst = memory_inst(stream.op, 0);
        inst.bypass_l1 = stream.bypass_l1;
        for (std::uint64_t i = 0; i < n; ++i) {
            inst.base = line_of((i * warps + warp) * blocks + block);
            code.push_back(inst);
        }
        return code;
    }));
    const Workload workload = hand_workload(std::move(launches));
    System system(config, workload, options);
    system.run();
    return {system.stats().values(), static_cast<double>(kernel_cycles(system, "stream"))};
}

std::uint64_t sum_of(const json& values, std::initializer_list<const char*> paths) {
    std::uint64_t sum = 0;
    for (const char* path : paths) sum += stat(values, path);
    return sum;
}

class PeakBandwidth : public ::testing::TestWithParam<Stream> {};

TEST_P(PeakBandwidth, IsReachedWithinAPercent) {
    const Stream& stream = GetParam();
    SystemConfig config = table_1_under_load(stream.remote ? 2 : 1);
    const Measured m = run_stream(stream, config);
    const double rate = static_cast<double>(stream.bytes(m.values)) / m.cycles;
    RecordProperty("bytes_per_cycle", std::to_string(rate));
    EXPECT_LE(rate, stream.bytes_per_cycle * 1.001);
    EXPECT_GE(rate, stream.bytes_per_cycle * 0.99);
}

void one_slice(SystemConfig& c) {
    c.socket.l2.slices = c.socket.memory.channels = 1;
    c.socket.l2.size_kib = 128;
    c.socket.memory.bandwidth_gbps = 24.0;
}
void one_lane(SystemConfig& c) {
    c.link.lanes_in = c.link.lanes_out = 1;
    c.switch_.total_gbps = 64.0; // else it is that of the lanes, for requests and responses together
}
std::uint64_t memory_bytes(const json& v) {
    return sum_of(v, {"socket0.memory.read_bytes", "socket0.memory.write_bytes"});
}
std::uint64_t link_in(const json& v) { return stat(v, "socket0.link.in.bytes"); }
std::uint64_t link_out(const json& v) { return stat(v, "socket0.link.out.bytes"); }
// Less the 4096 lines that were brought into the L2 before.
std::uint64_t sm_response_bytes(const json& v) { return 136 * (stat(v, "socket0.l1.misses_local") - 4096); }
std::uint64_t slice_request_bytes(const json& v) { return 136 * stat(v, "socket0.l2.writes"); }

INSTANTIATE_TEST_SUITE_P(All, PeakBandwidth,
                         ::testing::Values(
                             // Lines past the L1 that are new to the L2: 24 GB/s of 128-byte lines.
                             Stream{"channel_read", one_slice, false, Op::load, 8, 1200, 0, false, memory_bytes, 24.0},
                             // Whole lines written through.
                             Stream{"channel_write",
                                    [](SystemConfig& c) {
                                        one_slice(c);
                                        c.socket.l2.write_policy = WritePolicy::write_through;
                                    },
                                    false, Op::store, 8, 1200, 0, false, memory_bytes, 24.0},
                             // 136 bytes a line come in, or go out, at 8 GB/s.
                             Stream{"lane_in", one_lane, true, Op::load, 8, 600, 0, false, link_in, 8.0},
                             Stream{"lane_out", one_lane, true, Op::store, 8, 600, 0, false, link_out, 8.0},
                             Stream{"link_in", [](SystemConfig& c) { c.socket.sms = 8; }, true, Op::load, 32, 400, 0,
                                    false, link_in, 64.0},
                             Stream{"link_out", [](SystemConfig& c) { c.socket.sms = 8; }, true, Op::store, 32, 400, 0,
                                    false, link_out, 64.0},
                             // All slices answer one SM with lines that they hold.
                             Stream{"crossbar_to_an_sm", [](SystemConfig& c) { c.socket.sms = 1; }, false, Op::load, 32,
                                    2000, 4096, true, sm_response_bytes, 64.0},
                             // All SMs write lines that one slice holds.
                             Stream{"crossbar_to_a_slice",
                                    [](SystemConfig& c) {
                                        one_slice(c);
                                        c.socket.sms = 4;
                                    },
                                    false, Op::store, 16, 1000, 256, false, slice_request_bytes, 64.0}),
                         [](const auto& param) { return std::string(param.param.name); });

TEST(PeakBandwidthOfTheSwitch, IsSharedByAllWhoWriteEachOther) {
    SystemConfig config = table_1_under_load(4);
    config.socket.sms = 8;
    config.placement.policy = PlacementKind::line_interleave;
    constexpr unsigned kWarps = 32, kLoads = 200;
    const Workload workload =
        hand_workload({hand_launch("all_to_all", 32, kWarps, [](std::uint64_t block, unsigned warp) {
            WarpCode code;
            for (std::uint64_t i = 0; i < kLoads; ++i)
                code.push_back(load(kHandBase + ((block * kWarps + warp) * kLoads + i) * kLineBytes));
            return code;
        })});
    config.switch_.total_gbps = 100.0;
    System system(config, workload);
    system.run();
    const json values = system.stats().values();
    std::uint64_t bytes = 0;
    for (unsigned s = 0; s < 4; ++s) bytes += stat(values, "socket" + std::to_string(s) + ".link.out.bytes");
    const double rate = static_cast<double>(bytes) / static_cast<double>(kernel_cycles(system, "all_to_all"));
    RecordProperty("bytes_per_cycle", std::to_string(rate));
    EXPECT_LE(rate, 100.1);
    EXPECT_GE(rate, 99.0);
}

TEST(RemoteReads, FillADirectionOf64GigabytesASecond) {
    SystemConfig config = table_1_under_load(2);
    config.socket.sms = 8;
    Stream stream;
    stream.remote = true;
    const Measured m = run_stream(stream, config);
    // Of 136 bytes of a packet 128 are the line.
    const double lines = static_cast<double>(stat(m.values, "socket0.l1.misses_remote") * kLineBytes) / m.cycles;
    RecordProperty("line_gbps", std::to_string(lines));
    EXPECT_NEAR(lines, 64.0 * 128 / 136, 60.2 * 0.02);
}

TEST(RemoteReads, GainSevenQuartersFromLanesTurnedAtBothEndsOfTheirPath) {
    SystemConfig config = table_1_under_load(2);
    config.socket.sms = 8;
    Stream stream;
    stream.remote = true;
    stream.accesses = 1200;
    SystemOptions options;
    options.lanes = [](unsigned socket) { return socket == 0 ? LaneSplit{2, 14} : LaneSplit{14, 2}; };
    const Measured m = run_stream(stream, config, options);
    const double lines = static_cast<double>(stat(m.values, "socket0.l1.misses_remote") * kLineBytes) / m.cycles;
    RecordProperty("line_gbps", std::to_string(lines));
    EXPECT_NEAR(lines, 1.75 * 64.0 * 128 / 136, 1.75 * 60.2 * 0.02);
}

class BlocksPerCycle : public ::testing::TestWithParam<unsigned> {};

/// A GPU of all resources scaled starts as many blocks a cycle as the sockets that it stands for.
TEST_P(BlocksPerCycle, GrowWithTheGpu) {
    SystemConfig config = table_1(1);
    config.socket.sms = 16;
    config.scale = GetParam();
    constexpr unsigned blocks = 8000;
    const Workload workload =
        hand_workload({hand_launch("brief", blocks, 1, [](std::uint64_t, unsigned) { return WarpCode{}; })});
    System system(config, workload);
    system.run();
    EXPECT_NEAR(static_cast<double>(system.cycles()), 1.0 * blocks / GetParam(), 100.0);
}
INSTANTIATE_TEST_SUITE_P(Scales, BlocksPerCycle, ::testing::Values(1U, 2U, 4U),
                         [](const auto& param) { return "scale" + std::to_string(param.param); });

} // namespace
} // namespace numavp::test
