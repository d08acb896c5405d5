/// Leaves that go to and fro: when somebody naps, where a leaf is pinned, and when all of that is forgotten.
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sw/driver/prefetch_tree.h"
#include "sw/driver/unified_memory.h"

namespace numavp::test {
namespace {

class Thrashing : public ::testing::Test {
  protected:
    static constexpr std::uint64_t kUs = 1000, kLapse = kThrashingLapse * kUs;
    /// Two CPUs; GPUs 0 and 1 are peers by NVLink, GPU 2 reaches neither and none of them it.
    enum : std::uint32_t { kCpu0, kCpu1, kGpu0, kGpu1, kGpu2, kPlaces };

    Thrashing() : chunks_(kPlaces) {
        unified_init(&memory_, kPlaces, kPrefetchPercent, &block_, chunks_.data(), 1);
        for (std::uint32_t p = 0; p < kPlaces; ++p) {
            UnifiedPlace& place = memory_.place[p];
            place.host = p < kGpu0;
            place.home = place.host ? p : 0;
            place.room = place.host ? 0 : 4;
            place.reaches = place.host ? 0b00011 : p == kGpu2 ? 0b10011 : 0b01111;
            place.fast = p == kGpu0 || p == kGpu1 ? 0b01100 : 0;
        }
        unified_watch(&memory_, 0, &watched_);
        unified_allocate(&memory_, 0, 1, kCpu0);
        memory_.now = kUs;
    }
    /// Touches the leaf and lets time pass; true if it lies with the toucher then.
    bool touch(std::uint32_t place, std::uint64_t then_us) {
        const bool there = unified_touch(&memory_, 0, 1, place, true) == 0;
        naps_ += memory_.nap_ns == 0 ? 0 : 1;
        memory_.now += memory_.nap_ns + then_us * kUs;
        return there;
    }
    /// One after the other has the leaf, so often that the next fault finds it thrashing. CPU 0 has had it before.
    void go_to_and_fro(std::uint32_t a, std::uint32_t b, std::uint64_t each_us) {
        for (unsigned i = 0; i < kThrashingThreshold + 2; ++i) ASSERT_TRUE(touch(i % 2 == 0 ? a : b, each_us)) << i;
    }
    std::uint32_t place() const { return unified_place_of(&memory_, 0, 0); }

