/// Energy of a machine by component: what it sums to, what it follows from, and that kernels share it.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "models/energy/wire_energy.h"
#include "platform/machine/system.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/hand_kernel.h"
#include "tests/support/kernel_sums.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

using nlohmann::json;

constexpr std::uint64_t kLines = 48;

/// A block of each socket loads lines, some of them twice, and stores some.
Workload loads_and_stores() {
    const auto code = [](std::uint64_t block, unsigned) {
        WarpCode warp;
        for (std::uint64_t i = 0; i < kLines; ++i) warp.push_back(load(kHandBase + (block * kLines + i) * kLineBytes));
        for (std::uint64_t i = 0; i < 4; ++i) warp.push_back(store(kHandBase + (block * kLines + i) * kLineBytes));
        for (std::uint64_t i = kLines - 2; i < kLines; ++i)
            warp.push_back(load(kHandBase + (block * kLines + i) * kLineBytes));
        return warp;
    };
    return hand_workload({hand_launch("first", 2, 1, code), hand_launch("second", 2, 1, code)});
}

SystemConfig counted(unsigned sockets) {
    SystemConfig c = small_system(sockets);
    c.energy.model = EnergyModel::events;
    c.energy.noc.form = NocForm::crossbars;
    return c;
}

json values_of(const SystemConfig& config) {
    return run_apart([&config] {
        const Workload workload = loads_and_stores();
        System system(config, workload);
        system.run();
        json values = json(system.stats().values());
        values["wrong"] = wrong_sums(system);
        return values;
    });
}

double energy(const json& values, const char* name) { return values["energy"][name].get<double>(); }

TEST(SystemEnergy, IsTheSumOfItsComponentsAndKernelsShareIt) {
    for (const unsigned sockets : {1U, 2U}) {
        const json values = values_of(counted(sockets));
        double sum = 0;
        for (const auto& [name, value] : values["energy"].items())
            if (value.is_number() && name != "total_pj") sum += value.get<double>();
        EXPECT_NEAR(energy(values, "total_pj"), sum, 1e-6 * sum);
        const json& noc = values["energy"]["noc"];
        EXPECT_DOUBLE_EQ(energy(values, "noc_pj"), noc["routers_pj"].get<double>() + noc["wires_pj"].get<double>() +
                                                       noc["static_pj"].get<double>());
        EXPECT_EQ(values["wrong"], "") << sockets;
        EXPECT_EQ(energy(values, "links_pj"), values["system"]["link_energy_pj"].get<double>());
    }
}

TEST(SystemEnergy, OfTimeIsPowerTimesTime) {
    const SystemConfig c = counted(1);
    const json values = values_of(c);
    const double ns = static_cast<double>(stat(values, "system.cycles")) * 1e6 / static_cast<double>(c.clock_khz);
    EXPECT_NEAR(energy(values, "constant_pj"), 32.3 * ns * 1e3, 1.0);
    EXPECT_NEAR(energy(values, "sm_static_pj"), 0.48 * c.socket.sms * ns * 1e3, 1.0);
}

TEST(SystemEnergy, OfEventsIsTheirNumberTimesTheirPrice) {
    const json values = values_of(counted(1));
    const auto n = [&](const char* path) { return static_cast<double>(stat(values, std::string("socket0.") + path)); };
    // Whole lines, each of four sectors; what is stored is found again by no load.
    EXPECT_NEAR(energy(values, "l1_pj"),
                4 * (506 * n("l1.hits") + 338 * (n("l1.load_lines") - n("l1.hits")) + 393 * n("l1.store_lines")), 1e-3);
    EXPECT_NEAR(energy(values, "sm_pj"),
                125 * n("sm.issue_cycles") + 251 * n("sm.warp_instructions") +
                    218 * (n("sm.warp_instructions") - n("sm.memory_instructions")),
                1e-3);
    EXPECT_NEAR(energy(values, "l2_pj"),
                4 * (69 * (n("l2.local.hits") + n("l2.local.merged")) + 135 * n("l2.fills") + 270 * n("l2.writes")),
                1e-3);
    EXPECT_NEAR(energy(values, "memory_pj"), 2062 * n("memory.read_bytes") / 32 + 1179 * n("memory.write_bytes") / 32,
                1e-3);
}

TEST(SystemEnergy, OfLinksBetweenTwoPointsHasNoCrossbars) {
    SystemConfig c = counted(1);
    c.energy.noc.form = NocForm::wires;
    c.energy.noc.wire_mm = 3;
    const json once = values_of(c);
    EXPECT_EQ(energy(once, "noc_pj"), 0.0);
    EXPECT_GT(energy(once, "point_to_point_pj"), 0.0);
    c.energy.wire_factor = 3;
    const json thrice = values_of(c);
    // A bit and mm costs 23.8 fJ more for each factor; registers and leakage do not follow it.
    const double passes_pj = (energy(thrice, "point_to_point_pj") - energy(once, "point_to_point_pj")) / 2;
    const double bits = passes_pj * 1e3 / (23.8 * 3);
    EXPECT_NEAR(bits / 8, std::round(bits / 8), 1e-6);
    EXPECT_GT(bits / 8, 136.0 * static_cast<double>(stat(once, "socket0.l2.fills"))); // replies of all that was filled
}

