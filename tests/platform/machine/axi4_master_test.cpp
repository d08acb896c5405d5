/// An RTL manager on core-side ports of a small system, through the bridge from AXI4, while kernels run: every value
/// that it reads is what it wrote, and so is every value of the kernels.
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/values/address_layout.h"
#include "platform/machine/system.h"
#include "rtl/axi4_master_block.h"
#include "rtl/blocks.h"
#include "tests/platform/machine/random_program.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/needs.h"
#include "tlm-links/axi/axi4_monitor.h"
#include "tlm-links/axi/axi4_to_tlm.h"

namespace numavp::test {
namespace {

constexpr unsigned kBursts = 1'500;
constexpr std::uint64_t kFarFromKernels = 512ULL << 20; ///< in a socket's memory

/// A manager on a port of a socket; its memory is that of `home`.
struct Engine {
    Engine(unsigned number, unsigned stall, unsigned most_beats, std::uint64_t home, const ClockDomain& clock)
        : master({number + 1, 0, kBursts, 200, stall, most_beats}),
          bridge(("engine" + std::to_string(number)).c_str(), {{}, home + kFarFromKernels}, clock, master) {
        bridge.observe([this](const auto& m, const auto& s) { monitor.observe(m, s); });
    }
    rtl::Axi4MasterBlock master;
    Axi4Monitor monitor;
    Axi4ToTlm bridge;
};

class Axi4MasterOnPlatform : public ::testing::TestWithParam<L2Organisation> {};

TEST_P(Axi4MasterOnPlatform, ReadsWhatItHasWritten) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    SystemConfig config = small_system(2);
    config.socket.l2.organisation = GetParam();
    RandomProgramShape shape;
    shape.blocks = 12;
    shape.accesses = 20;
    RandomProgram program(3, shape);
    const AddressLayout layout(config.sockets, std::uint64_t{config.socket.memory.capacity_gib} << 30);

    Clockwork rtl_clock("rtl_clock");
    const ClockDomain& clock = rtl_clock.domain(900'000); // other edges than the platform's
    SystemOptions options;
    options.hooks = &program;
    options.core_ports = 1;
    System system(config, program.workload(), options);
    std::vector<std::unique_ptr<Engine>> engines;
    for (unsigned socket = 0; socket < 2; ++socket) { // each writes to the memory of the other
        engines.push_back(std::make_unique<Engine>(socket, 80 * socket, 1 + 15 * socket,
                                                   layout.address(MemoryId(1 - socket), 0), clock));
        engines.back()->bridge.socket.bind(system.core_port(socket, 0));
    }
    system.run(); // until the kernels have ended
    for (const auto& engine : engines) EXPECT_GT(engine->master.answered(), 50U) << "beside the kernels";
    const auto idle = [&] { return engines[0]->master.idle() && engines[1]->master.idle(); };
    for (int i = 0; i < 1000 && !idle(); ++i) system.run_for(10'000);
    system.run(); // nothing may be under way or lost

    EXPECT_EQ(program.wrong_loads(), "");
    for (const auto& engine : engines) {
        EXPECT_EQ(engine->master.answered(), kBursts);
        EXPECT_EQ(engine->master.wrong(), 0U);
        EXPECT_TRUE(engine->bridge.empty());
        engine->monitor.finish();
        EXPECT_EQ(engine->monitor.breaches(), std::vector<std::string>{});
        const std::uint64_t cycles = engine->bridge.cycles();
        system.run_for(1'000);
        EXPECT_EQ(engine->bridge.cycles(), cycles) << "its clock stands";
    }
}
INSTANTIATE_TEST_SUITE_P(All, Axi4MasterOnPlatform,
                         ::testing::Values(L2Organisation::memory_side, L2Organisation::numa_aware));

} // namespace
} // namespace numavp::test
