#include "common/system/idle_setting.h"

#include <initializer_list>

#include "common/system/driver_policy.h"
#include "common/system/network_settings.h"

namespace numavp {
namespace {

/// A group of settings that count only if `counts` says so.
template <class Config> struct Group {
    const char* head; ///< their paths begin with it
    bool (*counts)(const Config&);
    const char* reason;
    std::initializer_list<const char*> but = {}; ///< paths in it that count in any case
};

bool begins_with(const std::string& text, const std::string& head) { return text.compare(0, head.size(), head) == 0; }

template <class Config, std::size_t N>
std::string reason_of(const Group<Config> (&groups)[N], const Config& config, const std::string& path) {
    for (const Group<Config>& group : groups) {
        if (!begins_with(path, group.head) || group.counts(config)) continue;
        bool excepted = false;
        for (const char* one : group.but) excepted |= path == one;
        if (!excepted) return group.reason;
    }
    return "";
}

/// `characterize` and `predict` use wires of a single socket too.
bool joins_by_routers(const SystemConfig& c) { return has_network(c) || c.network.topology == FabricKind::wires; }
bool topology_has_cubes(const SystemConfig& c) { return has_cubes(c.network.topology); }
bool lanes_turn(const SystemConfig& c) { return c.link.balancer != LaneBalancerKind::fixed; }
/// Samples of links are for lanes that turn, and for a driver's policy that looks at links.
bool links_are_sampled(const SystemConfig& c) { return lanes_turn(c) || has_own_policy(c.driver); }
/// Ways of packets that must stay in order, as all between sockets, are hashed, not drawn.
bool draws_ways(const SystemConfig& c) { return c.network.routing != RoutingKind::minimal; }
bool topology_has_channels(const SystemConfig& c) { return c.network.topology != FabricKind::wires; }

const Group<SystemConfig> kOfSystems[] = {
    {"switch.", [](const SystemConfig& c) { return !has_network(c); },
     "a network of routers stands in the switch's place"},
    {"network.", joins_by_routers, "no network of routers joins the sockets", {"network.topology"}},
    {"routing", joins_by_routers, "no network of routers joins the sockets"},
    {"network.parallel_channels", topology_has_channels, "network.wires has the channels"},
    {"network.cubes_per_gpu", topology_has_channels, "network.wires has the channels"},
    {"network.channels_per_cube", topology_has_channels, "network.wires has the channels"},
    {"network.cubes_per_gpu", topology_has_cubes, "network.topology has no cubes"},
    {"network.channels_per_cube", topology_has_cubes, "network.topology has no cubes"},
    {"network.terminals_per_cube", topology_has_cubes, "network.topology has no cubes"},
    {"network.cube_ns", topology_has_cubes, "network.topology has no cubes"},
    {"network.ugal_threshold", [](const SystemConfig& c) { return c.network.routing == RoutingKind::ugal; },
     "routing is not ugal"},
    {"network.pass_through_cycles", [](const SystemConfig& c) { return !c.network.overlay.empty(); },
     "network.overlay has no chain"},
    {"network.seed", draws_ways, "routing is minimal: nothing is drawn"},
    {"link.errors.",
     [](const SystemConfig& c) { return c.link.errors.given(); },
     "link.errors.bit_error_rate is 0: no bit is wrong",
     {"link.errors.bit_error_rate"}},
    {"link.errors.retire_window_us", [](const SystemConfig& c) { return c.link.errors.retire_errors != 0; },
     "link.errors.retire_errors is 0: no lane is retired"},
    {"link.errors.retrain_us", [](const SystemConfig& c) { return c.link.errors.retire_errors != 0; },
     "link.errors.retire_errors is 0: no lane is retired"},
    {"network.errors.",
     [](const SystemConfig& c) { return c.network.dress.errors.given(); },
     "network.errors.bit_error_rate is 0: no bit is wrong",
     {"network.errors.bit_error_rate"}},
    {"network.errors.retire_", [](const SystemConfig&) { return false; }, "the common channel is not made of lanes"},
    {"network.errors.retrain_us", [](const SystemConfig&) { return false; }, "the common channel is not made of lanes"},
    {"faults.retrain_us",
     [](const SystemConfig& c) {
         return std::any_of(c.faults.events.begin(), c.faults.events.end(),
                            [](const FaultEvent& event) { return event.kind == FaultKind::lane; });
     },
     "faults.events retires no lane"},
    {"link.sample_cycles", links_are_sampled, "link.balancer is static: lanes stay"},
    {"link.saturation_percent", lanes_turn, "link.balancer is static: lanes stay"},
    {"link.switch_cycles", lanes_turn, "link.balancer is static: lanes stay"},
    {"link.decision_cycles", lanes_turn, "link.balancer is static: lanes stay"},
    {"dispatch.block_interval_cycles",
     [](const SystemConfig& c) {
         if (c.dispatch.starts != StartRate::socket) return false;
         const double interval = c.dispatch.block_interval_cycles;
         return interval == 0.0 || interval * c.dispatch.blocks_per_cycle > 1.0;
     },
     "dispatch.blocks_per_cycle lets no more blocks start, or dispatch.starts is not socket"},
    {"dispatch.order.group", [](const SystemConfig& c) { return c.dispatch.order.policy == BlockOrderPolicy::grouped; },
     "dispatch.order.policy is not grouped"},
    {"dispatch.order.window",
     [](const SystemConfig& c) { return c.dispatch.order.policy == BlockOrderPolicy::windowed; },
     "dispatch.order.policy is not windowed"},
    {"dispatch.order.chunk",
     [](const SystemConfig& c) { return c.dispatch.order.policy == BlockOrderPolicy::windowed; },
     "dispatch.order.policy is not windowed"},
    {"placement.lab_percent", [](const SystemConfig& c) { return c.placement.by_balance(); },
     "placement.policy is not lab"},
    {"placement.row_lines", [](const SystemConfig& c) { return c.placement.policy == PlacementKind::row_permutation; },
     "placement.policy is not row_permutation"},
    {"placement.seed", [](const SystemConfig& c) { return c.placement.policy == PlacementKind::random; },
     "placement.policy is not random"},
    {"replication.",
     [](const SystemConfig& c) { return c.replication.by_model(); },
     "replication.policy does not ask the model",
     {"replication.policy", "replication.flush"}},
    {"replication.flush", [](const SystemConfig& c) { return c.replication.policy != ReplicationPolicy::none; },
     "replication.policy is none"},
    {"host_core.",
     [](const SystemConfig& c) { return !c.host_core.part.empty(); },
     "host_core.part names no socket, so that there is no core",
     {"host_core.part"}},
    {"host_core.transfer_cycles", [](const SystemConfig& c) { return c.host_core.cores != 1; },
     "host_core.cores is 1: no other core has a line"},
    {"reduction.", [](const SystemConfig& c) { return c.reduction.given(); }, "no part is a reduction unit"},
    {"energy.", [](const SystemConfig& c) { return c.energy.given(); }, "energy.model is none", {"energy.model"}},
    {"energy.network.",
     [](const SystemConfig& c) { return c.energy.network.form == NetworkForm::crossbars; },
     "energy.network.form is not crossbars",
     {"energy.network.form"}},
    {"copies.",
     [](const SystemConfig& c) { return c.copies.mode != CopyMode::free && c.copies.mode != CopyMode::into_l2; },
     "copies.mode is free or into_l2: copies take no time",
     {"copies.mode"}},
    {"driver.",
     [](const SystemConfig& c) { return c.driver.execution != DriverExecution::none; },
     "driver.execution is none",
     {"driver.execution"}},
    {"translation.",
     [](const SystemConfig& c) { return c.translation.mode != TranslationMode::off; },
     "translation.mode is off",
     {"translation.mode"}},
};

const Group<SocketConfig> kOfSockets[] = {
    {"sm.", [](const SocketConfig& c) { return c.sms != 0; }, "it has no SMs"},
    {"memory.", [](const SocketConfig& c) { return c.has_memory(); }, "it has no memory", {"memory.capacity_gib"}},
    {"memory.device.", [](const SocketConfig& c) { return c.memory.model == MemoryModel::timed; },
     "its memory.model is not timed"},
    {"memory.cache.",
     [](const SocketConfig& c) { return c.memory.cache.given(); },
     "it has no memory-side cache",
     {"memory.cache.size_kib"}},
    {"memory.device.window_", [](const SocketConfig&) { return false; }, "numavp memory alone has such a window"},
    {"memory.device.refresh_spread",
     [](const SocketConfig& c) { return c.memory.device.refresh != RefreshKind::none && c.memory.channels != 1; },
     "its memory.device.refresh is none, or it has a single channel"},
    {"memory.bandwidth_gbps", [](const SocketConfig& c) { return c.memory.model != MemoryModel::timed; },
     "its memory is timed, and memory.device has its speed"},
    {"memory.latency_ns", [](const SocketConfig& c) { return c.memory.model != MemoryModel::timed; },
     "its memory is timed, and memory.device has its speed"},
    {"partition.", [](const SocketConfig& c) { return c.l2.organisation == L2Organisation::numa_aware; },
     "its l2.organisation is not numa_aware"},
    {"l2.static_remote_ways", [](const SocketConfig& c) { return c.l2.role().ways == WayRule::split; },
     "its l2.organisation is not static"},
    {"l2.fetch_bytes", [](const SocketConfig& c) { return c.has_memory() && c.l2.has_cache(); },
     "it has no memory, or no cache that keeps what is fetched"},
    {"l2.partial_lines",
     [](const SocketConfig& c) {
         return c.has_memory() && c.l2.has_cache() && c.l2.write_policy == WritePolicy::write_back;
     },
     "it has no memory, or no cache in which stores stay"},
    {"l2.directory_", [](const SocketConfig& c) { return c.l2.coherence == L2Coherence::directory; },
     "its l2.coherence is not directory"},
};

} // namespace

std::string why_idle(const SystemConfig& config, const std::string& path) {
    return reason_of(kOfSystems, config, path);
}

std::string why_idle(const SocketConfig& socket, const std::string& setting) {
    return reason_of(kOfSockets, socket, setting);
}

} // namespace numavp
