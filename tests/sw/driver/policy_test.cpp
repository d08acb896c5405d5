/// Policies directly, and Local-And-Balanced against Equation 1 of the NUBA paper.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "models/paging/page_placement.h"
#include "sw/driver/policy.h"

namespace {

using numavp::Rng;

PolicyView view_of(const std::vector<std::uint64_t>& pages, std::uint32_t percent = 90) {
    PolicyView view;
    policy_view_init(&view, static_cast<std::uint32_t>(pages.size()), 1, percent);
    std::copy(pages.begin(), pages.end(), view.pages);
    return view;
}

std::uint32_t ask(const char* policy, PolicyView& view, std::uint64_t page, std::uint32_t toucher) {
    return policy_ask(policy_named(policy), &view, page, toucher, false);
}

__extension__ using Wide = unsigned __int128;

/// A fraction of whole numbers, in lowest terms.
struct Fraction {
    Wide above = 0, below = 1;

    static Wide gcd(Wide a, Wide b) { return b == 0 ? a : gcd(b, a % b); }
    static Fraction of(Wide above, Wide below) {
        const Wide common = gcd(above, below);
        return {above / common, below / common};
    }
    Fraction operator+(const Fraction& o) const {
        const Wide common = gcd(below, o.below);
        return of(above * (o.below / common) + o.above * (below / common), below / common * o.below);
    }
    bool operator>(const Fraction& o) const { return above * o.below > o.above * below; }
    bool operator==(const Fraction& o) const { return above == o.above && below == o.below; }
};

/// Equation 1 term by term: (1/n) x sum of P_i / max(P).
Fraction equation_1(const std::vector<std::uint64_t>& pages) {
    const std::uint64_t most = *std::max_element(pages.begin(), pages.end());
    Fraction sum;
    for (const std::uint64_t p : pages) sum = sum + Fraction::of(p, most);
    return Fraction::of(sum.above, sum.below * pages.size());
}

long double equation_1_in_floating_point(const std::vector<std::uint64_t>& pages) {
    const long double most = static_cast<long double>(*std::max_element(pages.begin(), pages.end()));
    long double sum = 0;
    for (const std::uint64_t p : pages) sum += static_cast<long double>(p) / most;
    return sum / static_cast<long double>(pages.size());
}

/// Compares with both; answers whether the balance is exactly the threshold. Failures are counted, not each told.
struct Comparison {
    std::uint64_t states = 0, exactly_at = 0, wrong = 0, wrong_in_floating_point = 0;

