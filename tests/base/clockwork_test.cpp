/// The clockwork: edges of several clocks, what is far, the two passes, and who comes first.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <systemc>

#include "base/time/clockwork.h"
#include "base/values/error.h"
#include "base/values/rng.h"

namespace numavp {
namespace {

constexpr std::uint64_t kGigahertz = 1'000'000; // in kHz
constexpr std::uint64_t kNuba = 1'410'000;      // 1.41 GHz: the period is no whole number of ps

/// Something that is delivered, and writes down when.
struct Mark final : Node, Handler {
    explicit Mark(ClockDomain& d) : domain(d) { handler = this; }
    void deliver(Node&) override {
        edges.push_back(domain.now());
        times_ps.push_back(sc_now_ps());
        if (action) action();
    }
    ClockDomain& domain;
    std::vector<Cycle> edges;
    std::vector<std::uint64_t> times_ps;
    std::function<void()> action;
};

struct Decider final : Arbiter {
    Decider(ClockDomain& domain, Rank rank, std::vector<std::string>& log, std::string name)
        : Arbiter(domain, rank), log_(log), name_(std::move(name)) {}
    void arbitrate() override {
        log_.push_back(name_);
        edges.push_back(domain_.now());
        times_ps.push_back(sc_now_ps());
        if (action) action();
    }
    std::vector<Cycle> edges;
    std::vector<std::uint64_t> times_ps;
    std::function<void()> action;

  private:
    std::vector<std::string>& log_;
    std::string name_;
};

/// Runs `body` in a thread from time 0 on.
struct Outside final : sc_core::sc_module {
    SC_HAS_PROCESS(Outside);
    Outside(sc_core::sc_module_name name, std::function<void()> body) : sc_module(name), body_(std::move(body)) {
        SC_THREAD(run);
    }
    void run() { body_(); }

