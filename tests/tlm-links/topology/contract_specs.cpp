#include <fmt/format.h>

#include "contracts.h"
#include "networks.h"
#include "shape.h"

namespace numavp::test {
namespace {

using Kind = TopologyKind;

struct NodeRow {
    Kind kind;
    std::vector<unsigned> dimensions;
    unsigned concentration;
    bool small;
};

const NodeRow kNodeRows[] = {
    {Kind::star, {}, 8, false},
    {Kind::star, {5}, 1, true},
    {Kind::ring, {1}, 2, false},
    {Kind::ring, {2}, 1, false},
    {Kind::ring, {5}, 1, false},
    {Kind::ring, {8}, 1, true},
    {Kind::line, {1}, 1, false},
    {Kind::line, {6}, 2, true},
    {Kind::mesh, {3, 5}, 2, false},
    {Kind::mesh, {4, 4}, 1, true},
    {Kind::mesh, {2, 3, 2}, 1, false},
    {Kind::mesh, {8, 8}, 1, false},
    {Kind::torus, {4, 4}, 4, true},
    {Kind::torus, {5, 3}, 1, false},
    {Kind::torus, {2, 4}, 1, false},
    {Kind::torus, {8, 8}, 1, false},
    {Kind::torus, {3, 4, 2}, 1, false},
    {Kind::tree, {4}, 1, false},
    {Kind::tree, {2, 3, 2}, 2, true},
    {Kind::flattened_butterfly, {4, 4}, 4, true},
    {Kind::flattened_butterfly, {2, 3}, 2, false},
    {Kind::flattened_butterfly, {2, 2, 3}, 8, false},
    {Kind::dragonfly, {3, 4}, 1, true},
    {Kind::dragonfly, {2, 7}, 1, false},
    {Kind::dragonfly, {1, 3}, 1, false},
    {Kind::dragonfly, {4, 1}, 2, false},
    {Kind::dragonfly, {4, 5}, 2, false},
};

TopologySpec varied(TopologySpec spec, RoutingKind routing, unsigned parallel, unsigned vcs) {
    spec.routing = routing;
    spec.parallel_channels = parallel;
    spec.virtual_channels = vcs;
    return spec;
}

/// All routings, one and two channels, and numbers of virtual channels; of large ones not all together.
void add_variants(const TopologySpec& spec, bool large, std::vector<TopologySpec>& specs) {
    specs.push_back(varied(spec, RoutingKind::minimal, 2, 6));
    specs.push_back(varied(spec, RoutingKind::ugal, 1, 6));
    specs.push_back(varied(spec, RoutingKind::adaptive_entry, 1, 6));
    if (large) return;
    specs.push_back(varied(spec, RoutingKind::minimal, 1, 1));
    specs.push_back(varied(spec, RoutingKind::minimal, 1, 3));
    specs.push_back(varied(spec, RoutingKind::ugal, 2, 2));
    specs.push_back(varied(spec, RoutingKind::ugal, 1, 4));
    specs.push_back(varied(spec, RoutingKind::ugal, 1, 13));
}

} // namespace

std::vector<TopologySpec> contract_specs(bool small) {
    std::vector<TopologySpec> specs;
    const std::vector<unsigned> sizes = small ? std::vector<unsigned>{4} : std::vector<unsigned>{1, 2, 3, 4, 5, 8, 16};
    for (const auto& topology : kTopologies) {
        if (!of_cubes(topology.value)) continue;
        for (const unsigned processors : sizes)
            for (const auto& entry : kEntries)
                for (const unsigned routers : {4U, 1U}) {
                    TopologySpec spec = cubes(topology.value, processors, entry.value);
                    spec.routers_per_processor = routers;
                    if (small && routers == 1) continue;
                    add_variants(spec, small || processors > 5, specs);
                }
    }
    for (const NodeRow& row : kNodeRows) {
        if (small && !row.small) continue;
        const bool large = small || row.dimensions == std::vector{8U, 8U};
        add_variants(nodes(row.kind, row.dimensions, row.concentration), large, specs);
    }
    return specs;
}

std::string expected_refusal(const TopologySpec& spec) {
    const bool ugal = spec.routing == RoutingKind::ugal;
    if (ugal && !has_ugal(spec.topology)) return "has no ugal routing";
    if (spec.routing == RoutingKind::adaptive_entry && !of_cubes(spec.topology)) return "has no adaptive_entry routing";
    const unsigned least = (of_groups(spec.topology) || wraps(spec.topology) ? 2 : 1) * (ugal ? 2 : 1);
    if (spec.virtual_channels < least) return fmt::format("at least {} are needed", least);
    if (spec.entry == EntryKind::random && sliced(spec.topology) && spec.routers_per_processor > 1)
        return "has no channels between slices";
    return "";
}

std::string describe(const TopologySpec& spec) {
    return fmt::format("{} of {} x {}, dimensions [{}], concentration {}, {} routing, {} entry, {} parallel, {} VCs",
                       kTopologies.name(spec.topology), spec.processors, spec.routers_per_processor,
                       fmt::join(spec.dimensions, ", "), spec.concentration, kRoutings.name(spec.routing),
                       kEntries.name(spec.entry), spec.parallel_channels, spec.virtual_channels);
}

} // namespace numavp::test