TEST(SystemEnergy, IsThereOnlyWhereAFileAsksForIt) {
    const json values = values_of(small_system(2));
    EXPECT_FALSE(values.contains("energy"));
    EXPECT_EQ(values["wrong"], "");
}

/// Kernels that touch whole lines, then ones that touch a sector of each: no kernel's share depends on the others.
TEST(SystemEnergy, OfAKernelIsNeverNegative) {
    const auto code = [](std::uint64_t from) {
        return [from](std::uint64_t block, unsigned) {
            WarpCode warp;
            for (std::uint64_t i = 0; i < kLines; ++i) {
                Inst inst = load(kHandBase + (from + block * kLines + i) * kLineBytes);
                if (from != 0) inst.stride = 0; // a sector alone
                warp.push_back(inst);
            }
            return warp;
        };
    };
    const std::string wrong = run_apart([&] {
                                  const Workload workload = hand_workload(
                                      {hand_launch("lines", 2, 1, code(0)), hand_launch("sectors", 2, 1, code(500))});
                                  System system(counted(2), workload);
                                  system.run();
                                  return nlohmann::json(wrong_sums(system));
                              }).get<std::string>();
    EXPECT_EQ(wrong, "");
}

/// Two stages of 2x2 on each side of every socket: both ways, leakage and clock too.
TEST(SystemEnergy, OfASocketsCrossbarFollowsItsBytes) {
    SystemConfig c = counted(1);
    c.energy.noc.ports = 2;
    c.energy.noc.stages = 2;
    c.energy.noc.wire_mm = 12;
    c.energy.wire_factor = 2;
    const json values = values_of(c);
    const auto n = [&](const char* path) { return static_cast<double>(stat(values, std::string("socket0.") + path)); };
    const double loads = n("load_latency.local.loads"), stores = n("l1.store_lines");
    const double bytes = loads * (8 + 136) + stores * (136 + 8); // requests and responses, as PacketSizes has them
    const CrossbarEnergy crossbar{2, 8.0 * c.socket.noc.request_bytes_per_cycle, 8};
    const WireEnergy wires{8.0 * c.socket.noc.request_bytes_per_cycle, 12, 2};
    const double flits = bytes / c.socket.noc.request_bytes_per_cycle;
    const json& noc = values["energy"]["noc"];
    EXPECT_NEAR(noc["routers_pj"].get<double>(), flits * 2 * crossbar.flit_fj() * 1e-3, 1e-3);
    EXPECT_NEAR(noc["wires_pj"].get<double>(), flits * wires.pass_fj() * 1e-3, 1e-3);
    // Two SMs, two slices: one crossbar a stage, two stages, two ways, and two bundles of wires each way.
    const double watts =
        4 * (crossbar.leakage_uw() * 1e-6 + crossbar.clock_fj() * 1e-15 * 1e9) + 4 * wires.leakage_uw() * 1e-6;
    const double ns = static_cast<double>(stat(values, "system.cycles"));
    EXPECT_NEAR(noc["static_pj"].get<double>(), watts * ns * 1e3, 1e-3);
}

/// Flits that cross a network on the chip, each over two terminals and the channels between routers.
TEST(SystemEnergy, OfANetworkOnTheChipFollowsItsFlits) {
    SystemConfig c = counted(4);
    c.energy.noc.form = NocForm::none;
    c.energy.network.form = NetworkForm::crossbars;
    c.network.topology = FabricKind::ring;
    c.network.dimensions = {4};
    const json values = values_of(c);
    const double passed = static_cast<double>(stat(values, "network.flits"));
    const double between = static_cast<double>(stat(values, "network.channel_flits"));
    const WireEnergy wire{8.0 * c.network.flit_bytes, 6};
    EXPECT_NEAR(values["energy"]["noc"]["wires_pj"].get<double>(), (between + 2 * passed) * wire.pass_fj() * 1e-3,
                1e-3);
    const CrossbarEnergy router{3, 8.0 * c.network.flit_bytes, 8}; // two neighbours and a terminal
    EXPECT_NEAR(values["energy"]["noc"]["routers_pj"].get<double>(), (between + passed) * router.flit_fj() * 1e-3,
                1e-3);
    EXPECT_EQ(energy(values, "links_pj"), values["system"]["link_energy_pj"].get<double>())
        << "its channels do not count by the bit too";
    EXPECT_GT(values["network"]["energy_pj"].get<double>(), 0.0);
    EXPECT_EQ(values["wrong"], "");
}

