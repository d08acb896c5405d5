#include "platform/machine/host_build.h"

#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "base/values/units.h"
#include "common/files/program.h"
#include "common/system/derived.h"
#include "common/system/driver_policy.h"
#include "common/system/load_system.h"
#include "common/system/network_settings.h"

namespace numavp {

namespace {
/// Pages that the driver may have in each socket's memory.
std::uint64_t frames(const SystemConfig& c, const TableRegion& region) {
    const std::uint64_t bytes = region.first == MemoryId(0) ? region.base : memory_bytes(c);
    const std::uint64_t all = bytes / c.placement.page_bytes();
    return c.driver.pages == 0 ? all : std::min(all, c.driver.pages);
}

/// Routers on the shortest way between packages, kNoWay if there is none. The network is made when somebody asks, which
/// few policies do.
class SocketDistances {
  public:
    explicit SocketDistances(const SystemConfig& config) : config_(config) {}
    unsigned operator()(unsigned from, unsigned to) {
        if (!has_network(config_)) return 1;
        if (!network_) network_ = std::make_shared<const SystemNetwork>(system_network(config_, Place("system")));
        const NetworkGraph& graph = network_->topology.graph;
        unsigned fewest = kNoWay;
        for (const unsigned exit : graph.endpoints[to].exits()) {
            const unsigned last = graph.terminals[exit].router;
            for (const unsigned entry : network_->topology.routing->entries(from, last)) {
                const unsigned channels = network_->topology.routing->hops(graph.terminals[entry].router, last);
                if (channels != kNoWay) fewest = std::min(fewest, channels + 1);
            }
        }
        return fewest;
    }

  private:
    const SystemConfig& config_;
    std::shared_ptr<const SystemNetwork> network_;
};
} // namespace

HostConfig host_config(const SystemConfig& c, const TableRegion& region, bool alone) {
    HostConfig h;
    h.driver = c.driver;
    h.alone = alone;
    h.number = host_number(c);
    if (c.driver.execution == DriverExecution::ideal)
        h.driver.faults.delay_cycles = cycles_of(c.driver.latency_us * 1000, c.clock_khz);
    h.driver.faults.socket_shift = address_map(c).socket_shift;
    h.driver.faults.page_bytes = c.placement.page_bytes();
    h.driver.faults.frames = frames(c, region);
    h.driver.faults.replicates = c.driver.replication_threshold != 0;
    h.copies.socket_bytes = memory_bytes(c);
    h.copies.host_bytes = host_memory_bytes(c);
    h.copies.alone = alone;
    h.memory.channels = 1;
    h.memory.bandwidth_gbps = c.host.memory_gbps;
    h.memory.latency_ns = c.host.memory_latency_ns;
    h.link = c.link;
    h.link.errors = {}; // of links of sockets
    h.link.lanes_out = h.link.lanes_in = 1;
    h.link.lane_gbps = c.host.link_gbps;
    h.link.latency_cycles = c.host.link_latency_cycles;
    h.link.balancer = LaneBalancerKind::fixed;
    h.link = with_wires(c, h.link);
    h.driver.native.cycles_per_instruction = c.driver.riscv.cycles_per_instruction;
    // as behind an image of less than a MiB
    h.driver.native.arena_bytes = c.driver.riscv.ram_bytes() - (std::uint64_t{1} << 20);
    return h;
}

void set_registers(SystemRegisters& registers, const SystemConfig& c, const TableRegion& region) {
    using Reg = SystemRegister;
    const bool on_host = region.first != MemoryId(0);
    const bool ideal = c.driver.execution == DriverExecution::ideal;
    registers.set(Reg::sockets, c.sockets);
    registers.set(Reg::page_shift, bits_for(c.placement.page_bytes()));
    registers.set(Reg::frames, frames(c, region));
    registers.set(Reg::host_frames,
                  ideal ? 0 : (on_host ? region.base : host_memory_bytes(c)) / c.placement.page_bytes());
    registers.set(Reg::socket_shift, region.socket_shift);
    registers.set(Reg::policy, policy_register(c.driver.policy));
    registers.set(Reg::fill, static_cast<std::uint64_t>(c.driver.fill));
    registers.set(Reg::levels, radix_layout(c).levels());
    registers.set(Reg::address_bits, c.placement.address_bits);
    registers.set(Reg::root, region.root());
    registers.set(Reg::tables, on_host);
    registers.set(Reg::table_frames, region.frames);
    registers.set(Reg::seed, c.driver.seed);
    const std::uint64_t replicates = c.driver.replication_threshold != 0;
    registers.set(Reg::notes,
                  replicates << 32 | (replicates ? c.driver.replication_threshold : c.driver.migration_threshold));
    registers.set(Reg::lab_percent, c.driver.lab_percent);
    registers.set(Reg::table_base, region.base);
    registers.set(Reg::ram_bytes, c.driver.riscv.ram_bytes());
}

void show_distances(MachineLook& look, const SystemConfig& config) {
    look.sockets = config.sockets;
    look.routers = SocketDistances(config);
}

std::unique_ptr<PolicyObject> policy_object(const SystemConfig& c) {
    if (!has_driver(c) || !is_policy_object(c.driver.policy)) return nullptr;
    return std::make_unique<PolicyObject>("driver.policy", c.driver.policy);
}

std::string firmware_file(const SystemConfig& c) {
    namespace fs = std::filesystem;
    if (!c.driver.riscv.firmware.empty()) return c.driver.riscv.firmware;
    const fs::path program = fs::path(program_path()).parent_path();
    for (const fs::path& place : {program / "../firmware/driver.elf", program / NUMAVP_INSTALLED_FIRMWARE}) {
        std::error_code ignored;
        if (fs::exists(place, ignored)) return place.lexically_normal().string();
    }
    throw ConfigError("driver.riscv.firmware",
                      "the driver was not built for RISC-V: gcc-riscv64-unknown-elf and picolibc-riscv64-unknown-elf "
                      "were missing; an ELF image, or a build with them, is allowed");
}

std::unique_ptr<ElfImage> driver_image(const SystemConfig& c) {
    if (c.driver.execution != DriverExecution::riscv) return nullptr;
    auto image = std::make_unique<ElfImage>(ElfImage::read(firmware_file(c)));
    if (has_own_policy(c.driver) && !image->symbol("numavp_policy"))
        throw ConfigError("driver.policy",
                          fmt::format("the firmware '{}' has no symbol numavp_policy; an image that was built with a "
                                      "policy is expected (NUMAVP_OWN_POLICY)",
                                      image->name()));
    return image;
}

} // namespace numavp
