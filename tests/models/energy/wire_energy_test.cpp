/// The closed forms of crossbars and wires against DSENT's own results.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "models/energy/wire_energy.h"

namespace numavp::test {
namespace {

/// DSENT 0.91's technology Bulk22LVT at 1.4 GHz, 8 flits of buffer: energy of a flit, pJ, and leakage of a router, mW.
struct DsentRouter {
    double ports, bits, flit_pj, leakage_mw;
};
class Crossbars : public ::testing::TestWithParam<DsentRouter> {};
TEST_P(Crossbars, CostWhatDsentSays) {
    const DsentRouter& known = GetParam();
    const CrossbarEnergy closed{known.ports, known.bits, 8};
    EXPECT_NEAR(closed.flit_fj() * 1e-3 / known.flit_pj, 1.0, 0.032);
    EXPECT_NEAR(closed.leakage_uw() * 1e-3 / known.leakage_mw, 1.0, 0.031);
}
INSTANTIATE_TEST_SUITE_P(Dsent, Crossbars,
                         ::testing::Values(DsentRouter{2, 64, 0.91, 1.9}, DsentRouter{4, 128, 1.98, 8.0},
                                           DsentRouter{8, 64, 1.26, 9.5}, DsentRouter{8, 128, 2.41, 18.1},
                                           DsentRouter{8, 256, 4.70, 35.5}, DsentRouter{8, 512, 9.29, 70.3},
                                           DsentRouter{16, 128, 3.27, 46.9}, DsentRouter{32, 128, 5.23, 153},
                                           DsentRouter{64, 128, 10.3, 682}, DsentRouter{64, 512, 32.5, 1642}),
                         [](const auto& row) { return fmt::format("{}ports{}bits", row.param.ports, row.param.bits); });

TEST(CrossbarEnergyForms, FollowTheDepthOfBuffers) { // 8 x 8, 16 B: written and read, switched, arbitrated for
    EXPECT_NEAR((CrossbarEnergy{8, 128, 2}.flit_fj()) * 1e-3, 0.54 + 0.32 + 0.78 + 0.087, 0.07 * 1.73);
    EXPECT_NEAR((CrossbarEnergy{8, 128, 4}.flit_fj()) * 1e-3, 0.66 + 0.45 + 0.78 + 0.087, 0.07 * 1.98);
    EXPECT_NEAR((CrossbarEnergy{8, 128, 32}.flit_fj()) * 1e-3, 2.06 + 1.81 + 0.78 + 0.087, 0.07 * 4.74);
}

TEST(CrossbarEnergyForms, ClockAndInnerWiresGrowAsTheirWires) {
    EXPECT_NEAR((CrossbarEnergy{8, 128, 8}.clock_fj()) * 1e-3, 0.442, 0.442 * 0.02);
    EXPECT_NEAR((CrossbarEnergy{32, 128, 8}.clock_fj()) * 1e-3, 1.677, 1.677 * 0.08);
    const double inner = CrossbarEnergy{8, 512, 8, 1}.flit_fj() - CrossbarEnergy{8, 512, 8, 0}.flit_fj();
    EXPECT_NEAR(inner * 1e-3, 11.7, 0.1); // 16 mm of tracks: 2 P W at 0.11 um, 25.5 fJ/mm, for each of W bits
    EXPECT_NEAR((CrossbarEnergy{8, 128, 8, 1}.flit_fj() - CrossbarEnergy{8, 128, 8, 0}.flit_fj()) / inner, 1.0 / 16,
                1e-9);
}

TEST(WireEnergyForms, ArePerBitAndMillimetre) {
    EXPECT_NEAR((WireEnergy{1, 1}.pass_fj()), 23.6, 0.3);
    EXPECT_NEAR((WireEnergy{1, 6}.pass_fj()), 142.6, 1.0);
    EXPECT_DOUBLE_EQ((WireEnergy{128, 6, 3}.pass_fj()), (3 * WireEnergy{128, 6}.pass_fj()));
    EXPECT_NEAR((WireEnergy{1, 3}.leakage_uw()), 0.48, 0.01);
    EXPECT_NEAR((WireEnergy{1, 6}.leakage_uw()), 2.41, 0.02);
}

/// Two stages of eight crossbars, 64 ports of 16 bytes, 18 mm: power at a flit a cycle and port, and at none.
TEST(WireEnergyForms, AddUpToAHierarchicalCrossbar) {
    constexpr double kHz = 1.4e9, kPorts = 64;
    const CrossbarEnergy crossbar{8, 128, 8};
    const WireEnergy wire{128, 6};
    const double standing_w =
        16 * (crossbar.leakage_uw() * 1e-6 + crossbar.clock_fj() * 1e-15 * kHz) + 3 * kPorts * wire.leakage_uw() * 1e-6;
    const double flit_w = kHz * kPorts * (2 * crossbar.flit_fj() + 3 * wire.pass_fj()) * 1e-15;
    EXPECT_NEAR(standing_w, 0.36, 0.01);
    EXPECT_NEAR(standing_w + flit_w, 5.70, 0.1);
    EXPECT_NEAR(standing_w + 0.5 * flit_w, 3.03, 0.05);
}

} // namespace
} // namespace numavp::test