  private:
    std::function<void()> body_;
};

TEST(Clockwork, EdgeTimesAreTheExactFractionRoundedOnce) {
    Clockwork clockwork("clockwork");
    for (const std::uint64_t khz :
         {kGigahertz, kNuba, std::uint64_t{1}, std::uint64_t{1'132'000}, std::uint64_t{3'333'333}}) {
        const ClockDomain& domain = clockwork.domain(khz);
        Rng rng(khz);
        for (unsigned i = 0; i < 200'000; ++i) {
            const Cycle edge = i < 1000 ? i : rng.below(1'000'000'001);
            const unsigned __int128 ps = domain.edge_ps(edge);
            // |ps - edge * 10^9 / khz| <= 1/2, without a division
            const auto have = static_cast<__int128>(2 * ps * khz);
            const auto want = static_cast<__int128>(static_cast<unsigned __int128>(edge) * 2'000'000'000);
            ASSERT_LE(have > want ? have - want : want - have, static_cast<__int128>(khz))
                << khz << " kHz, edge " << edge;
            ASSERT_LT(domain.edge_ps(edge), domain.edge_ps(edge + 1));
        }
    }
    EXPECT_EQ(clockwork.domain(kGigahertz).edge_ps(1'000'000'000), 1'000'000'000'000ULL);
    EXPECT_EQ(clockwork.domain(kNuba).edge_ps(1'410'000'000), 1'000'000'000'000ULL) << "a second, without drift";
    EXPECT_EQ(clockwork.domain(kNuba).edge_ps(1), 709ULL);
    EXPECT_EQ(clockwork.domain(kNuba).edge_ps(2), 1418ULL);
    EXPECT_EQ(clockwork.domain(kNuba).edge_ps(3), 2128ULL) << "not three rounded periods";
}

/// Below some edges, times and frequencies 64 bits suffice: around these, and far beyond.
TEST(Clockwork, EdgesAreFoundByTheirTimes) {
    Clockwork clockwork("clockwork");
    for (const std::uint64_t khz : {std::uint64_t{1}, std::uint64_t{700'000}, kNuba, (std::uint64_t{1} << 24) - 1,
                                    std::uint64_t{1} << 24, std::uint64_t{20'000'003}}) {
        const ClockDomain& domain = clockwork.domain(khz);
        EXPECT_EQ(domain.edge_by(0), 0U);
        const std::uint64_t at_2_40_ps =
            static_cast<std::uint64_t>((static_cast<unsigned __int128>(khz) << 40) / 1'000'000'000);
        for (const Cycle middle : {Cycle{3}, Cycle{at_2_40_ps + 3}, Cycle{1} << 33, Cycle{1} << 34}) {
            for (Cycle edge = middle - 3; edge <= middle + 3; ++edge) {
                const auto exact = (static_cast<unsigned __int128>(edge) * 1'000'000'000 + khz / 2) / khz;
                if (exact >> 63 != 0) continue;
                const std::uint64_t ps = domain.edge_ps(edge);
                ASSERT_EQ(ps, static_cast<std::uint64_t>(exact)) << khz << " kHz, edge " << edge;
                ASSERT_EQ(domain.edge_by(ps), edge) << khz << " kHz";
                if (edge == 0) continue;
                ASSERT_EQ(domain.edge_by(ps - 1), edge - 1) << khz << " kHz";
            }
        }
    }
}

TEST(Clockwork, EverythingComesAtItsEdgeHoweverFar) {
    Clockwork clockwork("clockwork");
    ClockDomain& domain = clockwork.domain(kNuba);
    std::vector<std::unique_ptr<Mark>> marks;
    const std::vector<Cycle> edges = {1,    2,    63,   64,   65,   1022,      1023,          1024,
                                      1025, 1026, 2047, 2048, 4096, 1'000'000, 1'000'000'000, 1'000'001'023};
    Mark start(domain);
    start.action = [&] {
        for (const Cycle edge : edges) {
            marks.push_back(std::make_unique<Mark>(domain));
            domain.at(1 + edge, *marks.back());
        }
    };
    domain.at(1, start);
    sc_core::sc_start();
    ASSERT_EQ(marks.size(), edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i) {
        ASSERT_EQ(marks[i]->edges, std::vector<Cycle>{1 + edges[i]});
        EXPECT_EQ(marks[i]->times_ps.front(), domain.edge_ps(1 + edges[i]));
    }
    EXPECT_TRUE(clockwork.idle());
    EXPECT_EQ(clockwork.deliveries(), edges.size() + 1);
}

TEST(Clockwork, WhatIsSentFirstForAnEdgeComesFirstAlsoFromAfar) {
    Clockwork clockwork("clockwork");
    ClockDomain& domain = clockwork.domain(kGigahertz);
    std::vector<int> order;
    std::vector<std::unique_ptr<Mark>> marks;
    const auto mark = [&](int number) -> Mark& {
        marks.push_back(std::make_unique<Mark>(domain));
        marks.back()->action = [&order, number] { order.push_back(number); };
        return *marks.back();
    };
    Mark near(domain);
    near.action = [&] { // on the wheel now: later than what was far
        domain.at(3000, mark(2));
        domain.at(3000, mark(3));
    };
    domain.at(3000, mark(0));
    domain.at(3000, mark(1));
    domain.at(2500, near);
    sc_core::sc_start();
    EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3}));
}

/// Handlers 0 to 4 get ten nodes each, sent in turn; who got one when, as one order.
std::vector<unsigned> order_of_deliveries(std::optional<std::uint64_t> shuffle_seed) {
    struct Numbered final : Node {
        unsigned handler_number = 0, number = 0;
    };
    struct Logger final : Handler {
        void deliver(Node& node) override {
            const auto& n = static_cast<Numbered&>(node);
            EXPECT_EQ(n.number, next++) << "a handler's own nodes keep their order";
            log->push_back(n.handler_number);
        }
        std::vector<unsigned>* log = nullptr;
        unsigned next = 0;
    };
    Clockwork clockwork("clockwork");
    ClockDomain& domain = clockwork.domain(kGigahertz);
    if (shuffle_seed) clockwork.shuffle_deliveries(*shuffle_seed);
    std::vector<unsigned> log;
    std::array<Logger, 5> handlers;
    std::array<Numbered, 50> nodes;
    for (unsigned i = 0; i < nodes.size(); ++i) {
        handlers[i % handlers.size()].log = &log;
        nodes[i].handler = &handlers[i % handlers.size()];
        nodes[i].handler_number = static_cast<unsigned>(i % handlers.size());
        nodes[i].number = static_cast<unsigned>(i / handlers.size());
        domain.at(3, nodes[i]);
    }
    sc_core::sc_start();
    EXPECT_EQ(log.size(), nodes.size());
    return log;
}

class Shuffled : public ::testing::TestWithParam<std::optional<std::uint64_t>> {};

TEST_P(Shuffled, HandlersAreMixedAndEachKeepsItsOrder) {
    const std::vector<unsigned> log = order_of_deliveries(GetParam());
    std::vector<unsigned> as_sent(50);
    for (unsigned i = 0; i < as_sent.size(); ++i) as_sent[i] = i % 5;
    EXPECT_EQ(log == as_sent, !GetParam().has_value());
}
INSTANTIATE_TEST_SUITE_P(Seeds, Shuffled,
                         ::testing::Values(std::nullopt, std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 40));

TEST(Clockwork, AnEdgeThatHasPassedBecomesTheNext) {
    Clockwork clockwork("clockwork");
    ClockDomain& domain = clockwork.domain(kGigahertz);
    Mark late(domain);
    Mark start(domain);
    start.action = [&] { domain.at(7, late); };
    domain.at(10, start);
    sc_core::sc_start();
    EXPECT_EQ(late.edges, std::vector<Cycle>{11});
}

TEST(Clockwork, AllDeliveriesComeBeforeAllDecisionsAndRankDecidesTheOrder) {
    std::vector<unsigned> order(130); // more than one word of bits
    for (unsigned i = 0; i < order.size(); ++i) order[i] = i;
    Rng rng(7);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);

    Clockwork clockwork("clockwork");
    ClockDomain& domain = clockwork.domain(kGigahertz);
    std::vector<std::string> log;
    std::vector<std::unique_ptr<Decider>> deciders;
    std::vector<std::unique_ptr<Mark>> marks;
    const auto rank = [](unsigned i) {
        return Rank{static_cast<std::uint16_t>(i / 40), static_cast<std::uint16_t>(i / 10 % 4), i % 10};
    };
    for (const unsigned i : order) // built in any order, woken in any other
        deciders.push_back(std::make_unique<Decider>(domain, rank(i), log, std::to_string(i)));
    for (std::size_t i = 0; i < deciders.size(); ++i) {
        marks.push_back(std::make_unique<Mark>(domain));
        marks.back()->action = [&, i] {
            EXPECT_TRUE(log.empty()) << "a decision before the last delivery";
            deciders[deciders.size() - 1 - i]->wake();
            deciders[i]->wake(); // twice is once
        };
        domain.at(5, *marks.back());
    }
    sc_core::sc_start();
    ASSERT_EQ(log.size(), order.size());
    for (unsigned i = 0; i < log.size(); ++i) EXPECT_EQ(log[i], std::to_string(i));
    EXPECT_EQ(sc_now_ps(), 5000U);
}

/// More arbiters than 64 words of 64 bits for each of 64 coarse bits: those that were woken decide, in their order.
TEST(Clockwork, ALargeMachineHasAllItsArbiters) {
    constexpr unsigned kArbiters = 300'000, kStep = 997;
    Clockwork clockwork("clockwork");
    ClockDomain& domain = clockwork.domain(kGigahertz);
    struct Counting final : Arbiter {
        Counting(ClockDomain& d, Rank rank, std::vector<unsigned>& l, unsigned n)
            : Arbiter(d, rank), log(l), number(n) {}
        void arbitrate() override { log.push_back(number); }
        std::vector<unsigned>& log;
        unsigned number;
    };
    std::vector<unsigned> log;
    std::vector<std::unique_ptr<Counting>> arbiters;
    for (unsigned i = 0; i < kArbiters; ++i)
        arbiters.push_back(
            std::make_unique<Counting>(domain, Rank{static_cast<std::uint16_t>(i >> 8), 0, i & 255}, log, i));
    Mark start(domain);
    start.action = [&] {
        for (unsigned i = kArbiters; i-- > 0;)
            if (i % kStep == 0 || i + 1 == kArbiters) arbiters[i]->wake();
    };
    domain.at(4, start);
    sc_core::sc_start();
    std::vector<unsigned> expected;
    for (unsigned i = 0; i < kArbiters; ++i)
        if (i % kStep == 0 || i + 1 == kArbiters) expected.push_back(i);
    EXPECT_EQ(log, expected);
}

TEST(Clockwork, AWakeFromADeliveryActsNowAndFromADecisionNext) {
    Clockwork clockwork("clockwork");
    ClockDomain& domain = clockwork.domain(kGigahertz);
    std::vector<std::string> log;
    Decider decider(domain, {0, 1, 0}, log, "d");
    Decider other(domain, {0, 1, 1}, log, "o");
    decider.action = [&] {
        if (decider.edges.size() == 1) {
            decider.wake();
            other.wake();
        }
    };
    Mark start(domain);
    start.action = [&] { decider.wake(); };
    domain.at(4, start);
    sc_core::sc_start();
    EXPECT_EQ(decider.edges, (std::vector<Cycle>{4, 5}));
    EXPECT_EQ(other.edges, (std::vector<Cycle>{5}));
}

TEST(Clockwork, ADistantWakeComesAtItsEdge) {
    Clockwork clockwork("clockwork");
    ClockDomain& domain = clockwork.domain(kGigahertz);
    std::vector<std::string> log;
    Decider decider(domain, {0, 1, 0}, log, "d");
    const std::vector<Cycle> edges = {11, 73, 74, 75, 1033, 1034, 1035, 1'000'000};
    Mark start(domain);
    start.action = [&] {
        for (const Cycle edge : edges) decider.wake_at(edge);
        decider.wake_at(3); // passed: the next
    };
    domain.at(10, start);
    sc_core::sc_start();
    EXPECT_EQ(decider.edges, edges);
}

TEST(Clockwork, ClocksThatMeetShareTheirPasses) {
    Clockwork clockwork("clockwork");
    ClockDomain& slow = clockwork.domain(kGigahertz / 2);
    ClockDomain& fast = clockwork.domain(kGigahertz);
    std::vector<std::string> log;
    Decider slow_decider(slow, {0, 1, 0}, log, "slow");
    Decider fast_decider(fast, {9, 9, 9}, log, "fast");
    Mark at_slow(slow);
    Mark at_fast(fast);
    at_slow.action = [&] {
        log.emplace_back("deliver slow");
        slow_decider.wake();
    };
    at_fast.action = [&] {
        log.emplace_back("deliver fast");
        fast_decider.wake();
    };
    slow.at(3, at_slow); // both at 6 ns
    fast.at(6, at_fast);
    sc_core::sc_start();
    EXPECT_EQ(log, (std::vector<std::string>{"deliver fast", "deliver slow", "fast", "slow"}));
}

TEST(Clockwork, AClockThatWasIdleKeepsTime) {
    Clockwork clockwork("clockwork");
    ClockDomain& busy = clockwork.domain(kGigahertz);
    ClockDomain& idle = clockwork.domain(kNuba);
    std::vector<std::string> log;
    Decider decider(idle, {0, 1, 0}, log, "d");
    Mark answer(idle);
    Mark start(busy);
    start.action = [&] { // a port of one clock calls a module of another that has slept for long
        decider.wake();
        idle.at(idle.now() + 1, answer);
    };
    busy.at(5000, start);
    sc_core::sc_start();
    const Cycle next = 7050; // 5 us at 1.41 GHz is edge 7050 exactly: the next one
    ASSERT_EQ(decider.edges.size(), 1U);
    EXPECT_EQ(decider.times_ps.front(), idle.edge_ps(decider.edges.front()))
        << "executed at another time than its edge's";
    EXPECT_EQ(decider.edges, std::vector<Cycle>{next + 1});
    EXPECT_EQ(answer.edges, std::vector<Cycle>{next + 1});
    EXPECT_EQ(answer.times_ps, std::vector<std::uint64_t>{idle.edge_ps(next + 1)});
}

TEST(Clockwork, ACallFromOutsideWaitsForTheNextEdge) {
    Clockwork clockwork("clockwork");
    ClockDomain& domain = clockwork.domain(kGigahertz);
    Mark at_zero(domain);
    Mark between(domain);
    Mark on_edge(domain);
    Mark planned(domain);
    Outside outside("outside", [&] {
        domain.at_from_outside(0, at_zero);
        sc_core::wait(sc_core::sc_time(2500, sc_core::SC_PS));
        domain.at_from_outside(1, between);
        sc_core::wait(sc_core::sc_time(1500, sc_core::SC_PS));
        domain.at_from_outside(0, on_edge);
        sc_core::wait(sc_core::sc_time(1, sc_core::SC_NS));
        domain.at_from_outside(2000, planned);
    });
    sc_core::sc_start();
    EXPECT_EQ(at_zero.edges, std::vector<Cycle>{1});
    EXPECT_EQ(at_zero.times_ps, std::vector<std::uint64_t>{1000}) << "edge 1 is at 1 ns, also when asked for at time 0";
    EXPECT_EQ(between.times_ps, std::vector<std::uint64_t>{3000});
    EXPECT_EQ(on_edge.times_ps, std::vector<std::uint64_t>{5000});
    EXPECT_EQ(planned.times_ps, std::vector<std::uint64_t>{2'000'000});
}

TEST(Clockwork, WhatIsPlannedBeforeTheStartComesAtItsTime) {
    Clockwork clockwork("clockwork");
    ClockDomain& domain = clockwork.domain(kGigahertz);
    Mark early(domain);
    domain.at_from_outside(3, early);
    sc_core::sc_start();
    EXPECT_EQ(early.times_ps, std::vector<std::uint64_t>{3000});
}

TEST(Clockwork, TwoArbitersOfOneRankAreAMistake) {
    Clockwork clockwork("clockwork");
    ClockDomain& domain = clockwork.domain(kGigahertz);
    std::vector<std::string> log;
    Decider a(domain, {1, 2, 3}, log, "a");
    Decider b(domain, {1, 2, 3}, log, "b");
    EXPECT_THROW(sc_core::sc_start(sc_core::SC_ZERO_TIME), sc_core::sc_report);
}

/// SystemC has one thread: what is delivered to the system's own part runs on the caller's, whoever shares an edge.
TEST(Clockwork, TheSystemsDeliveriesAreOnTheCallersThread) {
    constexpr unsigned kWorkers = 2;
    constexpr Cycle kEdges = 200;
    Clockwork clockwork("clockwork", kWorkers);
    clockwork.draw_pauses(1); // one edge of eight is shared
    std::set<std::thread::id> of_system, of_workers;
    std::vector<std::unique_ptr<Mark>> marks;
    for (unsigned shard = 0; shard <= kWorkers; ++shard) {
        auto mark = std::make_unique<Mark>(clockwork.domain(kGigahertz, shard));
        Mark& own = *mark;
        std::set<std::thread::id>& threads = shard == kWorkers ? of_system : of_workers;
        own.action = [&own, &threads, shard] {
            if (shard != 0) threads.insert(std::this_thread::get_id()); // shard 0 is the caller's always
            if (own.domain.now() < kEdges) own.domain.at(own.domain.now() + 1, own);
        };
        own.domain.at_from_outside(1, own);
        marks.push_back(std::move(mark));
    }
    sc_core::sc_start();
    for (const auto& mark : marks) EXPECT_EQ(mark->edges.size(), kEdges);
    EXPECT_EQ(of_system, std::set<std::thread::id>{std::this_thread::get_id()});
    EXPECT_EQ(of_workers.size(), 2U) << "edges were shared, and not all";
}

TEST(Clockwork, FailStopsAndKeepsTheFirstSentence) {
    Clockwork clockwork("clockwork");
    ClockDomain& domain = clockwork.domain(kGigahertz);
    Mark fails(domain);
    Mark never(domain);
    fails.action = [&] {
        clockwork.fail("memory is full");
        clockwork.fail("a consequence");
    };
    domain.at(3, fails);
    domain.at(4, never);
    sc_core::sc_start();
    EXPECT_EQ(clockwork.failure(), "memory is full");
    EXPECT_TRUE(never.edges.empty());
}

TEST(Clockwork, AnotherTimeResolutionIsRefusedBeforeAnythingIsSimulated) {
    for (const sc_core::sc_time_unit unit : {sc_core::SC_FS, sc_core::SC_NS}) {
        EXPECT_EXIT(
            {
                sc_core::sc_set_time_resolution(1, unit);
                try {
                    const Clockwork clockwork("clockwork");
                } catch (const ConfigError& error) {
                    std::cerr << error.what();
                    std::_Exit(2);
                }
                std::_Exit(0);
            },
            ::testing::ExitedWithCode(2),
            "^sc_set_time_resolution: SystemC counts in steps of 1 .s, and numavp counts in ps; 1 ps is expected");
    }
}

} // namespace
} // namespace numavp
