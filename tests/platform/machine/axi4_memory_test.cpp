/// A system of four sockets whose first one has RTL memory behind AXI4 in place of its channels, a bridge each: random
/// programs see the right values, and the pins keep to the protocol.
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "platform/machine/system.h"
#include "rtl/blocks.h"
#include "tests/platform/machine/random_program.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/needs.h"
#include "tlm-links/axi/axi4_monitor.h"
#include "tlm-links/axi/tlm_to_axi4.h"

namespace numavp::test {
namespace {

struct Channel {
    Channel(unsigned index, unsigned stall, const ClockDomain& clock)
        : ram(stall),
          bridge(("axi" + std::to_string(index)).c_str(), {{}, {0, rtl::Axi4RamBlock::kBytes}}, clock, ram) {
        bridge.observe([this](const auto& m, const auto& s) { monitor.observe(m, s); });
    }
    rtl::Axi4RamBlock ram; // of all addresses of the socket; its channel's lines are used
    Axi4Monitor monitor;
    TlmToAxi4 bridge;
};

class Axi4Memory : public ::testing::TestWithParam<unsigned> {};

TEST_P(Axi4Memory, BehindASocketOfFourGivesRightValues) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    SystemConfig config = small_system(4);
    config.socket.l2.organisation = L2Organisation::numa_aware;
    config.link.balancer = LaneBalancerKind::dynamic_rtl;
    config.socket.partition.controller = WayPartitionKind::numa_aware_rtl;
    config.placement.page_kib = 4;
    RandomProgramShape shape;
    shape.blocks = 12;
    shape.accesses = 20;
    shape.lines = 384; // 48 KiB of the memory's 64
    RandomProgram program(GetParam(), shape);

    Clockwork memory_clock("memory_clock");
    const ClockDomain& clock = memory_clock.domain(config.clock_khz);
    std::vector<std::unique_ptr<Channel>> channels;
    SystemOptions options;
    options.hooks = &program;
    options.foreign_memory = [&](unsigned socket, unsigned) -> tlm::tlm_target_socket<>* {
        if (socket != 0) return nullptr;
        channels.push_back(std::make_unique<Channel>(static_cast<unsigned>(channels.size()), GetParam() * 100, clock));
        return &channels.back()->bridge.socket;
    };
    System system(config, program.workload(), options);
    system.run();

    EXPECT_EQ(program.wrong_in(system), "");
    ASSERT_EQ(channels.size(), config.socket.memory.channels);
    for (const auto& channel : channels) {
        channel->monitor.finish();
        EXPECT_EQ(channel->monitor.breaches(), std::vector<std::string>{});
        EXPECT_GT(channel->monitor.edges(), 100U);
        EXPECT_TRUE(channel->bridge.empty());
    }
}
INSTANTIATE_TEST_SUITE_P(Stalls, Axi4Memory, ::testing::Range(0U, 3U));

} // namespace
} // namespace numavp::test
