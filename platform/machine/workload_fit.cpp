#include "platform/machine/workload_fit.h"

#include <cstdint>
#include <set>
#include <string>

#include <fmt/format.h>

#include "common/system/derived.h"
#include "common/system/memory_choice.h"
#include "common/system/reduction_units.h"
#include "models/sm/sm.h"
#include "sw/loops/joined_kernel.h"

namespace numavp {

namespace {
/// The pages of a range of addresses.
void add_pages(std::uint64_t address, std::uint64_t bytes, std::uint64_t page_bytes, std::set<std::uint64_t>& pages) {
    if (bytes == 0) return;
    for (std::uint64_t page = address / page_bytes; page <= (address + bytes - 1) / page_bytes; ++page)
        pages.insert(page);
}

/// The host's memories hold a buffer of each array that is copied, or that the host's core works on.
void check_buffers(const SystemConfig& config, const Workload& workload, const PageTableParams& table) {
    if (!copies_by_engines(config)) return;
    std::set<std::uint64_t> pages;
    for (const Launch& launch : workload.launches) {
        if (launch.kernel || launch.what == Launch::What::copy_peer) continue;
        add_pages(launch.address, launch.bytes, table.page_bytes, pages);
        if (!launch.host || !config.host_core.given()) continue;
        for (const HostAccess& access : launch.host->accesses)
            add_pages(access.base, access.bytes, table.page_bytes, pages);
    }
    const std::uint64_t room = table.room(memory_choice(config).of_buffers);
    if (pages.size() * table.page_bytes > room)
        throw ConfigError("workload " + workload.name,
                          fmt::format("its copies need {} MiB of buffers on the host; the memories of {} have {} MiB",
                                      pages.size() * table.page_bytes >> 20, config.copies.host, room >> 20));
}
/// Settings change at launches that the run has.
void check_changes(const SystemConfig& config, const Workload& workload) {
    for (std::size_t i = 0; i < config.changes.at.size(); ++i)
        check_launch(workload, config.changes.at[i].kernel, fmt::format("changes.at[{}].kernel", i));
}
} // namespace

void check_launch(const Workload& workload, std::uint64_t kernel, const std::string& place) {
    std::uint64_t count = 0, first = 0, last = 0;
    for (const Launch& launch : workload.launches) {
        if (!launch.kernel) continue;
        ++count;
        last = launch.number == 0 ? count : launch.number;
        if (first == 0) first = last;
        if (last == kernel) return;
    }
    throw ConfigError(place, fmt::format("the run has no launch {} of a kernel; {} are launched, {} to {}", kernel,
                                         count, first, last));
}

void check_fit(const SystemConfig& config, const Workload& workload) {
    check_changes(config, workload);
    for (const SocketGroup& group : socket_groups(config)) {
        if (group.config->sms == 0) continue;
        for (const Launch& launch : workload.launches) {
            if (!launch.kernel) continue;
            const KernelShape& shape = launch.kernel->shape();
            if (const std::string why = Sm::why_never(group.config->sm, shape); !why.empty())
                throw ConfigError("workload " + workload.name,
                                  fmt::format("kernel {} cannot run on {}: {}", shape.name,
                                              group.range.count() == config.sockets ? "this system" : group.name(),
                                              why));
        }
    }
    const PageTableParams table = page_table_params(config);
    const std::uint64_t page = table.page_bytes;
    const std::uint64_t memory = table.room(memory_choice(config).of_arrays);
    const bool copied = copies_by_engines(config);
    const unsigned bits = config.placement.address_bits - (copied ? 1 : 0);
    std::uint64_t pages = 0;
    for (const Range& r : workload.ranges) {
        if (r.bytes == 0) continue;
        const std::uint64_t last = r.base + r.bytes - 1;
        if (!r.multicast()) pages += last / page - r.base / page + 1;
        if (bits < 64 && (last >> bits) != 0)
            throw ConfigError("workload " + workload.name,
                              fmt::format("range {} ends at {:#x}, wider than the system's {} address bits{}", r.name,
                                          last, config.placement.address_bits,
                                          copied ? ", of which the highest marks the host's buffers" : ""));
    }
    check_given_arrays(config, workload);
    multicast_map(config, workload);
    if (config.copies.mode == CopyMode::none && config.translation.mode != TranslationMode::off &&
        workload.copies_between_arrays())
        throw ConfigError("workload " + workload.name,
                          "copy engines use physical addresses, and it copies between arrays; translation.mode off is "
                          "allowed, or free copies");
    check_buffers(config, workload, table);
    if (pages * page > memory)
        throw ConfigError("workload " + workload.name,
                          fmt::format("it declares {} MiB of memory in pages of {} KiB; {} have {} MiB",
                                      pages * page >> 20, config.placement.page_kib,
                                      config.placement.memories.empty()
                                          ? "the sockets"
                                          : "the memories of " + config.placement.memories,
                                      memory >> 20));
}

std::string unlike_ranks(const SystemConfig& config, const Workload& workload) {
    std::uint64_t gpus = 0;
    for (const SocketGroup& group : socket_groups(config)) gpus += group.config->sms != 0 ? group.range.count() : 0;
    const bool contiguous = config.dispatch.split == BlockSplit::contiguous;
    for (const Launch& launch : workload.launches) {
        if (!launch.kernel) continue;
        const KernelShape& shape = launch.kernel->shape();
        const std::uint64_t ranks = ranks_of(shape);
        if (ranks == 0) continue;
        if (ranks != gpus)
            return fmt::format("kernel {} has {} ranks, and the system {} {} with SMs: ranks {}, and its bandwidth is "
                               "not that of {} GPUs",
                               shape.name, ranks, gpus, gpus == 1 ? "socket" : "sockets",
                               ranks < gpus ? "spread over several" : "share them", ranks);
        if (!contiguous)
            return fmt::format("kernel {} has a rank for each socket, and dispatch.split {} runs its blocks anywhere; "
                               "contiguous keeps ranks on sockets",
                               shape.name, kBlockSplits.name(config.dispatch.split));
    }
    return "";
}

} // namespace numavp
