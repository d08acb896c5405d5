#include "models/fault_server/host.h"

#include <algorithm>

#include "tlm-links/protocol/ranks.h"

namespace numavp {

namespace {
// Numbers of devices on the interrupt line.
constexpr unsigned kFaults = 0, kCopies = 1;
// Ports of the host's memory, and of its link.
constexpr unsigned kBusPort = 0, kCopyPort = 1, kIncomingPort = 2;
// Arbiters of the host, in their order within an edge.
constexpr unsigned kRankTimer = 0, kRankCore = 1, kRankCopies = 2;
Rank rank_of(SocketId host, ArbiterKind kind, unsigned index) {
    return {static_cast<std::uint16_t>(host.value), kind, index};
}
} // namespace

Host::Host(sc_core::sc_module_name name, const HostConfig& config, const Resources& r)
    : sc_module(name), config_(config) {
    faults_ =
        std::make_unique<FaultUnit>(config.driver.faults, FaultUnit::Resources{r.domain, line_, kFaults, r.tables});
    devices_.attach({&kFaultUnitBlock, faults_.get(), true});
    devices_.attach({&kSystemBlock, &registers_, false});
    if (config.driver.execution == DriverExecution::ideal) {
        cleaner_ = std::make_unique<TableCleaner>(r.tables);
        devices_.attach({&kCopyEngineBlock, cleaner_.get(), true});
    } else {
        build_memory(r);
        build_devices(r);
    }
    faults_->last_words = [this] { return registers_.last_line(); };
    build_core(r);
}

Host::~Host() = default;

void Host::build_memory(const Resources& r) {
    const SocketId host = config_.number;
    ChannelConfig channel = config_.memory;
    channel.ports = config_.alone ? 2 : 3;
    memory = std::make_unique<Channel>("memory", channel, r.domain, rank_of(host, kRankChannel, 0));
    memory->set_memory(r.memory);
    if (config_.alone) return;
    LinkConfig wires = config_.link;
    wires.sources = 1;
    link = std::make_unique<Link>("link", wires, r.domain, rank_of(host, kRankLink, 0));
    r.bind(link->socket_in(), memory->port(kIncomingPort), "wire_incoming");
}

void Host::build_devices(const Resources& r) {
    const SocketId host = config_.number;
    bus = std::make_unique<DriverBus>(config_.driver.register_cycles, link != nullptr,
                                      DriverBus::Resources{r.domain, r.pool, r.map, host, r.tables, devices_,
                                                           config_.copies.socket_bytes, config_.copies.host_bytes});
    copies = std::make_unique<CopyEngine>(config_.copies,
                                          CopyEngine::Resources{r.domain, rank_of(host, kRankEdge, kRankCopies), r.pool,
                                                                r.map, r.tables, host, line_, kCopies});
    timer_ = std::make_unique<CoreTimer>(r.domain, rank_of(host, kRankEdge, kRankTimer));
    devices_.attach({&kCopyEngineBlock, copies.get(), true});
    devices_.attach({&kTimerBlock, timer_.get(), false});
    r.bind(bus->memory_port(), memory->port(kBusPort), "wire_bus");
    r.bind(copies->memory_port(), memory->port(kCopyPort), "wire_copy");
    if (link) r.bind(bus->link_port(), link->socket_out(0), "wire_bus_link");
}

void Host::build_core(const Resources& r) {
    const Rank rank = rank_of(config_.number, kRankEdge, kRankCore);
    switch (config_.driver.execution) {
    case DriverExecution::none: return;
    case DriverExecution::ideal:
        core_ = std::make_unique<IdealDriver>(config_.driver.native.arena_bytes,
                                              IdealDriver::Resources{r.domain, rank, devices_, r.tables, r.own_policy});
        break;
    case DriverExecution::native:
        core_ = std::make_unique<NativeDriver>("driver", config_.driver.native,
                                               NativeDriver::Resources{r.core_domain, rank, *bus, r.own_policy});
        break;
    case DriverExecution::riscv: {
        auto riscv = std::make_unique<RiscvDriver>(config_.driver.riscv,
                                                   RiscvDriver::Resources{r.core_domain, rank, *bus}, *r.image);
        riscv_ = riscv.get();
        riscv_->ps_to_timer = [this] { return timer_->ps_left(); };
        core_ = std::move(riscv);
        break;
    }
    case DriverExecution::foreign: driver_port = std::make_unique<BusPort>("driver_port", r.domain, *bus); return;
    }
    line_.connect(*core_);
    if (timer_) timer_->connect(*core_);
}

void Host::change() {
    if (core_)
        core_->change(static_cast<std::uint32_t>(registers_.get(SystemRegister::policy)),
                      static_cast<unsigned>(registers_.get(SystemRegister::lab_percent)));
}

bool Host::drained() const {
    return faults_->drained() && (!copies || !copies->busy()) && (!memory || memory->held() == 0) &&
           (!link || link->held() == 0);
}

std::uint64_t Host::silent_ps(std::uint64_t now_ps) const {
    const std::uint64_t oldest = faults_->oldest_ps();
    if (oldest == kNever) return 0;
    return now_ps - std::max({oldest, faults_->progress_ps(), copies ? copies->progress_ps() : 0});
}

std::string Host::waiting_for() const { return core_ && !faults_->waiting_for().empty() ? core_->waiting_for() : ""; }

} // namespace numavp