    void compare(const std::vector<std::uint64_t>& pages, std::uint32_t percent) {
        const PolicyView view = view_of(pages, percent);
        const Fraction threshold = Fraction::of(percent, 100);
        const Fraction balance = equation_1(pages);
        const bool first_touch = policy_balanced(&view);
        ++states;
        if (balance == threshold) ++exactly_at;
        if (first_touch != (balance > threshold)) ++wrong;
        // Floating point knows no nine tenths: within its error of the threshold it can't tell.
        const long double distance = equation_1_in_floating_point(pages) - static_cast<long double>(percent) / 100;
        if (std::fabs(distance) > 1e-16L && first_touch != (distance > 0)) ++wrong_in_floating_point;
    }
};

/// All counts up to `most` in each of n memories, without the state that has no page.
Comparison compare_all(std::size_t n, std::uint64_t most, std::uint32_t percent) {
    Comparison comparison;
    std::vector<std::uint64_t> pages(n, 0);
    for (;;) {
        std::size_t i = 0;
        while (i < n && pages[i] == most) pages[i++] = 0;
        if (i == n) return comparison;
        ++pages[i];
        comparison.compare(pages, percent);
    }
}

TEST(Lab, IsEquation1ForAllSmallCounts) {
    Comparison all;
    for (const auto& [n, most] : {std::pair{1, 100}, {2, 40}, {3, 20}, {4, 10}, {5, 5}, {8, 2}}) {
        for (const std::uint32_t percent : {90U, 50U, 75U}) {
            const Comparison one = compare_all(static_cast<std::size_t>(n), static_cast<std::uint64_t>(most), percent);
            EXPECT_EQ(one.wrong, 0U) << n << " sockets, " << percent << " %";
            EXPECT_EQ(one.wrong_in_floating_point, 0U) << n << " sockets, " << percent << " %";
            all.states += one.states;
            all.exactly_at += one.exactly_at;
        }
    }
    EXPECT_GT(all.states, 100000U);
    EXPECT_GT(all.exactly_at, 100U) << "the states that decide between > and >= were not among them";
}

TEST(Lab, IsEquation1ForLargeCounts) {
    Rng rng(4);
    Comparison all;
    for (int i = 0; i < 100000; ++i) {
        const std::uint64_t most = std::uint64_t{1} << (1 + rng.below(52)); // 2^52 pages of 4 KiB are 2^64 bytes
        std::vector<std::uint64_t> pages(1 + rng.below(kPolicyMaxSockets));
        for (std::uint64_t& p : pages) p = most - rng.below(rng.chance(1, 2) ? most / 4 + 1 : most);
        all.compare(pages, static_cast<std::uint32_t>(rng.below(101)));
        // And right at the threshold: n memories of 10 k pages of which one lacks n k.
        const std::uint64_t k = 1 + rng.below(std::uint64_t{1} << 45);
        std::vector<std::uint64_t> even(1 + rng.below(10), 10 * k);
        even.front() -= even.size() * k;
        if (even.size() == 1) even.push_back(8 * k), even.front() = 10 * k;
        all.compare(even, 90);
        even.back() += 1;
        all.compare(even, 90);
    }
    EXPECT_EQ(all.wrong, 0U);
    EXPECT_EQ(all.wrong_in_floating_point, 0U);
    EXPECT_GE(all.exactly_at, 100000U);
}

TEST(Lab, StartsWithFirstTouchThenFillsTheLeastAndReturns) {
    PolicyView view = view_of({0, 0, 0, 0});
    EXPECT_EQ(ask("lab", view, 7, 2), 2U) << "no pages yet: first touch";
    view = view_of({0, 0, 1, 0});
    EXPECT_EQ(ask("lab", view, 8, 2), 0U) << "all on one: least-first, the lowest index among equals";
    view = view_of({1, 0, 1, 0});
    EXPECT_EQ(ask("lab", view, 9, 2), 1U);
    view = view_of({1, 1, 1, 1});
    EXPECT_EQ(ask("lab", view, 10, 2), 2U) << "in balance: first touch";
    view = view_of({10, 10, 10, 6});
    EXPECT_EQ(ask("lab", view, 11, 0), 3U) << "0.9 is not above 0.9";
    view = view_of({10, 10, 10, 7});
    EXPECT_EQ(ask("lab", view, 12, 0), 0U);
}

TEST(Lab, ThresholdDecides) {
    const std::vector<std::uint64_t> pages = {10, 5, 5, 5}; // 0.625
    for (const auto& [percent, home] : {std::pair{62U, 0U}, {63U, 1U}, {0U, 0U}, {100U, 1U}}) {
        PolicyView view = view_of(pages, percent);
        EXPECT_EQ(ask("lab", view, 1, 0), home) << percent << " %";
    }
}

TEST(Policies, AllAnswerASocketWhateverTheState) {
    Rng rng(1);
    std::vector<std::uint64_t> own(kPolicyMaxWords);
    const std::vector<std::uint8_t> routers(kPolicyMaxSockets, 2);
    for (std::uint32_t i = 0; i < policy_count(); ++i) {
        for (std::uint32_t n = 1; n <= kPolicyMaxSockets; ++n) {
            PolicyView view;
            policy_view_init(&view, n, rng.next(), 90);
            view.own = own.data();
            view.routers = routers.data();
            for (int k = 0; k < 200; ++k) {
                for (std::uint32_t m = 0; m < n; ++m) view.pages[m] = rng.below(3);
                const auto toucher = static_cast<std::uint32_t>(rng.below(n));
                const std::uint64_t page = rng.next() >> 12;
                ASSERT_LT(policy_ask(policy_at(i), &view, page, toucher, rng.chance(1, 2)), n) << policy_at(i)->name;
            }
            EXPECT_EQ(view.calls, 200U);
        }
    }
}

TEST(Policies, TableIsFoundByNameAndByNumber) {
    const std::vector<std::string> names = {"first_touch", "round_robin", "page_interleave", "random",
                                            "least_first", "lab",         "lab_near"};
    ASSERT_GE(policy_count(), names.size());
    for (std::uint32_t i = 0; i < names.size(); ++i) {
        EXPECT_EQ(policy_at(i)->name, names[i]) << "firmware and platform count on the order";
    }
    for (std::uint32_t i = 0; i < policy_count(); ++i) {
        EXPECT_EQ(policy_named(policy_at(i)->name), policy_at(i)) << "a name stands twice";
        EXPECT_EQ(policy_index(policy_at(i)), i);
        EXPECT_GT(std::string(policy_at(i)->doc).size(), 10U);
        EXPECT_EQ(policy_fault(policy_at(i)), nullptr);
    }
    EXPECT_EQ(policy_at(policy_count()), nullptr);
    for (const char* name : {"", "la", "labs", "Lab", "own"}) EXPECT_EQ(policy_named(name), nullptr) << name;
}

TEST(Policies, RoundRobinInterleaveLeastAndFirstTouch) {
    PolicyView view = view_of({5, 3, 3});
    for (std::uint32_t k = 0; k < 7; ++k) EXPECT_EQ(ask("round_robin", view, 100 - k, 1), k % 3);
    for (std::uint64_t page = 1000; page < 1007; ++page) EXPECT_EQ(ask("page_interleave", view, page, 1), page % 3);
    EXPECT_EQ(ask("least_first", view, 1, 0), 1U);
    view.pages[2] = 2;
    EXPECT_EQ(ask("least_first", view, 1, 0), 2U);
    for (std::uint32_t toucher = 0; toucher < 3; ++toucher) EXPECT_EQ(ask("first_touch", view, 9, toucher), toucher);
}

TEST(Policies, RandomIsEvenAndRepeatsForASeed) {
    for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
        PolicyView view, again;
        policy_view_init(&view, 3, seed, 90);
        policy_view_init(&again, 3, seed, 90);
        std::vector<double> drawn(3, 0);
        for (int i = 0; i < 30000; ++i) {
            const std::uint32_t home = ask("random", view, 1, 0);
            ASSERT_EQ(home, ask("random", again, 2, 1));
            drawn[home] += 1;
        }
        double chi_square = 0;
        for (const double d : drawn) chi_square += (d - 10000) * (d - 10000) / 10000;
        EXPECT_LT(chi_square, 13.8) << "seed " << seed << ": one in a thousand is as uneven"; // 2 degrees of freedom
    }
    PolicyView one, other;
    policy_view_init(&one, 16, 1, 90);
    policy_view_init(&other, 16, 2, 90);
    int equal = 0;
    for (int i = 0; i < 1000; ++i) equal += ask("random", one, 0, 0) == ask("random", other, 0, 0) ? 1 : 0;
    EXPECT_LT(equal, 120) << "neighbouring seeds choose alike"; // 62.5 expected
}

