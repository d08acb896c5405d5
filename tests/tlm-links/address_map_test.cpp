/// Whose memory a physical line is.
#include <cstdint>

#include <gtest/gtest.h>

#include "tlm-links/protocol/address_map.h"

namespace numavp::test {
namespace {

class Memories : public ::testing::TestWithParam<unsigned> {};

TEST_P(Memories, BelongToTheSocketsOfTheirNumbers) {
    AddressMap map;
    map.memories = GetParam();
    for (unsigned m = 0; m < map.memories; ++m)
        for (const std::uint64_t offset : {std::uint64_t{0}, (std::uint64_t{1} << map.socket_shift) - kLineBytes}) {
            const std::uint64_t line = (std::uint64_t{m} << map.socket_shift) + offset;
            EXPECT_EQ(map.home_of(line), SocketId(m));
            EXPECT_TRUE(map.contains(line));
        }
    EXPECT_FALSE(map.contains(std::uint64_t{map.memories} << map.socket_shift));
}
INSTANTIATE_TEST_SUITE_P(All, Memories, ::testing::Values(1U, 2U, 3U, 8U, 9U, 16U, 40U, 64U));

TEST(AddressMap, ALinesPartIsItsPlaceInTheMemory) {
    AddressMap map;
    map.memories = 3;
    map.parts_shift = 2; // a memory of four sockets, which are listed from the last on
    for (unsigned i = 0; i < 12; ++i) map.homes.emplace_back(11 - i);
    for (unsigned m = 0; m < 3; ++m)
        for (unsigned n = 0; n < 8; ++n)
            EXPECT_EQ(map.home_of((std::uint64_t{m} << map.socket_shift) + n * std::uint64_t{kLineBytes}),
                      SocketId(11 - 4 * m - n % 4));
}

} // namespace
} // namespace numavp::test
