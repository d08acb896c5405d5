/// Local-And-Balanced placement: the platform's, the firmware's, and what it promises.
#include <algorithm>

#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "models/paging/page_placement.h"
#include "sw/driver/policy.h"

namespace numavp::test {
namespace {

constexpr unsigned kMemories = 32;

std::uint32_t toucher_of(Rng& rng, unsigned skew) {
    const auto drawn = static_cast<std::uint32_t>(rng.below(kMemories));
    return rng.below(100) < skew ? drawn % 3 : drawn;
}

TEST(Lab, IsTheFirmwaresForThirtyTwoMemories) {
    const struct {
        const char* name;
        PlacementKind kind;
    } rows[] = {{"lab", PlacementKind::lab},
                {"lab_near", PlacementKind::lab_near},
                {"least_first", PlacementKind::least_first}};
    for (const auto& row : rows)
        for (const unsigned percent : {80U, 90U, 95U}) {
            PlacementConfig config;
            config.policy = row.kind;
            config.lab_percent = percent;
            const auto placement = make_page_placement(config);
            PolicyView view{};
            policy_view_init(&view, kMemories, 1, percent);
            MemoryUse use{std::vector<std::uint64_t>(kMemories, 0), 400};
            for (std::uint64_t& frames : view.frames) frames = 400;
            Rng rng(percent, 4);
            for (std::uint64_t page = 0; page < 5000; ++page) {
                const std::uint32_t toucher = toucher_of(rng, 70);
                const std::uint32_t wish = policy_ask(policy_named(row.name), &view, page, toucher, false);
                const std::uint32_t home = policy_next_best(&view, wish);
                const auto placed = placement->place(page, MemoryId(toucher), use);
                ASSERT_TRUE(placed.has_value());
                ASSERT_EQ(placed->value, home) << row.name << " " << percent << " page " << page;
                ++use.pages[home];
                ++view.pages[home];
            }
        }
}

// Ties: three memories have the fewest pages, one of them the toucher's.
TEST(Lab, TiesGoToTheLowestNumberOrToTheToucher) {
    MemoryUse use{{9, 2, 5, 2, 2, 9, 9, 9}, 400};
    const auto home = [&use](PlacementKind kind, std::size_t toucher) {
        PlacementConfig config;
        config.policy = kind;
        return make_page_placement(config)->place(0, MemoryId(toucher), use)->value;
    };
    EXPECT_EQ(home(PlacementKind::lab, 3), 1U);
    EXPECT_EQ(home(PlacementKind::lab_near, 3), 3U);
    EXPECT_EQ(home(PlacementKind::lab_near, 4), 4U);
    EXPECT_EQ(home(PlacementKind::lab_near, 2), 1U) << "2 has more pages than the fewest: no tie";
    use.capacity_pages = 2; // the equals are full: whoever asks gets the next best, and here there is none
    EXPECT_FALSE(LabPlacement(90, true).place(0, MemoryId(3), use).has_value());
}

// Below the threshold the next page goes to the memory with the fewest, whoever asks: so the balance never sinks
// twice in a row while it is below.
TEST(Lab, IsNeverBelowItsThresholdWithoutMendingIt) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        PlacementConfig config;
        config.policy = PlacementKind::lab;
        const auto placement = make_page_placement(config);
        MemoryUse use{std::vector<std::uint64_t>(kMemories, 0), 100000};
        const auto balance = [&use] {
            double sum = 0, most = 0;
            for (const std::uint64_t p : use.pages) {
                sum += static_cast<double>(p);
                most = std::max(most, static_cast<double>(p));
            }
            return most == 0 ? 1.0 : sum / (kMemories * most);
        };
        Rng rng(seed, 8);
        for (std::uint64_t page = 0; page < 4000; ++page) {
            const double before = balance();
            const auto home = placement->place(page, MemoryId(toucher_of(rng, 95)), use);
            ++use.pages[home->value];
            if (before <= 0.9 && page >= 1) {
                EXPECT_GE(balance(), before) << "seed " << seed << " page " << page;
            }
        }
        EXPECT_GT(balance(), 0.9 - 1.0 / kMemories) << seed;
    }
}

} // namespace
} // namespace numavp::test
