#include "tlm-links/topology/topology.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/values/error.h"
#include "tlm-links/topology/butterfly.h"
#include "tlm-links/topology/cube_ring.h"
#include "tlm-links/topology/ddfly.h"
#include "tlm-links/topology/dfbfly.h"
#include "tlm-links/topology/dragonfly.h"
#include "tlm-links/topology/flattened_butterfly.h"
#include "tlm-links/topology/groups.h"
#include "tlm-links/topology/line.h"
#include "tlm-links/topology/mesh.h"
#include "tlm-links/topology/ring.h"
#include "tlm-links/topology/sfbfly.h"
#include "tlm-links/topology/smesh.h"
#include "tlm-links/topology/star.h"
#include "tlm-links/topology/storus.h"
#include "tlm-links/topology/torus.h"
#include "tlm-links/topology/tree.h"

namespace numavp {
namespace {

struct TopologyRow {
    TopologyKind kind;
    Topology (*make)(const TopologySpec&, const Place&);
    unsigned least_vcs; ///< virtual channels that minimal routing takes
    unsigned ugal_vcs;  ///< that UGAL takes; 0: there is no UGAL
};

constexpr TopologyRow kTopologyRows[] = {
    {TopologyKind::sfbfly, make_sfbfly, 1, 2},
    {TopologyKind::dfbfly, make_dfbfly, 1, 2},
    {TopologyKind::ddfly, make_ddfly, GroupRouting::kVcs, GroupRouting::kUgalVcs},
    {TopologyKind::smesh, make_smesh, 1, 0},
    {TopologyKind::storus, make_storus, 2, 0},
    {TopologyKind::cube_ring, make_cube_ring, 2, 0},
    {TopologyKind::star, make_star, 1, 0},
    {TopologyKind::ring, make_ring, 2, 0},
    {TopologyKind::line, make_line, 1, 0},
    {TopologyKind::mesh, make_mesh, 1, 2},
    {TopologyKind::torus, make_torus, 2, 0},
    {TopologyKind::tree, make_tree, 1, 0},
    {TopologyKind::flattened_butterfly, make_flattened_butterfly, 1, 2},
    {TopologyKind::dragonfly, make_dragonfly, GroupRouting::kVcs, GroupRouting::kUgalVcs},
    {TopologyKind::butterfly, make_butterfly, 1, 0},
};
static_assert(std::size(kTopologyRows) == kTopologies.size());

void check_counts(const TopologySpec& spec, const Place& place) {
    const auto positive = [&](unsigned value, const char* name) {
        if (value == 0) throw ConfigError(place.at(name), fmt::format("{} is 0; it must be at least 1", name));
    };
    positive(spec.processors, "processors");
    positive(spec.routers_per_processor, "routers_per_processor");
    positive(spec.channels_per_router, "channels_per_router");
    positive(spec.terminals_per_router, "terminals_per_router");
    positive(spec.concentration, "concentration");
    positive(spec.parallel_channels, "parallel_channels");
    positive(spec.virtual_channels, "virtual_channels");
}

std::string allowed_routings(const TopologyRow& row) {
    std::vector<std::string> names{"'minimal'"};
    if (row.ugal_vcs != 0) names.emplace_back("'ugal'");
    if (has_clusters(row.kind)) names.emplace_back("'adaptive_entry' (of GPUs in a system)");
    return fmt::format("{} {}", names.size() == 1 ? "is" : "are", fmt::join(names, " and "));
}

void check_routing_kind(const TopologySpec& spec, const TopologyRow& row, const Place& place, const Place& routing) {
    const bool ugal = spec.routing == RoutingKind::ugal;
    const std::string_view name = kTopologies.name(spec.topology);
    if ((ugal && row.ugal_vcs == 0) || (spec.routing == RoutingKind::adaptive_entry && !has_clusters(row.kind)))
        throw ConfigError(routing, fmt::format("{} has no {} routing; allowed {}", name, kRoutings.name(spec.routing),
                                               allowed_routings(row)));
    const unsigned least = ugal ? row.ugal_vcs : row.least_vcs;
    if (spec.virtual_channels < least)
        throw ConfigError(place.at("virtual_channels"),
                          fmt::format("{} routing on {} can't be kept from deadlock with {}; at least {} are needed",
                                      kRoutings.name(spec.routing), name, spec.virtual_channels, least));
}

} // namespace

Topology make_topology(const TopologySpec& spec, const Place& place, const std::optional<Place>& routing) {
    const auto* const row = std::find_if(std::begin(kTopologyRows), std::end(kTopologyRows),
                                         [&](const TopologyRow& r) { return r.kind == spec.topology; });
    check_counts(spec, place);
    check_routing_kind(spec, *row, place, routing.value_or(place.at("routing")));
    return row->make(spec, place);
}

} // namespace numavp
