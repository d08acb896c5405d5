// The host's core, in the socket that is its own.

#include <fmt/format.h>

#include "common/system/derived.h"
#include "common/system/host_core_place.h"
#include "platform/machine/system_impl.h"

namespace numavp {

void System::Impl::build_host_core(const SystemOptions& options) {
    const std::optional<SocketId> socket = host_core_socket(config);
    if (!socket) return;
    const std::uint64_t marker = copies_by_engines(config) ? host_buffer(0, config.placement.address_bits) : 0;
    host_core = std::make_unique<HostCore>(
        "host_core", config.host_core,
        HostCore::Resources{
            domain, resources.pool, map, space, *socket, marker, options.hooks, [this](const std::string& why) {
                clockwork.fail(fmt::format("workload {}: {}: {}", workload.name, why, pages.failure_sentence()));
            }});
    bind(host_core->port(), sockets[socket->value]->device_port(0),
         fmt::format("socket{}_wire_host_core", socket->value));
    host_core->on_end = [this](const HostCore::Ended& ended) {
        const HostPhase& phase = ended.phase;
        std::vector<TimelineArg> args = {{"items", phase.items}, {"instructions", phase.all_instructions()}};
        if (config.host_core.cores > 1) args.emplace_back("core", ended.core);
        timeline.push_back({ended.since, domain.now(), -1, "host", phase.name, std::move(args)});
    };
    dispatcher.set_host(*host_core);
}

/// Where engines copy, kernels do not reach what the core uses.
void System::Impl::host_sees_kernel() {
    if (host_core && !copies_by_engines(config)) host_core->changed();
}

void System::Impl::host_sees_copy(const Launch& launch) {
    if (!host_core) return;
    if (launch.what == Launch::What::copy_to_host) host_core->changed(launch.address, launch.bytes);
    if (launch.what == Launch::What::copy_peer && !copies_by_engines(config))
        host_core->changed(launch.target, launch.bytes);
}

} // namespace numavp
