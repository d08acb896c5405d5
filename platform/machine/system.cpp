#include "platform/machine/system.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "base/time/clockwork.h"
#include "common/system/derived.h"
#include "common/system/memory_choice.h"
#include "common/system/reduction_units.h"
#include "models/paging/page_placement.h"
#include "platform/machine/part_factories.h"
#include "platform/machine/system_impl.h"
#include "platform/machine/workload_fit.h"

namespace numavp {

static_assert(kMostClocks == Clockwork::kMaxDomains);

System::Impl::Impl(const SystemConfig& c, const Workload& w, const SystemOptions& options)
    : config(c), changes(changed_systems(c, Place(c.name, "$.changes"))), placed(c.placement), workload(w),
      shards(divide(c, w, options)), clockwork("clockwork", shards.workers), domain(clockwork.domain(c.clock_khz)),
      pool(clockwork.system_shard() + 1), map(address_map(c)), placement(system_placement(c, w)),
      pages(page_table_params(c), placement), multicast(multicast_map(c, w)),
      table(radix_layout(c), table_region(c), table_memory),
      space(pages, options.faults != nullptr || has_driver(c) ? &table : nullptr),
      instant(pages, table,
              [this](const std::string& why) { clockwork.fail(fmt::format("workload {}: {}", workload.name, why)); }),
      dispatcher(dispatch_config(c), domain, *this), route(end_count(c), c.sockets),
      resources(resources_of_parts(options)), built(c.sockets), series(c.results.interval_cycles),
      sampler(*this, domain) {
    if (shards.workers > 1) pages.share(c.sockets);
    if (!multicast.empty()) pages.set_multicast(multicast);
    if (options.worker_seed) clockwork.draw_pauses(*options.worker_seed);
    TxnPool& own = pool.of(clockwork.system_shard()); // where one worker has all
    own.functional = c.checks.functional || options.hooks != nullptr || options.core_ports != 0 ||
                     static_cast<bool>(options.foreign_memory);
    if (w.waits_for_flags()) own.flags = &flags;
    if (options.follow_every != 0) {
        accesses = std::make_unique<AccessLog>(options.follow_every, options.on_access);
        own.accesses = accesses.get();
        own.until_followed = 1;
    }
    if (options.shuffle_seed) clockwork.shuffle_deliveries(*options.shuffle_seed);
    foreign = options.core_ports != 0;
    for (const SocketGroup& group : socket_groups(c)) foreign |= group.config->memory.model == MemoryModel::axi4_rtl;
    build_parts();
    connect_translation();
    build_replication();
    for (const auto& part : built.all) part->connect();
    open_debugger(options);
    std::vector<Dispatcher::SocketParts> driven_parts(c.sockets);
    for (unsigned s = 0; s < c.sockets; ++s) {
        for (auto& sm : sockets[s]->sms) driven_parts[s].sms.push_back(sm.get());
        for (auto& slice : sockets[s]->slices) driven_parts[s].slices.push_back(slice.get());
    }
    dispatcher.set_sockets(std::move(driven_parts));
    build_copies();
    build_host_core(options);
    dispatcher.load(workload);
    list_parts();
    parts.add_statistics(stats);
    parts.add_series(series);
    kernels = std::make_unique<KernelLedger>(stats, config.results.kernel_rows);
    slots = std::make_unique<SlotSeries>(sockets, domain, c.results.interval_cycles);
    if (options.waves != nullptr) watch_waves(options);
}

System::Impl::~Impl() = default;

PartResources System::Impl::resources_of_parts(const SystemOptions& options) {
    return {
        config,
        options,
        clockwork,
        shards,
        domain,
        pool,
        pool.of(clockwork.system_shard()),
        map,
        pages,
        multicast,
        space,
        table,
        memory,
        dispatcher,
        route,
        timeline,
        host_record,
        built,
        [this](tlm::tlm_initiator_socket<>& from, tlm::tlm_target_socket<>& to, const std::string& name,
               const ClockDomain& clock) { bind(from, to, name, clock); },
        memory_homes(config),
        [this]() -> FaultSink* {
            if (resources.options.faults != nullptr) return resources.options.faults;
            return has_driver(config) ? static_cast<FaultSink*>(&built.host->faults()) : &instant;
        },
        [this](unsigned number) { return allocated_bytes(number); },
        debug,
        [this](std::uint64_t physical, unsigned char* out, std::size_t bytes) { debug_read(physical, out, bytes); }};
}

void System::Impl::build_parts() {
    for (const PartSpec& spec : parts_to_build(config, resources.options.order_seed)) {
        std::unique_ptr<MachinePart> part = make_part(spec, resources);
        if (!part) continue;
        foreign |= part->foreign();
        built.all.push_back(std::move(part));
    }
    // Whatever the order in which they were built: packages by number, then the rest.
    const auto place = [this](const std::unique_ptr<MachinePart>& part) {
        return std::find(built.packages.begin(), built.packages.end(), part.get()) - built.packages.begin();
    };
    std::stable_sort(built.all.begin(), built.all.end(),
                     [&](const auto& a, const auto& b) { return place(a) < place(b); });
}

// --- the public face

namespace {
constexpr int kStatusOfFailure = 3; ///< that a debugger is told
}

System::System(const SystemConfig& config, const Workload& workload, const SystemOptions& options) {
    check_fit(config, workload);
    SystemConfig built = config;
    built.copies.between_arrays = workload.copies_between_arrays();
    impl_ = std::make_unique<Impl>(built, workload, options);
}

System::~System() = default;

tlm::tlm_target_socket<>& System::core_port(unsigned socket, unsigned port) {
    const SystemConfig& config = impl_->config;
    if (config.network.topology == FabricKind::wires && only_sms_request(config) && config.socket_at(socket).sms == 0)
        throw ConfigError("network.wires",
                          fmt::format("its packets keep out of each other's way only if sockets with SMs "
                                      "begin them, and {} has none; a port of another is allowed",
                                      config.socket_name(socket)));
    return impl_->built.packages.at(socket)->drive(port);
}

tlm::tlm_target_socket<>& System::connect_driver(InterruptTaker& driver) {
    Host* const host = impl_->built.host;
    if (!host || !host->driver_port)
        throw ConfigError("driver.execution",
                          fmt::format("{} has no place for a driver from outside; foreign is expected",
                                      kDriverExecutions.name(impl_->config.driver.execution)));
    host->connect_driver(driver);
    impl_->driver_connected = true;
    return host->driver_port->socket;
}

void System::run(const std::function<void(const Progress&)>& progress) {
    impl_->close_ports();
    if (impl_->waves) impl_->waves->look();
    try {
        if (impl_->gdb) impl_->gdb->wait(impl_->invite);
        impl_->run(progress);
    } catch (...) {
        impl_->close_debugger(kStatusOfFailure);
        throw;
    }
    impl_->close_debugger(0);
    impl_->host_timeline();
    flush_accesses();
}

void System::flush_accesses() {
    if (impl_->accesses) impl_->accesses->flush();
}

void System::run_for(Cycle cycles) { advance(impl_->domain.edge_ps(cycles)); }

void System::advance(std::uint64_t ps) {
    impl_->close_ports();
    if (impl_->waves) impl_->waves->look();
    if (const std::uint64_t left = impl_->advance(ps); left != 0) Impl::stopped(left);
}

bool System::ended() const { return impl_->ended(); }

const SystemConfig& System::config() const { return impl_->config; }
unsigned System::workers() const { return impl_->shards.workers; }
const std::string& System::why_one_worker() const { return impl_->shards.why_one; }
const StatGroup& System::stats() const { return impl_->stats; }
const SeriesRecorder& System::series() const { return impl_->series; }
nlohmann::ordered_json System::kernels() const {
    return impl_->kernels->json(impl_->dispatcher.finished() ? impl_->end_cycle : impl_->domain.now());
}
const SlotSeries& System::slots() const { return *impl_->slots; }
const std::vector<TimelineEvent>& System::timeline() const { return impl_->timeline; }
const PartList& System::parts() const { return impl_->parts; }
const std::vector<TimedFault>& System::faults() const { return impl_->host_record.faults; }
const Histogram& System::access_latency(unsigned socket, Kind kind, bool remote) const {
    const LoadLatency& latency = impl_->sockets.at(socket)->load_latency(remote);
    return kind == Kind::store ? latency.stores : kind == Kind::atomic ? latency.atomics : latency.histogram;
}
std::optional<DriverResult> System::driver() const {
    if (!has_driver(impl_->config)) return std::nullopt;
    return DriverResult{record_of(impl_->mapped_pages(), impl_->map.socket_shift, impl_->built.host->devices()),
                        impl_->built.host->registers().console()};
}
Progress System::progress() const { return impl_->progress(); }
Cycle System::cycles() const { return impl_->end_cycle; }
std::uint64_t System::deliveries() const { return impl_->clockwork.deliveries(); }
FaultClient& System::fault_client(unsigned socket) { return *impl_->sockets.at(socket)->mmu; }
RadixTable& System::page_table() { return impl_->table; }
FlatMemory& System::memory() { return impl_->memory; }
ClockDomain& System::clock() { return impl_->domain; }
std::uint64_t System::arbitrations() const { return impl_->clockwork.arbitrations(); }

void System::debug_read(std::uint64_t address, unsigned char* out, std::size_t bytes) {
    while (bytes != 0) {
        const std::uint64_t line = address >> kLineShift;
        const std::size_t first = address % kLineBytes;
        const std::size_t n = std::min<std::size_t>(bytes, kLineBytes - first);
        PhysicalAddress physical = 0;
        if (impl_->space.translate(line, SocketId(0), physical))
            impl_->debug_read(physical + first, out, n);
        else
            std::memset(out, 0, n);
        out += n;
        address += n;
        bytes -= n;
    }
}

} // namespace numavp
