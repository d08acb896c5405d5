/// A team's passes: all jobs are done, and what is shared comes in the order of the workers, not of the threads.
#include <array>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/time/team.h"

namespace numavp::test {
namespace {

constexpr unsigned kWorkers = 3;

class TeamOfThree : public ::testing::TestWithParam<bool> {
  protected:
    void pass(const Team::Job& job) { team_.pass(job, GetParam()); }
    Team team_{kWorkers};
};

TEST_P(TeamOfThree, DoesEachWorkersJobInEachPass) {
    std::array<std::atomic<unsigned>, kWorkers> done{};
    for (unsigned i = 0; i < 200; ++i) pass([&](unsigned worker) { ++done[worker]; });
    for (const auto& count : done) EXPECT_EQ(count, 200U);
}

TEST_P(TeamOfThree, MakesKeptCallsInTheOrderOfWorkers) {
    team_.draw_pauses(7);
    const std::vector<unsigned> expected = {0, 1, 10, 11, 20, 21};
    for (unsigned i = 0; i < 100; ++i) {
        std::vector<unsigned> calls;
        pass([&](unsigned worker) {
            for (const unsigned call : {0U, 1U})
                Team::in_turn([&calls, worker, call] { calls.push_back(10 * worker + call); });
        });
        EXPECT_TRUE(calls.empty()) << "made before the pass was settled";
        team_.settle();
        EXPECT_EQ(calls, expected);
        team_.settle();
        EXPECT_EQ(calls, expected) << "made twice";
    }
}

/// Packages whose numbers lie between those of other workers.
TEST_P(TeamOfThree, MakesKeptCallsInTheOrderOfPlaces) {
    for (unsigned i = 0; i < 20; ++i) {
        std::vector<unsigned> calls;
        pass([&](unsigned worker) {
            for (const unsigned place : {worker, kWorkers + worker})
                for (const char* name : {"first", "second"}) // a call of any size
                    Team::in_turn(
                        [&calls, place, text = std::string(name)] {
                            calls.push_back(2 * place + (text == "second" ? 1U : 0U));
                        },
                        place);
        });
        team_.settle();
        EXPECT_EQ(calls, (std::vector<unsigned>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
    }
}

/// A list that all append to in their turn, without a lock.
TEST_P(TeamOfThree, WaitsForLowerWorkersOnly) {
    team_.draw_pauses(3);
    for (unsigned i = 0; i < 300; ++i) {
        std::vector<unsigned> order;
        pass([&](unsigned worker) {
            Team::await_turn();
            order.push_back(worker);
        });
        ASSERT_EQ(order, (std::vector<unsigned>{0, 1, 2})) << "pass " << i;
    }
}

/// Passes on one thread between shared ones: a worker that has ended an earlier pass has not ended this one.
TEST(Team, KeepsTurnsWherePassesOfBothKindsMix) {
    Team team(2);
    team.draw_pauses(11);
    for (unsigned i = 0; i < 400; ++i) {
        std::vector<unsigned> order;
        team.pass(
            [&](unsigned worker) {
                if (worker == 0) std::this_thread::yield();
                Team::await_turn();
                order.push_back(worker);
            },
            i % 3 != 0);
        ASSERT_EQ(order, (std::vector<unsigned>{0, 1})) << "pass " << i;
    }
}

/// Workers that have waited for long sleep until the next pass.
TEST_P(TeamOfThree, WakesWorkersThatSleep) {
    std::array<std::atomic<unsigned>, kWorkers> done{};
    for (unsigned i = 0; i < 3; ++i) {
        pass([&](unsigned worker) { ++done[worker]; });
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
    }
    for (const auto& count : done) EXPECT_EQ(count, 3U);
}

TEST_P(TeamOfThree, ThrowsWhatTheLowestWorkerHasThrown) {
    std::string told;
    unsigned calls = 0;
    try {
        pass([&](unsigned worker) {
            Team::in_turn([&calls] { ++calls; });
            if (worker != 0) throw std::runtime_error("worker " + std::to_string(worker));
        });
    } catch (const std::runtime_error& error) {
        told = error.what();
    }
    EXPECT_EQ(told, "worker 1");
    team_.settle();
    EXPECT_EQ(calls, 2U) << "as far as one thread would have come";
    calls = 0;
    pass([&](unsigned) { Team::in_turn([&calls] { ++calls; }); });
    team_.settle();
    EXPECT_EQ(calls, kWorkers) << "the next pass is as any other";
}
INSTANTIATE_TEST_SUITE_P(All, TeamOfThree, ::testing::Bool(),
                         [](const auto& param) { return param.param ? "OnOneThread" : "SideBySide"; });

TEST(Team, OutsideOfAJobCallsAreMadeAtOnce) {
    bool called = false;
    Team::in_turn([&] { called = true; });
    EXPECT_TRUE(called);
    Team::await_turn(); // returns
}

} // namespace
} // namespace numavp::test
