#include "common/system/changeable_setting.h"

#include <algorithm>

#include "common/system/driver_policy.h"
#include "models/dispatch/block_dispatch.h"

namespace numavp {
namespace {

constexpr const char* kRtlIsBuilt = "an RTL block is connected when the machine is built";

/// True if `is` holds for the common settings of sockets, or for those of one socket.
template <class Is> bool any_socket(const SystemConfig& c, const Is& is) {
    bool any = is(c.socket);
    for (unsigned s = 0; s < c.sockets; ++s) any |= is(c.socket_at(s));
    return any;
}

const char* not_of_rtl_lanes(const SystemConfig& built, const SystemConfig& now) {
    const auto rtl = [](const SystemConfig& c) { return c.link.balancer == LaneBalancerKind::dynamic_rtl; };
    return rtl(built) || rtl(now) ? kRtlIsBuilt : nullptr;
}

const char* not_of_rtl_ways(const SystemConfig& built, const SystemConfig& now) {
    const auto rtl = [](const SocketConfig& c) { return c.partition.controller == WayPartitionKind::numa_aware_rtl; };
    return any_socket(built, rtl) || any_socket(now, rtl) ? kRtlIsBuilt : nullptr;
}

const char* only_among_sockets(const SystemConfig& built, const SystemConfig& now) {
    const auto by_sockets = [](const SystemConfig& c) {
        return block_takers(c.dispatch.split) == BlockTakers::sockets;
    };
    return by_sockets(built) && by_sockets(now) ? nullptr
                                                : "a split by SMs numbers them when the machine is built; one that "
                                                  "gives blocks to sockets may become another such";
}

const char* only_pages(const SystemConfig& built, const SystemConfig& now) {
    return built.placement.interleaves() || now.placement.interleaves()
               ? "lines of all pages go round the memories from the start; a policy that places pages may become "
                 "another such"
               : nullptr;
}

const char* only_built_replicas(const SystemConfig& built, const SystemConfig& now) {
    const auto rtl = [](const SystemConfig& c) { return c.replication.policy == ReplicationPolicy::model_rtl; };
    if (rtl(built) || rtl(now)) return kRtlIsBuilt;
    if (built.replication.policy == ReplicationPolicy::none || now.replication.policy == ReplicationPolicy::none)
        return "slices are built with replicas or without; full and model may become each other";
    return now.replication.by_model() && !built.replication.by_model()
               ? "the model's sampler is built with the machine; a run that begins with model is expected"
               : nullptr;
}

const char* only_of_a_driver_in_c(const SystemConfig& built, const SystemConfig&) {
    return built.driver.execution == DriverExecution::ideal || built.driver.execution == DriverExecution::native
               ? nullptr
               : "firmware reads it when it starts; driver.execution ideal or native is expected";
}

/// A shared object is one that the machine was built with.
const char* only_policies_at_hand(const SystemConfig& built, const SystemConfig& now) {
    if (const char* const reason = only_of_a_driver_in_c(built, now)) return reason;
    return is_policy_object(now.driver.policy) && now.driver.policy != built.driver.policy
               ? "a shared object is loaded when the machine is built; the policy of the start or a name of numavp is "
                 "expected"
               : nullptr;
}

template <unsigned DriverConfig::*Threshold>
const char* only_where_counted(const SystemConfig& built, const SystemConfig& now) {
    return built.driver.*Threshold != 0 && now.driver.*Threshold != 0
               ? nullptr
               : "sockets are built to count remote accesses or not; more than 0 is expected, from the start on";
}

} // namespace

const std::vector<ChangeableSetting>& changeable_settings() {
    static const std::vector<ChangeableSetting> all = {
        {"socket.partition.controller", not_of_rtl_ways},
        {"socket.partition.sample_cycles", nullptr},
        {"socket.partition.decision_cycles", nullptr},
        {"socket.partition.saturation_percent", not_of_rtl_ways},
        {"link.balancer", not_of_rtl_lanes},
        {"link.sample_cycles", nullptr},
        {"link.switch_cycles", nullptr},
        {"link.decision_cycles", nullptr},
        {"link.saturation_percent", not_of_rtl_lanes},
        {"dispatch.split", only_among_sockets},
        {"dispatch.order.policy", nullptr},
        {"dispatch.order.group", nullptr},
        {"dispatch.order.window", nullptr},
        {"dispatch.order.chunk", nullptr},
        {"dispatch.order.longest_first", nullptr},
        {"placement.policy", only_pages},
        {"placement.lab_percent", nullptr},
        {"placement.seed", nullptr},
        {"replication.policy", only_built_replicas},
        {"replication.epoch_cycles", nullptr},
        {"driver.policy", only_policies_at_hand},
        {"driver.lab_percent", only_of_a_driver_in_c},
        {"driver.migration_threshold", only_where_counted<&DriverConfig::migration_threshold>},
        {"driver.replication_threshold", only_where_counted<&DriverConfig::replication_threshold>},
    };
    return all;
}

namespace {
bool has_head(const std::string& path, const std::string& head) { return path.compare(0, head.size(), head) == 0; }

/// The path with the settings of all sockets in the place of those of single ones.
std::string common_path(const SystemConfig& config, std::string path) {
    for (const auto& one : config.own_sockets.all) {
        const std::string head = one.key_of("socket") + ".";
        if (has_head(path, head)) path = "socket." + path.substr(head.size());
    }
    return path;
}
} // namespace

const ChangeableSetting* find_changeable(const SystemConfig& config, const std::string& path) {
    const std::string common = common_path(config, path);
    const std::vector<ChangeableSetting>& all = changeable_settings();
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return common == one.path; });
    return found == all.end() ? nullptr : &*found;
}

std::string changeable_paths() {
    std::string paths;
    for (const ChangeableSetting& one : changeable_settings())
        paths += (paths.empty() ? "" : ", ") + std::string(one.path);
    return paths;
}

} // namespace numavp
