/// The rule by which ways are chosen, against a search of all ways; and routings that follow it.
#include <algorithm>
#include <tuple>

#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "tlm-links/topology/explicit_network.h"
#include "tlm-links/topology/graph/best_ways.h"
#include "tlm-links/topology/graph/dependencies.h"
#include "tlm-links/topology/up_down_routing.h"

namespace numavp::test {
namespace {

constexpr Transit kRouter = Transit::router, kCpu = Transit::cpu, kEnd = Transit::endpoint;

/// What counts of a way, in its order: endpoints and CPUs passed, hops, and the slowest link with its sign turned.
using Counted = std::tuple<unsigned, unsigned, unsigned, double>;

/// The best of all ways without a part twice; more hops than parts if there is none.
class AllWays {
  public:
    AllWays(const std::vector<Transit>& parts, const std::vector<WayLink>& links)
        : parts_(parts), links_(links), visited_(parts.size(), false) {}

    Counted best(unsigned from, unsigned to) {
        best_ = {~0U, 0, 0, 0};
        go(from, to, {0, 0, 0, -1e9});
        return best_;
    }

  private:
    void go(unsigned at, unsigned to, Counted so_far) {
        if (at == to) {
            best_ = std::min(best_, so_far);
            return;
        }
        visited_[at] = true;
        for (const WayLink& link : links_) {
            if (link.from != at || visited_[link.to]) continue;
            auto [ends, cpus, hops, slowest] = so_far;
            const bool passed = link.to != to;
            go(link.to, to,
               {ends + (passed && parts_[link.to] == kEnd ? 1 : 0), cpus + (passed && parts_[link.to] == kCpu ? 1 : 0),
                hops + 1, std::max(slowest, -link.gbytes_per_s)});
        }
        visited_[at] = false;
    }

