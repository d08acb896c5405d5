/// The bandwidth server against fractions worked out by hand and against a plain rational reference.
#include <vector>

#include <gtest/gtest.h>

#include "base/time/bandwidth_server.h"
#include "base/values/rng.h"

namespace numavp {
namespace {

constexpr std::uint64_t kGiga = 1'000'000'000;

struct Row {
    const char* what;
    std::uint64_t bytes_per_second;
    std::uint64_t clock_khz;
    unsigned bytes;
    std::vector<Cycle> left; ///< edge at which the last byte of each of a row of items has left
    std::vector<Cycle> free; ///< first edge at which the next may start
};

TEST(BandwidthServer, BackToBackItemsEndAtTheEdgesOfTheExactFraction) {
    const Row rows[] = {
        {"line, one of 32 channels of 768 GB/s at 1 GHz: 5 1/3 cycles",
         768 * kGiga / 32,
         1'000'000,
         128,
         {6, 11, 16, 22, 27, 32},
         {5, 10, 16, 21, 26, 32}},
        {"line packet on 64 GB/s at 1 GHz: 2 1/8 cycles",
         64 * kGiga,
         1'000'000,
         136,
         {3, 5, 7, 9, 11, 13, 15, 17},
         {2, 4, 6, 8, 10, 12, 14, 17}},
        {"request on 64 GB/s at 1 GHz: 1/8 cycle",
         64 * kGiga,
         1'000'000,
         8,
         {1, 1, 1, 1, 1, 1, 1, 1, 2},
         {0, 0, 0, 0, 0, 0, 0, 1, 1}},
        {"line packet on the one lane that is left: 17 cycles", 8 * kGiga, 1'000'000, 136, {17, 34}, {17, 34}},
        {"line packet on 14 of 16 lanes: 1 3/14 cycles", 112 * kGiga, 1'000'000, 136, {2, 3, 4, 5, 7}, {1, 2, 3, 4, 6}},
        {"sector of 32 B at 720 GB/s, 64 channels, 1.41 GHz: 4.0107 cycles",
         720 * kGiga / 64,
         1'410'000,
         32,
         {5, 9, 13},
         {4, 8, 12}},
        {"prime bytes a second, a byte: 3.000000021 cycles", 333'333'331, 1'000'000, 1, {4, 7, 10}, {3, 6, 9}},
    };
    for (const Row& row : rows) {
        SCOPED_TRACE(row.what);
        BandwidthServer server(row.bytes_per_second, row.clock_khz);
        for (std::size_t i = 0; i < row.left.size(); ++i) {
            EXPECT_EQ(server.take(0, row.bytes), row.left[i]) << "item " << i;
            EXPECT_EQ(server.free_at(), row.free[i]) << "item " << i;
        }
        EXPECT_EQ(server.taken_bytes(), std::uint64_t{row.bytes} * row.left.size());
    }
}

TEST(BandwidthServer, AnItemTakenAtFreeAtLosesNothing) {
    BandwidthServer server(24 * kGiga, 1'000'000);
    Cycle left = 0;
    for (unsigned i = 0; i < 3000; ++i) left = server.take(server.free_at(), 128);
    EXPECT_EQ(left, 16'000U);
    EXPECT_EQ(server.free_at(), 16'000U);
}

TEST(BandwidthServer, AnIdleServerStartsAtNow) {
    BandwidthServer server(24 * kGiga, 1'000'000);
    EXPECT_EQ(server.take(0, 128), 6U);   // until 5 1/3
    EXPECT_EQ(server.take(6, 128), 12U);  // 6 .. 11 1/3, and not 5 1/3 .. 10 2/3
    EXPECT_EQ(server.take(11, 128), 17U); // 11 1/3 .. 16 2/3
    EXPECT_EQ(server.take(100, 128), 106U);
    EXPECT_EQ(server.take(0, 0), 106U); // nothing more to send: the same finish
}

TEST(BandwidthServer, BusyBytesAreExactAndNeverExceedTheCapacity) {
    BandwidthServer server(24 * kGiga, 1'000'000);
    for (unsigned i = 0; i < 3; ++i) server.take(0, 128);
    const std::uint64_t by_edge[] = {0, 24, 48, 72, 96, 120, 144};
    for (Cycle t = 0; t < 7; ++t) EXPECT_EQ(server.busy_bytes(t), by_edge[t]) << t;
    EXPECT_EQ(server.busy_bytes(15), 360U);
    EXPECT_EQ(server.busy_bytes(16), 384U);
    EXPECT_EQ(server.busy_bytes(1000), 384U);
    EXPECT_EQ(server.capacity_bytes(16), 384U);

    BandwidthServer slow(3 * kGiga / 2, 1'000'000); // 1 1/2 B a cycle: half a byte is not busy yet
    slow.take(0, 6);
    const std::uint64_t halves[] = {0, 1, 3, 4, 6};
    for (Cycle t = 0; t < 5; ++t) EXPECT_EQ(slow.busy_bytes(t), halves[t]) << t;

    // A lane that never rests is 100 % busy in every window, whatever the window and the length of an item.
    BandwidthServer lane(8 * kGiga, 1'000'000);
    std::uint64_t before = 0;
    for (Cycle t = 0; t < 5000; ++t) {
        if (lane.free_at() == t) lane.take(t, 136);
        if (t % 100 == 0 && t > 0) {
            EXPECT_EQ(lane.busy_bytes(t) - before, lane.capacity_bytes(100));
            before = lane.busy_bytes(t);
        }
    }
}

TEST(BandwidthServer, ANewCapacityHoldsFromTheNextEdgeOn) {
    AdjustableServer server(64 * kGiga, 1'000'000);
    EXPECT_EQ(server.take(10, 136), 13U); // until 12 1/8
    EXPECT_EQ(server.free_at(), 12U);
    server.set_capacity(56 * kGiga);
    EXPECT_EQ(server.free_at(), 13U); // the other 7/8 of cycle 12 are dropped
    EXPECT_EQ(server.busy_bytes(11), 136U);
    EXPECT_EQ(server.take(11, 112), 15U);
    EXPECT_EQ(server.busy_bytes(14), 192U);
    server.set_capacity(8 * kGiga); // on a whole edge nothing is dropped
    EXPECT_EQ(server.free_at(), 15U);
    EXPECT_EQ(server.take(15, 8), 16U);
}

TEST(BandwidthServer, NothingWithoutCapacityOrClock) {
    EXPECT_THROW(BandwidthServer(0, 1'000'000), ModelError);
    EXPECT_THROW(BandwidthServer(kGiga, 0), ModelError);
    AdjustableServer server(kGiga, 1);
    EXPECT_THROW(server.set_capacity(0), ModelError);
}

__extension__ using Wide = unsigned __int128;

/// Time as a fraction of units, with 128 bits and no cleverness.
struct Reference {
    Wide finish = 0; ///< units of 1 / bytes_per_second of a cycle
    Cycle take(std::uint64_t bytes_per_second, std::uint64_t khz, Cycle now, unsigned bytes) {
        const Wide scale = bytes_per_second;
        if (now * scale > finish) finish = now * scale;
        finish += static_cast<Wide>(bytes) * khz * 1000;
        return static_cast<Cycle>((finish + scale - 1) / scale);
    }
};

TEST(BandwidthServer, AgreesWithARationalReferenceOnRandomItems) {
    Rng random(7);
    for (unsigned run = 0; run < 200; ++run) {
        const std::uint64_t rate = 1 + random.next() % (run % 2 ? 4'000 * kGiga : 50'000'000);
        const std::uint64_t khz = 1 + random.next() % 3'000'000;
        BandwidthServer server(rate, khz);
        Reference reference;
        Cycle now = 0;
        std::uint64_t bytes = 0;
        for (unsigned i = 0; i < 500; ++i) {
            const unsigned size = static_cast<unsigned>(random.next() % 300);
            const Cycle expected = reference.take(rate, khz, now, size);
            ASSERT_EQ(server.take(now, size), expected) << rate << " B/s at " << khz << " kHz, item " << i;
            ASSERT_EQ(server.free_at(), static_cast<Cycle>(reference.finish / rate));
            bytes += size;
            ASSERT_EQ(server.busy_bytes(expected), bytes);
            now += random.next() % 3 ? 0 : random.next() % (2 * (expected - now) + 2);
        }
    }
}

} // namespace
} // namespace numavp
