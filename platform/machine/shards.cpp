#include "platform/machine/shards.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/time/clockwork.h"
#include "common/system/derived.h"
#include "common/system/memory_choice.h"
#include "sw/traces/trace_kernel.h"

namespace numavp {

namespace {

/// Foreign or observing modules are called by one thread, in the order of time.
std::string observers(const SystemConfig& config, const SystemOptions& options) {
    if (options.waves != nullptr) return "waveforms are written";
    if (options.follow_every != 0) return "accesses are followed";
    if (options.gdb_port) return "a debugger looks on";
    if (config.checks.protocol) return "checks.protocol is on";
    if (config.checks.functional || options.hooks != nullptr) return "memories hold data";
    if (options.core_ports != 0 || options.foreign_memory || options.faults != nullptr || options.walks != nullptr)
        return "modules from outside take part";
    return "";
}

bool has_rtl(const SystemConfig& config) {
    if (config.socket.partition.controller == WayPartitionKind::numa_aware_rtl) return true;
    for (unsigned s = 0; s < config.sockets; ++s) {
        const SocketConfig& own = config.socket_at(s);
        if (own.memory.model == MemoryModel::axi4_rtl || config.link_at(s).balancer == LaneBalancerKind::dynamic_rtl)
            return true;
    }
    return false;
}

/// Parts that act upon several packages at once.
std::string common_parts(const SystemConfig& config, const SystemOptions& options) {
    if (has_network(config)) return "its packages are joined by a network of routers";
    if (has_driver(config)) return "a driver serves its page faults";
    if (config.translation.mode != TranslationMode::off) return "addresses are translated";
    if (config.replication.policy != ReplicationPolicy::none) return "lines are replicated";
    if (has_copy_engines(config)) return "engines copy between host and devices";
    if (config.host_core.given()) return "the host's core takes part";
    if (cuts_a_link(config) || options.cut_link) return "a link is cut for a relay";
    if (has_rtl(config)) return "RTL takes part";
    return "";
}

std::string work(const Workload& workload) {
    const auto stream_of = [](const Launch& launch) { return launch.stream; };
    if (workload.waits_for_flags()) return "kernels wait for flags";
    for (const Launch& launch : workload.launches) {
        if (stream_of(launch) != stream_of(workload.launches.front())) return "kernels of several streams run";
        if (dynamic_cast<const TraceKernel*>(launch.kernel.get()) != nullptr) return "a trace is read while it runs";
    }
    return "";
}

std::string why_one(const SystemConfig& config, const Workload& workload, const SystemOptions& options) {
    if (config.sockets == 1) return "the system has one package";
    for (const std::string& why : {observers(config, options), common_parts(config, options), work(workload)})
        if (!why.empty()) return why;
    return "";
}

} // namespace

Shards divide(const SystemConfig& config, const Workload& workload, const SystemOptions& options) {
    Shards shards;
    shards.packages = config.sockets;
    if (options.workers <= 1) return shards;
    shards.why_one = why_one(config, workload, options);
    if (!shards.why_one.empty()) return shards;
    const unsigned most = std::min(config.sockets, Clockwork::kMaxWorkers);
    if (options.workers > most)
        throw ConfigError("--workers",
                          fmt::format("{} has {} packages, and a package is one worker's; 1 to {} are allowed",
                                      config.name, config.sockets, most));
    shards.workers = options.workers;
    return shards;
}

} // namespace numavp