    const std::vector<Transit>& parts_;
    const std::vector<WayLink>& links_;
    std::vector<bool> visited_;
    Counted best_;
};

void join(std::vector<WayLink>& links, unsigned a, unsigned b, double gbytes_per_s) {
    links.push_back({a, b, gbytes_per_s});
    links.push_back({b, a, gbytes_per_s});
}

/// Parts on the way from one to another, by the first next part that begins a best way.
std::vector<unsigned> way_of(const BestWays& ways, unsigned from, unsigned to) {
    const std::vector<WayCost> costs = ways.to(to);
    std::vector<unsigned> parts{from};
    while (parts.back() != to && costs[from].exists()) {
        const unsigned at = parts.back();
        for (const BestWays::Next& next : ways.next(at))
            if (ways.begins(costs[at], next, costs[next.part], to)) {
                parts.push_back(next.part);
                break;
            }
    }
    return parts;
}

using Parts = std::vector<unsigned>;

/// 200 random graphs of 2 to 7 parts: what a walk along the tables passes is the best of all ways.
TEST(BestWays, AreTheBestOfAllWays) {
    Rng random(11);
    unsigned ways_found = 0, forced = 0;
    for (unsigned round = 0; round < 200; ++round) {
        const auto count = static_cast<unsigned>(2 + random.below(6));
        std::vector<Transit> parts;
        for (unsigned p = 0; p < count; ++p) parts.push_back(static_cast<Transit>(random.below(3)));
        std::vector<WayLink> links;
        for (unsigned a = 0; a < count; ++a)
            for (unsigned b = 0; b < count; ++b)
                if (a != b && random.below(3) == 0)
                    links.push_back({a, b, 10.0 * static_cast<double>(1 + random.below(3))});
        const BestWays ways(parts, links);
        AllWays all(parts, links);
        for (unsigned from = 0; from < count; ++from)
            for (unsigned to = 0; to < count; ++to) {
                const Counted best = all.best(from, to);
                const WayCost cost = ways.to(to)[from];
                ASSERT_EQ(cost.exists(), std::get<0>(best) != ~0U) << round;
                if (!cost.exists() || from == to) continue;
                EXPECT_EQ(cost.endpoints(), std::get<0>(best)) << round;
                EXPECT_EQ(cost.cpus(), std::get<1>(best)) << round;
                EXPECT_EQ(cost.hops(), std::get<2>(best)) << round;
                EXPECT_EQ(cost.is_forced(), std::get<0>(best) + std::get<1>(best) != 0) << round;
                double slowest = 1e9;
                const Parts way = way_of(ways, from, to);
                ASSERT_EQ(way.size(), cost.hops() + 1U) << round;
                for (std::size_t i = 0; i + 1 < way.size(); ++i)
                    for (const WayLink& link : links)
                        if (link.from == way[i] && link.to == way[i + 1])
                            slowest = std::min(slowest, link.gbytes_per_s);
                EXPECT_EQ(-slowest, std::get<3>(best)) << round;
                ++ways_found;
                forced += cost.is_forced() ? 1 : 0;
            }
    }
    EXPECT_GT(ways_found, 1000U);
    EXPECT_GT(forced, 100U);
}

/// 0 and 1 at the switch 2, and at the CPU 3 with a link that is as fast.
TEST(BestWays, LeadAroundACpuUnlessItIsTransit) {
    std::vector<WayLink> links;
    for (const unsigned end : {0U, 1U}) {
        join(links, end, 2, 10);
        join(links, end, 3, 100);
    }
    EXPECT_EQ(way_of(BestWays({kEnd, kEnd, kRouter, kCpu}, links), 0, 1), (Parts{0, 2, 1}));
    EXPECT_EQ(way_of(BestWays({kEnd, kEnd, kRouter, kRouter}, links), 0, 1), (Parts{0, 3, 1})) << "it is faster";
    // A way around the CPU may be longer.
    links.clear();
    join(links, 0, 2, 10);
    join(links, 2, 4, 10);
    join(links, 4, 1, 10);
    join(links, 0, 3, 100);
    join(links, 3, 1, 100);
    EXPECT_EQ(way_of(BestWays({kEnd, kEnd, kRouter, kCpu, kRouter}, links), 0, 1), (Parts{0, 2, 4, 1}));
    EXPECT_EQ(way_of(BestWays({kEnd, kEnd, kRouter, kRouter, kRouter}, links), 0, 1), (Parts{0, 3, 1}));
}

TEST(BestWays, LeadThroughACpuRatherThanAnEndpoint) {
    std::vector<WayLink> links;
    join(links, 0, 1, 100); // 0 to 2 by the endpoint 1 in two hops, by the CPUs 3 and 4 in three
    join(links, 1, 2, 100);
    join(links, 0, 3, 10);
    join(links, 3, 4, 10);
    join(links, 4, 2, 10);
    const BestWays ways({kEnd, kEnd, kEnd, kCpu, kCpu}, links);
    EXPECT_EQ(way_of(ways, 0, 2), (Parts{0, 3, 4, 2}));
    EXPECT_TRUE(ways.to(2)[0].is_forced());
    EXPECT_FALSE(ways.to(1)[0].is_forced());
}

TEST(BestWays, CountLinksSideBySideTogether) {
    std::vector<WayLink> links;
    join(links, 0, 1, 30);
    join(links, 1, 3, 30);
    for (unsigned i = 0; i < 4; ++i) join(links, 0, 2, 10);
    join(links, 2, 3, 40 * (1 + 1e-12)); // but for rounding as fast
    EXPECT_EQ(way_of(BestWays({kRouter, kRouter, kRouter, kRouter}, links), 0, 3), (Parts{0, 2, 3}));
}

TEST(BestWays, MayDifferByDirection) {
    const std::vector<WayLink> links{{0, 1, 10}, {1, 0, 30}, {1, 3, 10}, {3, 1, 30},
                                     {0, 2, 20}, {2, 0, 20}, {2, 3, 20}, {3, 2, 20}};
    const BestWays ways({kRouter, kRouter, kRouter, kRouter}, links);
    EXPECT_EQ(way_of(ways, 0, 3), (Parts{0, 2, 3}));
    EXPECT_EQ(way_of(ways, 3, 0), (Parts{3, 1, 0}));
}

// --- Routings --------------------------------------------------------------------------------------------------------

NetworkGraph graph_of(const std::vector<Transit>& transit) {
    NetworkGraph graph;
    graph.transit = transit;
    for (unsigned r = 0; r < transit.size(); ++r) {
        graph.routers.push_back("r" + std::to_string(r));
        graph.endpoints.push_back({"n" + std::to_string(r), true, r, {}});
        graph.attach(r, r, 1);
    }
    return graph;
}

std::vector<unsigned> next_routers(const Topology& made, unsigned from, unsigned to) {
    std::vector<unsigned> next;
    for (const RouteStep& step : made.routing->steps(from, to, RouteLeg::to_destination))
        next.push_back(made.graph.channels[step.channel].to);
    return next;
}

/// Of two ways with two hops the faster; of two that are alike both.
TEST(BestWays, AreTheStepsOfARouting) {
    NetworkGraph graph = graph_of({kRouter, kRouter, kRouter, kRouter, kRouter});
    const auto join_by = [&graph](unsigned a, unsigned b, unsigned slower) {
        graph.connect(a, b, {1, slower * NetworkChannel::kCycle, 0});
    };
    for (const unsigned middle : {1U, 2U, 3U}) {
        join_by(0, middle, middle == 2 ? 4 : 2);
        join_by(middle, 4, 1);
    }
    const Topology made = make_explicit(std::move(graph), 2, "test");
    EXPECT_EQ(next_routers(made, 0, 4), (Parts{1, 3}));
    EXPECT_EQ(next_routers(made, 4, 0), (Parts{1, 3}));
    EXPECT_EQ(next_routers(made, 4, 2), (Parts{2}));
}

TEST(BestWays, GoByTheSpeedsOfLinksIfThereAreSome) {
    NetworkGraph graph = graph_of({kRouter, kRouter, kRouter, kRouter});
    graph.link_speeds = {10, 20};
    for (const unsigned middle : {1U, 2U})
        for (const unsigned end : {0U, 3U}) graph.connect(end, middle, {1, NetworkChannel::kCycle, middle - 1});
    const Topology made = make_explicit(std::move(graph), 2, "test");
    EXPECT_EQ(next_routers(made, 0, 3), (Parts{2}));
}

/// Of a ring every second router is no transit, and a hub joins the others: up*/down* passes none of them either, but
/// the one that alone leads to router 9.
TEST(BestWays, LeaveOutWhatIsNoTransitInUpDownToo) {
    std::vector<Transit> transit(10, kRouter);
    for (unsigned r = 1; r < 8; r += 2) transit[r] = r % 4 == 1 ? kEnd : kCpu;
    NetworkGraph graph = graph_of(transit);
    for (unsigned r = 0; r < 8; ++r) graph.connect(r, (r + 1) % 8, 1);
    for (unsigned r = 0; r < 8; r += 2) graph.connect(r, 8, 1);
    graph.connect(9, 1, 1);
    TopologySpec spec;
    spec.virtual_channels = 1;
    const UpDownRouting routing(graph, spec);
    check_routing(graph, routing, 1, "test"); // throws
    for (unsigned from = 0; from < 10; ++from)
        for (unsigned to = 0; to < 10; ++to) {
            ASSERT_NE(routing.hops(from, to), kNoWay);
            for (const RouteStep& step : routing.steps(from, to, RouteLeg::to_destination)) {
                const unsigned next = graph.channels[step.channel].to;
                EXPECT_TRUE(next == to || transit[next] == kRouter || (next == 1 && (from == 9 || to == 9)))
                    << from << " to " << to << " by " << next;
            }
        }
    EXPECT_EQ(routing.hops(9, 5), 5U) << "9, 1, 0 or 2, 8, 4 or 6, 5";
}

} // namespace
} // namespace numavp::test
