/// Physical addresses: fields as a table, and line interleaving both ways for every number of sockets.

#include <gtest/gtest.h>

#include "base/values/address_layout.h"
#include "base/values/rng.h"

namespace numavp {
namespace {

constexpr std::uint64_t kLine = kLineBytes;
constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

TEST(AddressLayout, BitsForCountsValues) {
    struct {
        std::uint64_t count;
        unsigned bits;
    } const rows[] = {{0, 0}, {1, 0}, {2, 1}, {3, 2}, {4, 2}, {5, 3}, {kGiB, 30}, {kGiB + 1, 31}, {~0ULL, 64}};
    for (const auto& row : rows) EXPECT_EQ(bits_for(row.count), row.bits) << row.count;
}

TEST(AddressLayout, TheSocketLiesAboveTheOffset) {
    struct {
        unsigned sockets;
        std::uint64_t capacity;
        unsigned shift;
        unsigned bits;
    } const rows[] = {{1, kGiB, 30, 30},     {2, kGiB, 30, 31},          {3, kGiB, 30, 32},
                      {4, 3 * kGiB, 32, 34}, {16, kGiB + 65536, 31, 35}, {4, 4096, 12, 14}};
    for (const auto& row : rows) {
        const AddressLayout layout(row.sockets, row.capacity);
        EXPECT_EQ(layout.socket_shift(), row.shift);
        EXPECT_EQ(layout.address_bits(), row.bits);
        for (unsigned s = 0; s < row.sockets; ++s) {
            const PhysicalAddress last = layout.address(MemoryId(s), row.capacity - 1);
            EXPECT_EQ(last, (std::uint64_t{s} << row.shift) + row.capacity - 1);
            EXPECT_EQ(layout.memory_of(last), MemoryId(s));
            EXPECT_EQ(layout.offset(last), row.capacity - 1);
        }
    }
}

TEST(AddressLayout, LinesGoRoundTheSockets) {
    const AddressLayout four(4, kGiB);
    const AddressLayout three(3, kGiB);
    struct {
        std::uint64_t index;
        PhysicalAddress of_four;
        PhysicalAddress of_three;
    } const rows[] = {
        {0, 0, 0},          {1, kGiB, kGiB},      {2, 2 * kGiB, 2 * kGiB},
        {3, 3 * kGiB, 128}, {4, 128, kGiB + 128}, {511, 3 * kGiB + 127 * kLine, kGiB + 170 * kLine},
    };
    for (const auto& row : rows) {
        EXPECT_EQ(four.interleaved(row.index), row.of_four) << row.index;
        EXPECT_EQ(three.interleaved(row.index), row.of_three) << row.index;
    }
}

TEST(AddressLayout, InterleavingIsABijectionForEveryNumberOfSockets) {
    Rng random(1);
    for (const unsigned sockets : {1U, 2U, 3U, 5U, 8U, 15U, 16U, 33U, kMaxSockets}) {
        const std::uint64_t lines = (3 * kGiB + 4096) / kLineBytes; // of a socket: no power of two
        const AddressLayout layout(sockets, lines * kLineBytes);
        for (unsigned i = 0; i < 5'000; ++i) {
            const std::uint64_t index = random.next() % (lines * sockets);
            const PhysicalAddress address = layout.interleaved(index);
            ASSERT_LT(layout.memory_of(address).value, sockets);
            ASSERT_LT(layout.offset(address), lines * kLineBytes);
            ASSERT_EQ(layout.interleaved_index(address), index);

            const PhysicalAddress other =
                layout.address(MemoryId(random.next() % sockets), random.next() % lines * kLineBytes);
            ASSERT_LT(layout.interleaved_index(other), lines * sockets);
            ASSERT_EQ(layout.interleaved(layout.interleaved_index(other)), other);
        }
    }
}

} // namespace
} // namespace numavp