/// Marsaglia's generator with the triple 13, 7, 17, worked out by hand for the state 1.
TEST(Policies, RandomIsXorshift64) {
    PolicyView view = view_of({0, 0});
    view.random = 1;
    ask("random", view, 0, 0);
    EXPECT_EQ(view.random, 1082269761U);
    ask("random", view, 0, 0);
    EXPECT_EQ(view.random, 1152992998833853505U);
}

/// The state of a seed: 2^64 over the golden ratio times the seed's successor, its upper half folded into the lower.
TEST(Policies, ASeedsStateIsAsWorkedOutByHand) {
    PolicyView view;
    policy_view_init(&view, 2, 0, 90);
    EXPECT_EQ(view.random, 0x9e3779b9e17d05acU);
    policy_view_init(&view, 2, ~std::uint64_t{0}, 90);
    EXPECT_EQ(view.random, 1U) << "0 is the one state that is never left";
}

/// The platform's own placement, in C++, says the same.
TEST(Policies, NextBestIsThatOfThePlatform) {
    Rng rng(2);
    for (int i = 0; i < 20000; ++i) {
        PolicyView view = view_of(std::vector<std::uint64_t>(1 + rng.below(6)));
        numavp::MemoryUse use;
        use.capacity_pages = 1 + rng.below(4);
        for (std::uint32_t m = 0; m < view.sockets; ++m) {
            view.frames[m] = use.capacity_pages;
            view.pages[m] = rng.below(use.capacity_pages + 1);
            use.pages.push_back(view.pages[m]);
        }
        const auto wish = static_cast<std::uint32_t>(rng.below(view.sockets));
        const auto expected = numavp::place_or_next_best(numavp::MemoryId(wish), use);
        EXPECT_EQ(policy_next_best(&view, wish), expected ? expected->value : view.sockets);
    }
}

TEST(Policies, NextBestKnowsMemoriesOfDifferentSizes) {
    PolicyView view = view_of({8, 2, 5});
    view.frames[0] = 8;
    view.frames[1] = 2;
    view.frames[2] = 9;
    EXPECT_EQ(policy_next_best(&view, 0), 2U) << "the one with the fewest pages is full";
    view.frames[2] = 5;
    EXPECT_EQ(policy_next_best(&view, 0), 3U) << "all are full";
}

} // namespace
