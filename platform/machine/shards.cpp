#include "platform/machine/shards.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "base/time/clockwork.h"
#include "common/system/derived.h"
#include "common/system/memory_choice.h"
#include "common/system/reduction_units.h"
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
    if (config.replication.policy == ReplicationPolicy::model_rtl) return true;
    for (unsigned s = 0; s < config.sockets; ++s) {
        const SocketConfig& own = config.socket_at(s);
        if (own.memory.model == MemoryModel::axi4_rtl || config.link_at(s).balancer == LaneBalancerKind::dynamic_rtl)
            return true;
    }
    return false;
}

/// Parts that act upon several packages at once.
std::string common_parts(const SystemConfig& config, const SystemOptions& options) {
    if (has_driver(config)) return "a driver serves its page faults";
    if (config.translation.mode == TranslationMode::full) return "page tables are walked";
    if (config.translation.mode != TranslationMode::off && config.translation.shared) return "packages share an MMU";
    if (reduction_units(config) != 0) return "its switches add up lines of several packages";
    if (has_copy_engines(config)) return "engines copy between host and devices";
    if (config.host_core.given()) return "the host's core takes part";
    if (cuts_a_link(config) || options.cut_link) return "a link is cut for a relay";
    if (has_rtl(config)) return "RTL takes part";
    return "";
}

/// The flush behind a kernel drops the lines of L1s in no time, in the middle of an edge that kernels of other streams
/// are in, unless what the dispatcher says takes a message's time.
std::string work(const SystemConfig& config, const Workload& workload) {
    const bool at_once = config.dispatch.message_cycles == 0;
    if (workload.waits_for_flags()) return "kernels wait for flags";
    for (const Launch& launch : workload.launches) {
        if (at_once && launch.stream != workload.launches.front().stream)
            return "kernels of several streams run, and dispatch.message_cycles is 0";
        if (dynamic_cast<const TraceKernel*>(launch.kernel.get()) != nullptr) return "a trace is read while it runs";
    }
    return "";
}

/// For each package the one with SMs whose memory it is, or itself.
std::vector<unsigned> owners(const SystemConfig& config) {
    const std::vector<std::vector<MemoryId>> near = near_memories(config);
    const std::vector<SocketId> gpus = gpus_of(config);
    std::vector<unsigned> owner(config.sockets);
    std::iota(owner.begin(), owner.end(), 0U);
    for (unsigned package = 0; package < config.sockets; ++package) {
        if (config.socket_at(package).sms != 0 || near[package].empty()) continue;
        const auto uses = std::find_if(gpus.begin(), gpus.end(), [&](SocketId gpu) {
            const std::vector<MemoryId>& own = near[gpu.value];
            return std::find(own.begin(), own.end(), near[package].front()) != own.end();
        });
        if (uses != gpus.end()) owner[package] = uses->value;
    }
    return owner;
}

std::vector<unsigned> shards_of_packages(const SystemConfig& config, unsigned workers) {
    const std::vector<unsigned> owner = owners(config);
    std::vector<unsigned> rank(config.sockets, 0); // among those that own packages, or themselves
    unsigned count = 0;
    for (unsigned package = 0; package < config.sockets; ++package)
        if (owner[package] == package) rank[package] = count++;
    std::vector<unsigned> shards;
    for (unsigned package = 0; package < config.sockets; ++package)
        shards.push_back(workers <= count ? rank[owner[package]] * workers / count
                                          : package * workers / config.sockets);
    return shards;
}

std::string why_one(const SystemConfig& config, const Workload& workload, const SystemOptions& options) {
    if (config.sockets == 1) return "the system has one package";
    for (const std::string& why : {observers(config, options), common_parts(config, options), work(config, workload)})
        if (!why.empty()) return why;
    return "";
}

} // namespace

Shards divide(const SystemConfig& config, const Workload& workload, const SystemOptions& options) {
    Shards shards;
    if (options.workers <= 1) return shards;
    shards.why_one = why_one(config, workload, options);
    if (!shards.why_one.empty()) return shards;
    const unsigned most = std::min(config.sockets, Clockwork::kMaxWorkers);
    if (options.workers > most)
        throw ConfigError("--workers",
                          fmt::format("{} has {} packages, and a package is one worker's; 1 to {} are allowed",
                                      config.name, config.sockets, most));
    shards.workers = options.workers;
    shards.of_package = shards_of_packages(config, shards.workers);
    return shards;
}

} // namespace numavp
