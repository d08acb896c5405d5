/// What registers tell a placement policy of distances and links.
#include <gtest/gtest.h>

#include "models/fault_server/machine_look.h"

namespace numavp::test {
namespace {

constexpr Cycle kSampleCycles = 100;

/// Ten sockets in a row, and links whose counts the test sets.
struct Look {
    Look() {
        look.sockets = 10;
        look.routers = [](unsigned from, unsigned to) { return 1 + (from < to ? to - from : from - to); };
        look.watch({kSampleCycles, [this] { return now; }, [this](unsigned s) { return s == 5 ? out : LinkWork{}; },
                    [this](unsigned s) { return s == 5 ? in : LinkWork{}; }});
    }
    /// Socket 5 is the second of the second register.
    std::uint64_t of_socket_5() const { return look.link_use(1) >> 16 & 0xFFFF; }

    MachineLook look;
    Cycle now = 0;
    LinkWork out, in;
};

TEST(MachineLook, DistancesAreBytesBySocket) {
    const Look at;
    EXPECT_EQ(at.look.distances(0, 0), 0x08'07'06'05'04'03'02'00U) << "0 to itself";
    EXPECT_EQ(at.look.distances(0, 1), 0x0A09U) << "sockets 8 and 9; there are no more";
    EXPECT_EQ(at.look.distances(9, 1), 0x0002U);
    EXPECT_EQ(at.look.distances(10, 0), 0U) << "there is no socket 10";
    EXPECT_EQ(MachineLook().distances(0, 0), 0U);
}

TEST(MachineLook, ADistanceBeyondAByteIsTheLargest) {
    Look at;
    at.look.routers = [](unsigned, unsigned) { return 300U; };
    EXPECT_EQ(at.look.distances(9, 1), 0x00FFU);
}

TEST(MachineLook, UseIsThatOfTheTimeSinceTheSampleBefore) {
    Look at;
    at.now = kSampleCycles;
    at.out = {25, 100};
    at.in = {50, 100};
    at.look.sample();
    EXPECT_EQ(at.of_socket_5(), 50U << 8 | 25U);
    EXPECT_EQ(at.look.link_use(0), 0U) << "the others idle";
    at.now = 2 * kSampleCycles - 1;
    at.out = {125, 200};
    at.look.sample();
    EXPECT_EQ(at.of_socket_5(), 50U << 8 | 25U) << "no sample is due yet";
    at.now = 2 * kSampleCycles;
    at.look.sample();
    EXPECT_EQ(at.of_socket_5(), 100U) << "out 100 of 100, in nothing of nothing";
}

TEST(MachineLook, ANewTimeOfSamplesHoldsFromTheNextLook) {
    Look at;
    at.now = kSampleCycles;
    at.look.sample();
    at.look.sample_every(kSampleCycles / 2);
    at.now = kSampleCycles + kSampleCycles / 2;
    at.out = {25, 50};
    at.look.sample();
    EXPECT_EQ(at.of_socket_5(), 50U) << "due after half the time";
    at.look.sample_every(2 * kSampleCycles);
    at.now += 2 * kSampleCycles - 1;
    at.out = {125, 150};
    at.look.sample();
    EXPECT_EQ(at.of_socket_5(), 50U) << "not due yet";
}

TEST(MachineLook, IsZeroWhereNobodyWatches) {
    MachineLook look;
    look.sockets = 4;
    look.sample();
    EXPECT_EQ(look.link_use(0), 0U);
}

} // namespace
} // namespace numavp::test
