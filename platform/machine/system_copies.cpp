// Copies between host and devices, as a system does them.

#include <fmt/format.h>

#include "common/system/derived.h"
#include "common/system/memory_choice.h"
#include "platform/machine/system_impl.h"

namespace numavp {

/// Whole lines. Untouched pages are touched by the sockets in equal shares, as their blocks would in contiguous ranges.
CopyStart System::Impl::CopiesIntoL2::copy(const Launch& launch, std::function<void()>) {
    if (launch.what != Launch::What::copy_to_device || launch.bytes == 0) return CopyStart::ended;
    const std::vector<SocketId> touchers = gpus_of(impl.config);
    const std::uint64_t first = launch.address >> kLineShift;
    const std::uint64_t lines = ((launch.address + (launch.bytes - 1)) >> kLineShift) - first + 1;
    for (std::uint64_t i = 0; i < lines; ++i) {
        PhysicalAddress line = 0;
        if (!impl.space.translate(first + i, touchers[i * touchers.size() / lines], line)) {
            impl.fail_copy(no_place_for(launch));
            break;
        }
        const SocketId home = impl.map.home_of(line);
        PackagePart* const package = impl.built.package_of(home);
        if (!package) continue; // a host's memory
        const unsigned slice = impl.map.slice_of(line, home);
        if (impl.functional() && package->memory_edge(slice)) continue; // bytes not known here
        std::array<unsigned char, kLineBytes> data;
        if (impl.functional()) impl.debug_read(line, data.data(), kLineBytes);
        L2Slice& there = *package->socket().slices[slice];
        held += there.hold(line, impl.functional() ? data.data() : nullptr) ? 1U : 0U;
    }
    return CopyStart::ended;
}

void System::Impl::fail_copy(const std::string& why) {
    clockwork.fail(fmt::format("workload {}: {}: {}", workload.name, why, pages.failure_sentence()));
}

void System::Impl::build_copies() {
    if (config.copies.mode == CopyMode::free) return;
    if (config.copies.mode == CopyMode::into_l2) return dispatcher.set_copies(copies_into_l2);
    if (!has_copy_engines(config)) return dispatcher.set_copies(no_copies);
    const std::vector<SocketId> copying = copying_sockets(config);
    const std::vector<std::vector<MemoryId>> near = near_memories(config);
    std::vector<std::vector<unsigned>> movers_near(map.memories);
    for (unsigned m = 0; m < copying.size(); ++m)
        for (const MemoryId there : near[copying[m].value]) movers_near[there.value].push_back(m);
    copies = std::make_unique<HostCopies>(
        "host_copies", config.copies,
        HostCopies::Resources{domain, resources.pool, map, space, config.placement.page_bytes(),
                              config.placement.address_bits, copying, std::move(movers_near),
                              [this](const std::string& why) { fail_copy(why); }});
    for (unsigned m = 0; m < copying.size(); ++m) {
        const unsigned s = copying[m].value;
        bind(copies->port(m), sockets[s]->device_port(0), fmt::format("socket{}_wire_host_copies", s));
    }
    copies->on_end = [this](const Launch& launch, Cycle since) {
        timeline.push_back({since,
                            domain.now(),
                            -1,
                            "copies",
                            launch.what == Launch::What::copy_to_device ? "copy to devices"
                            : launch.what == Launch::What::copy_to_host ? "copy to the host"
                                                                        : "copy between arrays",
                            {{"bytes", launch.bytes}, {"address", fmt::format("{:#x}", launch.address)}}});
        host_sees_copy(launch);
    };
    dispatcher.set_copies(*copies);
}

} // namespace numavp
