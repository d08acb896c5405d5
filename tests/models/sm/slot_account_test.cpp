/// The account of slots against one that looks at every warp in every cycle, in thousands of random steps.
#include <algorithm>
#include <array>
#include <numeric>

#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "models/sm/slot_account.h"

namespace numavp::test {
namespace {

/// What a scheduler's warps do in one cycle; the schedulers of `free` have a ready warp that could issue.
SlotCause cause_of(unsigned scheduler, unsigned schedulers, const SlotAccount::Warps& warps, unsigned free) {
    bool any = false, ready = false, not_for_queue = false, dependent = false, memory = false, page = false;
    for (unsigned w = scheduler; w < 64; w += schedulers) {
        const auto is = [w](std::uint64_t mask) { return (mask >> w & 1) != 0; };
        if (!is(warps.resident)) continue;
        any = true;
        if (is(warps.ready)) {
            ready = true;
            not_for_queue |= !is(warps.for_queue);
        } else if (is(warps.at_barrier)) {
            continue;
        } else if (is(warps.dependent)) {
            dependent = true;
        } else if (is(warps.untranslated)) {
            page = true;
        } else {
            memory = true;
        }
    }
    if (!any) return SlotCause::no_warp;
    if (ready && !not_for_queue) return SlotCause::queue_full;
    if (ready) return (free >> scheduler & 1) != 0 ? SlotCause::dependence : SlotCause::unit_busy;
    if (dependent) return SlotCause::dependence;
    if (memory) return SlotCause::memory;
    return page ? SlotCause::translation : SlotCause::barrier;
}

class AccountOfSlots : public ::testing::TestWithParam<unsigned> {};

TEST_P(AccountOfSlots, IsThatOfEachCycleByItself) {
    const unsigned schedulers = GetParam();
    SlotAccount account(schedulers);
    SlotCounts expected;
    Rng rng(schedulers);
    const auto thin = [&rng](unsigned times) { // one bit in 2 ^ times
        std::uint64_t bits = ~std::uint64_t{0};
        for (unsigned i = 0; i < times; ++i) bits &= rng.next();
        return bits;
    };
    const auto sparse = [&thin] { return thin(3); };
    const auto members = [schedulers](unsigned scheduler) {
        std::uint64_t warps = 0;
        for (unsigned w = scheduler; w < 64; w += schedulers) warps |= std::uint64_t{1} << w;
        return warps;
    };
    SlotAccount::Warps warps{};
    unsigned free = 0;
    std::array<Cycle, 8> until{};
    std::array<bool, 8> issued{};
    for (unsigned step = 0; step < 20000; ++step) {
        const Cycle from = account.from(), now = from + 1 + (rng.next() % 4 == 0 ? rng.next() % 9 : 0);
        account.charge(now, warps, [free](unsigned set) { return set & free; });
        for (Cycle c = from; c < now; ++c)
            for (unsigned s = 0; s < schedulers; ++s)
                ++expected[until[s] > c || (issued[s] && c == from) ? SlotCause::issued
                                                                    : cause_of(s, schedulers, warps, free)];
        expected.warp_cycles += (now - from) * static_cast<unsigned>(__builtin_popcountll(warps.resident));
        const auto same = [&](const char* when) {
            EXPECT_EQ(account.counts().slots, expected.slots) << "step " << step << ", " << when;
            EXPECT_EQ(account.counts().warp_cycles, expected.warp_cycles);
        };
        same("charged");
        ASSERT_EQ(std::accumulate(expected.slots.begin(), expected.slots.end(), Cycle{0}), now * schedulers);

        issued = {}; // by schedulers that have a warp, which may end with it
        for (unsigned s = 0; s < schedulers; ++s) {
            if (until[s] > now || (warps.resident & members(s)) == 0 || rng.next() % 3 != 0) continue;
            account.issued(s);
            issued[s] = true;
            if (rng.next() % 5 == 0) account.issued(s, until[s] = now + 2 + rng.next() % 12);
        }
        const std::uint64_t before = warps.resident;
        if (rng.next() % 3 == 0) warps.resident = sparse() | (rng.next() % 2 != 0 ? sparse() : 0);
        for (unsigned s = 0; s < schedulers; ++s)
            if (until[s] > now) warps.resident |= before & members(s);
        warps.ready = rng.next() % 2 == 0 ? 0 : warps.resident & sparse();
        warps.for_queue = rng.next() % 2 == 0 ? 0 : rng.next();
        warps.dependent = rng.next() % 2 == 0 ? 0 : warps.resident & thin(2);
        warps.at_barrier = rng.next() % 2 == 0 ? 0 : warps.resident & ~warps.ready & rng.next();
        warps.untranslated = rng.next() % 2 == 0 ? 0 : rng.next() | thin(1);
        free = static_cast<unsigned>(thin(2));
        if (warps.resident != before) {
            account.resident(before & warps.resident); // some end, and others come in their places
            account.resident(warps.resident);
        }
        same("with what comes");
        if (::testing::Test::HasFailure()) return;
    }
    EXPECT_EQ(std::count(expected.slots.begin(), expected.slots.end(), 0U), 0) << "a cause that never came";
}
INSTANTIATE_TEST_SUITE_P(Schedulers, AccountOfSlots, ::testing::Range(1U, 9U));

TEST(AccountOfSlots, LastWarpIsWhenNoneWasLeft) {
    SlotAccount account(4);
    EXPECT_EQ(account.counts().last_warp, 0U);
    for (const std::uint64_t warps : {5U, 4U}) {
        account.skip(account.from() + 10);
        account.resident(warps);
    }
    EXPECT_EQ(account.counts().last_warp, 0U);
    account.skip(30);
    account.resident(0);
    EXPECT_EQ(account.counts().last_warp, 30U);
}

} // namespace
} // namespace numavp::test
