/// One router: when flits leave, who goes first, what a credit and a virtual channel allow.
#include <deque>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "one_router.h"

namespace numavp::test {
namespace {

TEST(RouterCore, AHeadTakesTwoCyclesToTheSwitchAndBodyFlitsFollow) {
    OneRouter r(2, 2, 8);
    r.packet(0, 0, {1, 0b01}, 3); // head at cycle 0, body at 1 and 2
    const std::vector<Left> expected{{2, 0, 1, 0}, {3, 0, 1, 0}, {4, 0, 1, 0}};
    EXPECT_EQ(r.run(10), expected);
}

TEST(RouterCore, ThePacketBehindATailIsRoutedInTheNextCycle) {
    OneRouter r(2, 1, 8);
    r.packet(0, 0, {1, 1}, 1);
    r.packet(0, 0, {1, 1}, 1); // comes at 1, waits behind the first
    const std::vector<Left> expected{{2, 0, 1, 0}, {5, 0, 1, 0}};
    EXPECT_EQ(r.run(10), expected);
}

TEST(RouterCore, PacketsOfTwoVirtualChannelsShareAnOutputFlitByFlit) {
    OneRouter r(3, 2, 16);
    r.packet(0, 0, {2, 0b11}, 8);
    r.packet(1, 0, {2, 0b11}, 8);
    std::map<unsigned, unsigned> by_input;
    const std::vector<Left> left = r.run(40);
    ASSERT_EQ(left.size(), 16U);
    for (std::size_t i = 4; i < 14; i += 2) // both have their virtual channels: in turn
        EXPECT_NE(left[i].input, left[i + 1].input) << i;
    for (std::size_t i = 1; i < left.size(); ++i) EXPECT_EQ(left[i].cycle, left[i - 1].cycle + 1) << i;
}

TEST(RouterCore, AnInputSharesItselfAmongItsVirtualChannelsAndOutputs) {
    OneRouter r(3, 2, 32);
    r.packet(0, 0, {1, 0b01}, 12);
    r.packet(0, 1, {2, 0b01}, 12);
    std::map<unsigned, unsigned> first;
    const std::vector<Left> left = r.run(60, true);
    ASSERT_EQ(left.size(), 24U);
    for (std::size_t i = 0; i < 12; ++i) ++first[left[i].output];
    EXPECT_EQ(first[1], 6U);
    EXPECT_EQ(first[2], 6U);
}

TEST(RouterCore, VirtualChannelsOfAnInputTakeTurnsAtOneOutput) {
    OneRouter r(2, 2, 32);
    r.packet(0, 0, {1, 0b11}, 12);
    r.packet(0, 1, {1, 0b11}, 12);
    const std::vector<Left> left = r.run(60, true);
    ASSERT_EQ(left.size(), 24U);
    std::map<unsigned, unsigned> first;
    for (std::size_t i = 2; i < 14; ++i) ++first[left[i].vc];
    EXPECT_EQ(first[0], 6U);
    EXPECT_EQ(first[1], 6U);
}

TEST(RouterCore, AnOutputThatIsAlwaysWantedServesAllInputsAlike) {
    OneRouter r(4, 1, 64);
    for (unsigned input = 0; input < 3; ++input)
        for (unsigned i = 0; i < 10; ++i) r.packet(input, 0, {3, 1}, 2);
    std::map<unsigned, unsigned> first;
    const std::vector<Left> left = r.run(200);
    ASSERT_EQ(left.size(), 60U);
    for (std::size_t i = 0; i < 30; ++i) ++first[left[i].input];
    for (unsigned input = 0; input < 3; ++input) EXPECT_NEAR(first[input], 10, 2) << input;
}

TEST(RouterCore, ASlowOutputTakesAFlitAnIntervalInWholeCycles) {
    OneRouter r(2, 2, 16);
    r.core().set_interval(1, 5U << 15); // 2.5 cycles
    r.packet(0, 0, {1, 0b01}, 5);
    const std::vector<Left> expected{{2, 0, 1, 0}, {5, 0, 1, 0}, {7, 0, 1, 0}, {10, 0, 1, 0}, {12, 0, 1, 0}};
    EXPECT_EQ(r.run(30), expected);
    r.packet(0, 0, {1, 0b01}, 2); // the output has rested: it begins anew
    const std::vector<Left> later{{32, 0, 1, 0}, {35, 0, 1, 0}};
    EXPECT_EQ(r.run(30), later);
}

TEST(RouterCore, ASlowOutputHoldsUpNobodyElse) {
    OneRouter r(3, 2, 16);
    r.core().set_interval(1, 4U << 16);
    r.packet(0, 0, {1, 0b01}, 4);
    r.packet(0, 1, {2, 0b01}, 4);
    std::map<unsigned, std::vector<Cycle>> left;
    for (const Left& l : r.run(40, true)) left[l.output].push_back(l.cycle);
    EXPECT_EQ(left[1], (std::vector<Cycle>{2, 6, 10, 14}));
    ASSERT_EQ(left[2].size(), 4U);
    EXPECT_LE(left[2].back(), 7U);
}

TEST(RouterCore, NothingLeavesWithoutACreditAndACreditCountsInItsCycle) {
    OneRouter r(2, 1, 8);
    r.core().set_credits(1, 2);
    r.packet(0, 0, {1, 1}, 4);
    EXPECT_EQ(r.run(8).size(), 2U);
    EXPECT_EQ(r.core().credits_in_use(1), 2U);
    r.credit(1, 0); // at cycle 8
    const std::vector<Left> expected{{8, 0, 1, 0}};
    EXPECT_EQ(r.run(4), expected);
    EXPECT_EQ(r.core().waits(0, 0).what, RouterCore::Waits::For::credit);
}

TEST(RouterCore, AVirtualChannelIsHeldFromAllocationToTheTail) {
    OneRouter r(3, 1, 16);
    r.packet(0, 0, {2, 1}, 5); // has the one channel from cycle 1
    r.packet(1, 0, {2, 1}, 2);
    std::vector<unsigned> inputs;
    const std::vector<Left> left = r.run(40);
    for (const Left& l : left) inputs.push_back(l.input);
    EXPECT_EQ(inputs, (std::vector<unsigned>{0, 0, 0, 0, 0, 1, 1}));
    EXPECT_EQ(left[4].cycle + 2, left[5].cycle); // asks for the channel when the tail has left, then for the switch
}

TEST(RouterCore, AFlitWithoutRoomAndAFlitOfNoPacketAreErrors) {
    OneRouter full(2, 1, 2);
    full.core().set_credits(1, 0);
    full.packet(0, 0, {1, 1}, 3);
    EXPECT_THROW(full.run(6), ModelError);
    OneRouter stray(2, 1, 8);
    EXPECT_THROW(stray.core().arrive(0, 0, kNoPacket), ModelError);
}

} // namespace
} // namespace numavp::test