/// Only the clock of a socket's crossbars follows their frequency.
TEST(SystemEnergy, OfASocketsCrossbarHasItsOwnClock) {
    SystemConfig c = counted(1);
    const CrossbarEnergy crossbar{static_cast<double>(c.energy.noc.ports), 8.0 * c.socket.noc.request_bytes_per_cycle,
                                  static_cast<double>(c.energy.noc.buffer_flits)};
    const auto watts = [&](unsigned khz) {
        c.socket.clocks_khz.noc = khz;
        const json values = values_of(c);
        return values["energy"]["noc"]["static_pj"].get<double>() / static_cast<double>(stat(values, "system.cycles")) /
               1e3;
    };
    const double crossbars = 2.0 * c.energy.noc.stages; // both ways, of two SMs and two slices
    EXPECT_NEAR(watts(2'000'000) - watts(500'000), crossbars * crossbar.clock_fj() * 1e-15 * 1.5e9, 1e-9);
}

/// An atomic on words of two sectors is two of them.
TEST(SystemEnergy, OfAtomicsIsThatOfTheirSectors) {
    const json values = run_apart([] {
        const CodeOf code = [](std::uint64_t, unsigned) {
            Inst inst = atomic(kHandBase);
            inst.mask = 0xffff; // 16 words
            return WarpCode{inst};
        };
        const Workload workload = hand_workload({hand_launch("adds", 1, 1, code)});
        System system(counted(1), workload);
        system.run();
        return json(system.stats().values());
    });
    EXPECT_EQ(stat(values, "socket0.l2.atomics"), 1U);
    EXPECT_NEAR(energy(values, "l2_pj"), 270 * 2 + 4 * 135.0, 1e-6) << "two sectors, behind the fill of a line";
}

/// Whoever translates, a store is no load that missed.
TEST(SystemEnergy, OfL1sIsTheSameWhereTheyTranslate) {
    SystemConfig c = counted(1);
    const double alone = energy(values_of(c), "l1_pj");
    for (const TranslationMode mode : {TranslationMode::ideal, TranslationMode::full}) {
        c.translation.mode = mode;
        EXPECT_NEAR(energy(values_of(c), "l1_pj"), alone, 1e-6 * alone) << kTranslationModes.name(mode);
    }
}

/// What the host's page tables answer goes over its link.
TEST(SystemEnergy, OfLinksCountsTheHostsToo) {
    SystemConfig c = small_system(2);
    c.translation.mode = TranslationMode::full;
    c.translation.tables = TableHome::host;
    const json values = values_of(c);
    const double host = static_cast<double>(stat(values, "host.link.out.bytes"));
    const double sockets =
        static_cast<double>(stat(values, "socket0.link.out.bytes") + stat(values, "socket1.link.out.bytes"));
    EXPECT_GT(host, 0.0);
    EXPECT_NEAR(values["system"]["link_energy_pj"].get<double>(), (host + sockets) * 8 * c.link.energy_pj_per_bit,
                1e-3);
}

/// Routers of 4 and of 8 ports, each two crossbars; every packet passes one of either kind.
TEST(SystemEnergy, OfAButterflyHasTwoCrossbarsARouter) {
    SystemConfig c = counted(4);
    c.energy.noc.form = NocForm::none;
    c.energy.network = {NetworkForm::crossbars, 4, true, 6, 3};
    c.network.topology = FabricKind::butterfly;
    c.network.dimensions = {4, 1};
    c.network.noc_khz = 1'000'000;
    const json values = values_of(c);
    const double passed = static_cast<double>(stat(values, "network.flits"));
    EXPECT_EQ(passed, static_cast<double>(stat(values, "network.channel_flits")));
    const double bits = 8.0 * c.network.flit_bytes;
    const CrossbarEnergy first{1, bits, 4}, second{4, bits, 4};
    const WireEnergy channel{bits, 6}, terminal{bits, 3};
    const json& noc = values["energy"]["noc"];
    EXPECT_NEAR(noc["routers_pj"].get<double>(), passed * (first.flit_fj() + second.flit_fj()) * 1e-3, 1e-3);
    EXPECT_NEAR(noc["wires_pj"].get<double>(), passed * (channel.pass_fj() + 2 * terminal.pass_fj()) * 1e-3, 1e-3);
    const double leakage_uw =
        2 * (4 * first.leakage_uw() + second.leakage_uw()) + 8 * channel.leakage_uw() + 16 * terminal.leakage_uw();
    const double clock_w = 2 * (4 * first.clock_fj() + second.clock_fj()) * 1e-15 * 1e9;
    const double ns = static_cast<double>(stat(values, "system.cycles"));
    EXPECT_NEAR(noc["static_pj"].get<double>(), (leakage_uw * 1e-6 + clock_w) * ns * 1e3, 1e-3);
    EXPECT_EQ(values["wrong"], "");
}

} // namespace
} // namespace numavp::test