    UnifiedBlock block_{};
    std::vector<UnifiedChunk> chunks_;
    ThrashingBlock watched_{};
    UnifiedMemory memory_{};
    unsigned naps_ = 0;
};

TEST_F(Thrashing, PeersAccessTheLeafWhereItLies) {
    go_to_and_fro(kGpu0, kGpu1, 100);
    ASSERT_EQ(place(), kGpu0);
    EXPECT_FALSE(touch(kGpu1, 100)) << "the sixth fault";
    EXPECT_EQ(place(), kGpu0);
    for (unsigned i = 0; i < 100; ++i) EXPECT_FALSE(touch(kGpu1, 1));
    EXPECT_EQ(naps_, 0U);
}

/// One event fewer, and events that lie further apart: it goes to and fro as ever.
TEST_F(Thrashing, BelowTheThresholdNothingHappens) {
    for (unsigned i = 0; i < kThrashingThreshold + 1; ++i) ASSERT_TRUE(touch(i % 2 == 0 ? kGpu0 : kGpu1, 100));
    EXPECT_TRUE(touch(kGpu0, 100)) << "only now it thrashes";
}

TEST_F(Thrashing, ALapseIsTheLimit) {
    for (unsigned i = 0; i < 50; ++i) ASSERT_TRUE(touch(i % 2 == 0 ? kGpu0 : kGpu1, kThrashingLapse + 1)) << i;
    go_to_and_fro(kGpu0, kGpu1, kThrashingLapse);
    EXPECT_FALSE(touch(kGpu1, 0));
}

TEST_F(Thrashing, APinEnds) {
    go_to_and_fro(kGpu0, kGpu1, 10);
    ASSERT_FALSE(touch(kGpu1, 0));
    const std::uint64_t end = memory_.now + kThrashingPin * kLapse;
    memory_.now = end - 1;
    EXPECT_FALSE(touch(kGpu1, 0));
    memory_.now = end;
    EXPECT_TRUE(touch(kGpu1, 10));
    EXPECT_TRUE(touch(kGpu0, 10)) << "it begins anew";
}

/// Another GPU that reaches the pinned leaf accesses it where it is, and its coming does not make the pin longer.
TEST_F(Thrashing, AThirdPeerLeavesThePinAsItIs) {
    for (const std::uint32_t gpu : {kGpu0, kGpu1, kGpu2}) {
        memory_.place[gpu].reaches = 0b11111;
        memory_.place[gpu].fast = 0b11100;
    }
    go_to_and_fro(kGpu0, kGpu1, 10);
    ASSERT_FALSE(touch(kGpu1, 0));
    const std::uint64_t end = memory_.now + kThrashingPin * kLapse;
    memory_.now = end - 1;
    EXPECT_FALSE(touch(kGpu2, 0));
    EXPECT_EQ(place(), kGpu0);
    memory_.now = end;
    EXPECT_TRUE(touch(kGpu1, 10)) << "over";
}

/// One that does not reach it: then all go to the host's memory, which all of them reach.
TEST_F(Thrashing, AThirdThatReachesNobodyTakesThePinToTheHost) {
    go_to_and_fro(kGpu0, kGpu1, 10);
    ASSERT_FALSE(touch(kGpu1, 10));
    EXPECT_FALSE(touch(kGpu2, 10));
    EXPECT_EQ(place(), kCpu0);
    for (const std::uint32_t gpu : {kGpu0, kGpu1, kGpu2}) EXPECT_FALSE(touch(gpu, 10)) << gpu;
    EXPECT_EQ(place(), kCpu0);
}

/// GPU 2 and GPU 0 do not reach each other: in turn one goes on and the other naps, at last both read the host's.
TEST_F(Thrashing, WhoDoNotReachEachOtherNap) {
    go_to_and_fro(kGpu0, kGpu2, 10);
    EXPECT_TRUE(touch(kGpu2, 10)) << "it goes on";
    EXPECT_EQ(naps_, 0U);
    memory_.now -= 10 * kUs;
    EXPECT_TRUE(touch(kGpu0, 10));
    EXPECT_EQ(naps_, 1U) << "until the period of the other is over";
    unsigned touches = 1;
    while (place() != kCpu0 && touches < 100) touch(touches++ % 2 == 1 ? kGpu2 : kGpu0, 10);
    EXPECT_EQ(naps_, kThrashingNaps + 1U);
    EXPECT_EQ(place(), kCpu0);
    for (unsigned i = 0; i < 20; ++i) EXPECT_FALSE(touch(i % 2 == 0 ? kGpu2 : kGpu0, 10));
    EXPECT_EQ(naps_, kThrashingNaps + 1U);
}

/// A nap lasts until the period ends, which began when the other place went on.
TEST_F(Thrashing, ANapEndsWithItsPeriod) {
    go_to_and_fro(kGpu0, kGpu2, 10);
    touch(kGpu2, 10); // the period begins
    touch(kGpu0, 0);
    EXPECT_EQ(memory_.nap_ns, kThrashingNap * kLapse - 10 * kUs);
}

/// Whoever naps and asks again before its end is told the same end; then it goes on.
TEST_F(Thrashing, ANapIsSleptToItsEnd) {
    go_to_and_fro(kGpu0, kGpu2, 10);
    touch(kGpu2, 10); // the period begins
    const auto asks = [this](std::uint64_t now) {
        const ThrashingFault fault{0, kGpu0, kGpu2, UNIFIED_NONE, now};
        return thrashing_hint(&memory_.thrashing, &watched_, memory_.place, kPlaces, &fault);
    };
    const ThrashingHint first = asks(memory_.now), again = asks(memory_.now + 100 * kUs);
    EXPECT_EQ(first.word, kThrashingWait);
    EXPECT_EQ(again.word, kThrashingWait);
    EXPECT_EQ(again.until, first.until);
    EXPECT_EQ(asks(first.until - 1).word, kThrashingWait);
    EXPECT_EQ(asks(first.until).word, kThrashingGoOn);
}

/// Who went on in one period does not in the next one: at its end GPU 2 asks before GPU 0 does, and naps; GPU 0 goes
/// on.
TEST_F(Thrashing, NobodyHasTwoPeriodsInTurn) {
    go_to_and_fro(kGpu0, kGpu2, 10);
    const std::uint64_t begin = memory_.now, period = kThrashingNap * kLapse;
    touch(kGpu2, 10);
    const auto asks = [this](std::uint32_t by, std::uint64_t now) {
        const ThrashingFault fault{0, by, by == kGpu0 ? kGpu2 : kGpu0, UNIFIED_NONE, now};
        return thrashing_hint(&memory_.thrashing, &watched_, memory_.place, kPlaces, &fault);
    };
    EXPECT_EQ(asks(kGpu2, begin + period - 1).word, kThrashingGoOn) << "its own period";
    const ThrashingHint next = asks(kGpu2, begin + period);
    EXPECT_EQ(next.word, kThrashingWait);
    EXPECT_EQ(next.until, begin + 2 * period);
    EXPECT_EQ(asks(kGpu0, begin + period).word, kThrashingGoOn);
    EXPECT_EQ(asks(kGpu2, begin + period).word, kThrashingWait) << "it naps to the end of the period";
}

/// A coherent CPU leaves the leaf with the GPU and accesses it there.
TEST_F(Thrashing, ACoherentCpuAccessesTheGpu) {
    memory_.place[kCpu0].reaches |= 1U << kGpu0;
    memory_.place[kCpu0].fast = 1U << kGpu0;
    memory_.place[kGpu0].fast |= 1U << kCpu0;
    go_to_and_fro(kGpu0, kCpu0, 10);
    EXPECT_FALSE(touch(kCpu0, 10));
    EXPECT_EQ(place(), kGpu0);
    EXPECT_TRUE(touch(kGpu0, 10));
    EXPECT_EQ(naps_, 0U);
}

TEST_F(Thrashing, ALeafThatThrashesIsNotPrefetched) {
    unified_free(&memory_, 0);
    unified_allocate(&memory_, 0, ~0U, kCpu0);
    go_to_and_fro(kGpu0, kGpu2, 10); // leaf 0 alone
    ASSERT_EQ(place(), kGpu0);
    unified_touch(&memory_, 0, 0b10, kGpu2, true);
    unified_touch(&memory_, 0, 0b1100, kGpu2, true);
    EXPECT_EQ(chunks_[kGpu2].resident, 0b1110U) << "three of four are more than 51 %";
}

TEST_F(Thrashing, APrefetchBeginsAnew) {
    go_to_and_fro(kGpu0, kGpu1, 10);
    unified_prefetch(&memory_, 0, 1, kGpu1);
    for (unsigned i = 0; i < kThrashingThreshold + 1; ++i) EXPECT_TRUE(touch(i % 2 == 0 ? kGpu0 : kGpu1, 10)) << i;
}

/// What is known of a block ends with an epoch without thrashing, but not more often than the limit says.
TEST_F(Thrashing, AnEpochEndsIt) {
    for (unsigned i = 0; i <= kThrashingResets; ++i) {
        go_to_and_fro(kGpu0, kGpu2, 10);
        EXPECT_EQ(watched_.resets, i);
        memory_.now += kThrashingEpoch * kLapse;
        EXPECT_TRUE(touch(kGpu2, 10));
        EXPECT_EQ(watched_.watched, i == kThrashingResets);
    }
}

} // namespace
} // namespace numavp::test
