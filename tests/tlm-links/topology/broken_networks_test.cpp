/// Each contract of topologies says that a network is wrong which breaks it.
#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "contracts.h"
#include "networks.h"

namespace numavp::test {
namespace {

/// A routing with one answer spoilt.
class SpoiltRouting final : public Routing {
  public:
    explicit SpoiltRouting(std::unique_ptr<Routing> inner) : inner_(std::move(inner)) {}
    std::vector<RouteStep> steps(unsigned router, unsigned target, RouteLeg leg) const override {
        std::vector<RouteStep> found = inner_->steps(router, target, leg);
        if (of_steps && !found.empty()) of_steps(found);
        return found;
    }
    unsigned hops(unsigned router, unsigned target) const override {
        return no_way ? kNoWay : inner_->hops(router, target) + (router != target ? more_hops : 0);
    }
    std::vector<unsigned> intermediates(unsigned router, unsigned target) const override {
        std::vector<unsigned> found = inner_->intermediates(router, target);
        if (router_between) found.push_back(router);
        return found;
    }
    std::vector<unsigned> entries(unsigned endpoint, unsigned target) const override {
        std::vector<unsigned> found = inner_->entries(endpoint, target);
        if (one_entry && found.size() > 1) found.pop_back();
        return found;
    }
    std::function<void(std::vector<RouteStep>&)> of_steps;
    unsigned more_hops = 0;
    bool no_way = false, router_between = false, one_entry = false;

  private:
    std::unique_ptr<Routing> inner_;
};

struct BrokenNetwork {
    const char* contract;
    TopologySpec spec;
    void (*spoil)(NetworkGraph& graph, SpoiltRouting& routing);
};
void PrintTo(const BrokenNetwork& row, std::ostream* out) { *out << row.contract; }

const std::vector<BrokenNetwork>& broken_networks() {
    static const std::vector<BrokenNetwork> all{
        {"channels_pair_up", nodes(TopologyKind::mesh, {3, 3}),
         [](auto& graph, auto&) { graph.channels[1].reverse = 1; }},
        {"channels_by_formula", nodes(TopologyKind::mesh, {3, 3}),
         [](auto& graph, auto&) { graph.channels.pop_back(); }},
        {"terminals_in_place", nodes(TopologyKind::mesh, {3, 3}),
         [](auto& graph, auto&) { graph.terminals[4].router = 5; }},
        {"entries_by_rule", cubes(TopologyKind::sfbfly), [](auto&, auto& routing) { routing.one_entry = true; }},
        {"all_reached", cubes(TopologyKind::sfbfly), [](auto&, auto& routing) { routing.no_way = true; }},
        {"hops_of_walks", nodes(TopologyKind::mesh, {3, 3}), [](auto&, auto& routing) { routing.more_hops = 1; }},
        {"choice_of_steps", nodes(TopologyKind::ring, {4}),
         [](auto&, auto& routing) {
             routing.of_steps = [](auto& steps) {
                 if (steps.size() > 1) steps.pop_back();
             };
         }},
        {"virtual_channels", nodes(TopologyKind::ring, {4}),
         [](auto&, auto& routing) { routing.of_steps = [](auto& steps) {
                                        steps[0].vcs = {0, 1};
                                    }; }},
        {"groups_join", cubes(TopologyKind::ddfly),
         [](auto& graph, auto&) {
             for (NetworkChannel& c : graph.channels)
                 if (c.from / 4 != c.to / 4) c.from ^= 1;
         }},
        {"intermediates", nodes(TopologyKind::mesh, {3, 3}),
         [](auto&, auto& routing) { routing.router_between = true; }},
        {"no_circle", nodes(TopologyKind::ring, {4}),
         [](auto&, auto& routing) { routing.of_steps = [](auto& steps) {
                                        steps[0].vcs = {0, 1};
                                    }; }},
    };
    return all;
}

class BrokenNetworks : public ::testing::TestWithParam<BrokenNetwork> {};

TEST_P(BrokenNetworks, BreakTheirContract) {
    const auto contract = std::find_if(kContracts.begin(), kContracts.end(),
                                       [](const Contract& c) { return std::string(c.name) == GetParam().contract; });
    ASSERT_NE(contract, kContracts.end());
    Topology topology = made(GetParam().spec);
    EXPECT_EQ(contract->breach(GetParam().spec, topology), "");
    auto routing = std::make_unique<SpoiltRouting>(std::move(topology.routing));
    GetParam().spoil(topology.graph, *routing);
    topology.routing = std::move(routing);
    EXPECT_NE(contract->breach(GetParam().spec, topology), "");
}
INSTANTIATE_TEST_SUITE_P(All, BrokenNetworks, ::testing::ValuesIn(broken_networks()),
                         [](const auto& test) { return std::string(test.param.contract); });

TEST(BrokenNetworkRows, AreOfAllContracts) { EXPECT_EQ(broken_networks().size(), kContracts.size()); }

} // namespace
} // namespace numavp::test
