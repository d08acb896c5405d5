/// AXI4 manager and Verilated memory on bare pins: whole, and with faults of either side put between them, each of
/// which the monitor must name, or the comparison of values where no rule of the pins is broken.
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "rtl/blocks.h"
#include "tests/support/fast_build.h"
#include "tests/support/needs.h"
#include "tests/tlm-links/axi4_pin_loop.h"

namespace numavp::test {
namespace {

class Axi4PinsKept : public ::testing::TestWithParam<std::tuple<Axi4ManagerConfig, unsigned>> {};

TEST_P(Axi4PinsKept, ByBothSides) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    const auto& [config, stall] = GetParam();
    const unsigned count = of_campaign(84'000); // a million in all
    rtl::Axi4RamBlock ram(stall);
    PinLoop loop(ram, config, stall);
    loop.run(count, 1'000ULL * count);
    EXPECT_EQ(loop.done, count);
    EXPECT_EQ(loop.wrong, 0U);
    EXPECT_FALSE(loop.manager_objects);
    EXPECT_EQ(loop.monitor.breaches(), std::vector<std::string>{});
}
INSTANTIATE_TEST_SUITE_P(All, Axi4PinsKept,
                         ::testing::Combine(::testing::Values(Axi4ManagerConfig{}, Axi4ManagerConfig{16, 4, 1, 1},
                                                              Axi4ManagerConfig{1, 1, 1, 64},
                                                              Axi4ManagerConfig{4, 16, 8, 16}),
                                            ::testing::Values(0U, 64U, 230U)));

/// Lines of 128 bytes, one after the other, reads or writes: edges until all are done.
unsigned edges_for_lines(bool write, unsigned lines) {
    rtl::Axi4RamBlock ram;
    Axi4Manager manager({});
    std::vector<Axi4Access> accesses(lines);
    unsigned begun = 0;
    unsigned done = 0;
    unsigned edges = 0;
    for (; done < lines && edges < 100'000; ++edges) {
        for (; begun < lines && manager.can_take(); ++begun) {
            accesses[begun].write = write;
            accesses[begun].address = begun * 128 % rtl::Axi4RamBlock::kBytes;
            accesses[begun].bytes.resize(128);
            manager.take(accesses[begun]);
        }
        manager.edge(ram.pins());
        ram.edge();
        ram.settle(manager.pins());
        while (manager.pop_finished()) ++done;
    }
    return edges;
}

TEST(Axi4Pins, CarryABeatNearlyEveryCycle) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    constexpr unsigned kLines = 5'000;
    EXPECT_LE(edges_for_lines(false, kLines), 2 * kLines * 100 / 98);
    EXPECT_LE(edges_for_lines(true, kLines), 2 * kLines * 100 / 98);
    EXPECT_GE(edges_for_lines(false, kLines), 2 * kLines); // no beat is wider than the pins
}

void expect_noticed(const std::vector<PinFault>& faults) {
    for (const PinFault& fault : faults) {
        SCOPED_TRACE(fault.what);
        rtl::Axi4RamBlock ram(120);
        PinLoop loop(ram, {16, 4, 1, 64}, 3);
        fault.put_into(loop);
        loop.run(500, 200'000);
        if (fault.rule) {
            ASSERT_FALSE(loop.monitor.breaches().empty());
            EXPECT_NE(loop.monitor.breaches()[0].find(fault.rule), std::string::npos) << loop.monitor.breaches()[0];
        } else {
            EXPECT_EQ(loop.monitor.breaches(), std::vector<std::string>{});
            EXPECT_GT(loop.wrong, 0U);
        }
    }
}

TEST(Axi4Monitor, NamesTheFaultsOfManagers) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    expect_noticed(faults_of_managers());
}

TEST(Axi4Monitor, NamesTheFaultsOfSubordinates) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    expect_noticed(faults_of_subordinates());
}

} // namespace
} // namespace numavp::test
