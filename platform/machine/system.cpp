#include "platform/machine/system.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "models/base/clockwork.h"
#include "models/paging/page_placement.h"
#include "platform/machine/build.h"
#include "platform/machine/memory_choice.h"
#include "platform/machine/system_impl.h"
#include "platform/machine/workload_fit.h"
#include "tlm-links/protocol_checker.h"

namespace numavp {

namespace {
using Count = std::uint64_t;
} // namespace

// --- building

System::Impl::Impl(const SystemConfig& c, const Workload& w, const SystemOptions& options)
    : config(c), workload(w), clockwork("clockwork"), domain(clockwork.domain(c.clock_khz)), map(address_map(c)),
      placement(system_placement(c)), pages(page_table_params(c), *placement),
      table(radix_layout(c), table_region(c), table_memory),
      space(pages, options.faults != nullptr || has_driver(c) ? &table : nullptr),
      instant(pages, table,
              [this](const std::string& why) { clockwork.fail(fmt::format("workload {}: {}", workload.name, why)); }),
      dispatcher(dispatch_config(c), domain, *this), route(c.sockets + (has_host_memory(c) ? 1 : 0), c.sockets),
      series(c.results.interval_cycles), sampler(*this, domain) {
    pool.functional = c.checks.functional || options.hooks != nullptr || options.core_ports != 0 ||
                      static_cast<bool>(options.foreign_memory);
    if (options.follow_every != 0) {
        accesses = std::make_unique<AccessLog>(options.follow_every, options.on_access);
        pool.accesses = accesses.get();
        pool.until_followed = 1;
    }
    if (options.shuffle_seed) clockwork.shuffle_deliveries(*options.shuffle_seed);
    foreign = options.core_ports != 0;
    for (const SocketGroup& group : socket_groups(c)) foreign |= group.config->memory.model == MemoryModel::axi4_rtl;
    build_host(options);
    build_sockets(options);
    build_replication();
    if (route.ports() > 1) {
        if (has_network(c))
            build_network();
        else
            fabric = std::make_unique<Crossbar>("switch", c.switch_, switch_shape(c),
                                                Crossbar::Resources{domain, route, Rank{kSystemRank, kRankSwitch, 0},
                                                                    Rank{kSystemRank, kRankSwitch, 1U << 16}});
        for (unsigned s = 0; s < c.sockets; ++s) build_cut(s, options);
        connect_links();
    }
    connect_host();
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
    slots = std::make_unique<SlotSeries>(sockets, c.results.interval_cycles);
    if (options.waves != nullptr) watch_waves(options);
}

System::Impl::~Impl() = default;

void System::Impl::build_sockets(const SystemOptions& options) {
    sockets.resize(config.sockets);
    for (unsigned k = 0; k < config.sockets; ++k) {
        const unsigned s = options.order_seed % 2 ? config.sockets - 1 - k : k;
        build_socket(s, options);
    }
    if (config.translation.mode == TranslationMode::off) {
        if (options.faults != nullptr) throw ModelError("who serves page faults needs translation");
        return;
    }
    for (const auto& s : sockets) instant.add_client(*s->mmu);
    const bool by_stores = host && host->bus && has_driver(config);
    if (pool.functional && !options.foreign_memory && !by_stores) // the table's words are where walks read them
        table_memory.on_write = [this](PhysicalAddress at, TableWord word) {
            auto* const bytes = reinterpret_cast<unsigned char*>(&word.bits);
            const std::uint64_t line = at & ~std::uint64_t{kLineBytes - 1};
            const SocketId home = map.home_of(line);
            if (home.value >= sockets.size()) return memory.write(at, bytes, sizeof word.bits);
            const unsigned slice = map.slice_of(line, home);
            sockets[home.value]->channel_of(slice)->debug(at, bytes, sizeof word.bits, true);
            sockets[home.value]->slices[slice]->debug_patch(at, word.bits);
        };
}

void System::Impl::bind(tlm::tlm_initiator_socket<>& from, tlm::tlm_target_socket<>& to, const std::string& name) {
    if (!config.checks.protocol) {
        from.bind(to);
        return;
    }
    const ProtocolRules rules = ProtocolRules::platform(domain, domain);
    checkers.push_back(bind_checked(from, to, name.c_str(), &rules));
}

void System::Impl::build_socket(unsigned s, const SystemOptions& options) {
    const std::string name = "socket" + std::to_string(s);
    GpuSocket::Resources r{domain,
                           pool,
                           map,
                           pages,
                           SocketId(s),
                           options.hooks,
                           dispatcher,
                           pool.functional ? &memory : nullptr,
                           options.order_seed,
                           {},
                           {},
                           {&space, &table, fault_sink(options), options.walks}};
    r.bind = [this, name](tlm::tlm_initiator_socket<>& from, tlm::tlm_target_socket<>& to, const std::string& wire) {
        bind(from, to, name + "_" + wire);
    };
    if (options.foreign_memory)
        r.foreign_channel = [&, s](unsigned channel) -> tlm::tlm_target_socket<>* {
            if (memory_edges.count({s, channel})) return &memory_edges[{s, channel}]->port.socket;
            tlm::tlm_target_socket<>* target = options.foreign_memory(s, channel);
            if (!target) return nullptr;
            const SocketConfig& own = config.socket_at(s);
            if (own.l2.slices != own.memory.channels)
                throw ConfigError("socket.l2.slices", "a foreign memory needs one slice a channel");
            EdgeTargetConfig edge_config;
            edge_config.outstanding = own.l2.entries; // all that a slice has out
            auto edge = std::make_unique<EdgeTargetAdapter>(
                fmt::format("memory_edge_{}_{}", s, channel).c_str(), edge_config,
                EdgeResources{domain, pool, Rank{static_cast<std::uint16_t>(s), kRankEdge, 1000 + channel}});
            edge->socket.bind(*target);
            foreign = true;
            return &(memory_edges[{s, channel}] = std::move(edge))->port.socket;
        };
    GpuSocketConfig built = socket_config(config, s, options.core_ports);
    if (built.memory.model == MemoryModel::axi4_rtl && s >= built.memory.rtl_sockets)
        built.memory.model = MemoryModel::channel;
    if (options.faults != nullptr) {
        built.mmu.faults = true;
        built.mmu.migration_threshold = options.migration_threshold;
    }
    if (options.lanes) {
        const LaneSplit lanes = options.lanes(s);
        built.link.lanes_out = lanes.out;
        built.link.lanes_in = lanes.in;
    }
    sockets[s] = std::make_unique<GpuSocket>(name.c_str(), built, r);
    sockets[s]->on_ways = [this, s](Cycle at, unsigned l2, unsigned l1) {
        TimelineEvent event{at, at, static_cast<int>(s), "ways", "ways moved", {{"l2_local", Count{l2}}}};
        if (l1 != 0) event.args.emplace_back("l1_local", Count{l1});
        timeline.push_back(std::move(event));
    };
    if (sockets[s]->link)
        sockets[s]->link->on_lanes([this, s](Cycle at, LaneSplit lanes) {
            timeline.push_back({at,
                                at,
                                static_cast<int>(s),
                                "lanes",
                                "lanes turned",
                                {{"out", Count{lanes.out}}, {"in", Count{lanes.in}}}});
        });
    for (unsigned p = 0; p < options.core_ports; ++p) {
        EdgeInitiatorConfig edge;
        edge.range = {0, std::uint64_t{map.memories} << map.socket_shift};
        core_edges.push_back(std::make_unique<EdgeInitiatorAdapter>(
            fmt::format("core_edge_{}_{}", s, p).c_str(), edge,
            EdgeResources{domain, pool, Rank{static_cast<std::uint16_t>(s), kRankEdge, p}}));
        core_edges.back()->set_router([this, s](Txn& txn) {
            txn.requester = SocketId(s);
            map.resolve(txn);
        });
        core_edges.back()->set_debug(&debug);
        bind(core_edges.back()->port.socket, sockets[s]->core_port(p), fmt::format("{}_wire_core_port{}", name, p));
        core_edge_of[{s, p}] = core_edges.back().get();
    }
}

void System::Impl::build_replication() {
    const std::optional<unsigned> sampled = replicating_socket(config);
    if (config.replication.policy == ReplicationPolicy::none || !sampled) return;
    replication = std::make_unique<ReplicationControl>(config.replication, domain, Rank{kSystemRank, kRankControl, 2},
                                                       sockets[*sampled]->slices[0]->tags(),
                                                       replication_bandwidths(config, *sampled));
    for (unsigned s = 0; s < config.sockets; ++s)
        sockets[s]->set_replication(replication->replicates(), s == *sampled ? replication->sampler() : nullptr);
    replication->on_change = [this](Cycle at, bool on) {
        timeline.push_back({at, at, -1, "replication", on ? "replicas from here" : "no replicas from here"});
    };
}

/// SystemC wants every port bound: those that nobody asked for get an initiator that never calls.
void System::Impl::close_core_ports() {
    for (auto& [place, edge] : core_edge_of)
        if (driven.insert(place).second) edge->socket.get_base_port().bind(nobody);
}

// --- what the dispatcher tells

void System::Impl::kernel_launched(const LaunchRecord& record, bool alone) {
    series.mark(record.launched, record.name);
    timeline.push_back({record.launched, record.launched, -1, "launch", record.name});
    if (waves) waves->kernel_launched(record.name);
    if (alone) {
        for (auto& s : sockets) s->launch();
        if (replication) replication->launch();
    }
    sample_from_now();
}

void System::Impl::sample_from_now() {
    if (sampling) return;
    sampling = true;
    sampler.wake_at(domain.now() + config.results.interval_cycles);
}

void System::Impl::kernel_ended(const LaunchRecord& record) {
    kernels->flushed(record, domain.now());
    timeline.push_back({record.started, record.ended, -1, "kernel", record.name, {}, 0, record.number});
    timeline.push_back({record.ended, record.flushed, -1, "flush", record.name});
    host_sees_kernel();
    if (waves) waves->kernel_ended();
}

void System::Impl::wave_ended(const LaunchRecord& record, SocketId socket, const BlockWave& wave) {
    timeline.push_back({wave.begin,
                        wave.end,
                        static_cast<int>(socket.value),
                        "blocks",
                        record.name,
                        {{"wave", Count{wave.number} + 1}, {"blocks", Count{wave.blocks}}}});
}

void System::Impl::all_ended() {
    end_cycle = domain.now();
    sampling = false;
    sample(end_cycle);
    if (waves) waves->rest();
    for (auto& s : sockets) s->rest();
    if (replication) replication->rest();
    if (network) network->rest();
}

void System::Impl::no_place(const Kernel& kernel) {
    clockwork.fail(fmt::format("workload {}: {}: {}", workload.name, kernel.place(), pages.failure_sentence()));
}

void System::Impl::bad_work(const std::string& sentence) { clockwork.fail(sentence); }

void System::Impl::Sampler::arbitrate() {
    if (!impl.sampling) return;
    impl.sample(impl.domain.now());
    wake_at(impl.domain.now() + impl.config.results.interval_cycles);
}

// --- running

Progress System::Impl::progress() const {
    Progress p;
    p.cycle = domain.now();
    p.blocks_done = dispatcher.blocks_done();
    p.blocks_total = dispatcher.blocks_total();
    p.kernels_done = dispatcher.kernels_done();
    p.kernels_total = dispatcher.kernels_total();
    for (const auto& s : sockets)
        for (const auto& sm : s->sms) p.warp_instructions += sm->counts().instructions;
    return p;
}

bool System::Impl::ended() const {
    // A foreign memory may hold requests while nothing is due on our clocks.
    return dispatcher.finished() && clockwork.idle() && (!foreign || pool.in_flight() == 0);
}

void System::Impl::advance(std::uint64_t ps) {
    const std::uint64_t window = domain.edge_ps(kWindow);
    while (ps != 0) {
        const std::uint64_t to_end = window - sc_now_ps() % window;
        const std::uint64_t step = std::min(ps, to_end);
        try {
            sc_core::sc_start(sc_core::sc_time::from_value(step));
        } catch (const sc_core::sc_report&) { // a run that the user's fault ends leaves transactions open
            if (clockwork.failure().empty()) throw;
        }
        if (!clockwork.failure().empty()) throw ConfigError(clockwork.failure());
        if (!deltas.failure().empty()) throw ModelError(deltas.failure());
        if (step == to_end) end_window();
        ps -= step;
    }
}

void System::Impl::end_window() {
    constexpr unsigned kPatience = 64; ///< windows
    if (gdb) gdb->poll();
    if (ended()) return;
    // A driver ends what it is doing; one that never sleeps is left to itself when it has done nothing for a while.
    const bool spins = dispatcher.finished() && host && host->has_core() && host->faults().drained();
    spinning = spins ? spinning + 1 : 0;
    if (spinning > kPatience) host->halt();
    watch_driver();
}

void System::Impl::run(const std::function<void(const Progress&)>& report) {
    if (sc_now_ps() != 0 && ended()) return verify();
    std::uint64_t last_activity = ~0ULL;
    Cycle quiet_since = 0;
    for (;;) {
        const std::uint64_t window = domain.edge_ps(kWindow);
        advance(window - sc_now_ps() % window);
        if (report) report(progress());
        if (ended()) break;
        if (clockwork.idle() && !foreign) stuck("nothing is due any more");
        const Progress p = progress();
        const std::uint64_t activity = p.warp_instructions + p.blocks_done + p.kernels_done + pool.returned() +
                                       (host_core ? host_core->activity() : 0);
        if (activity != last_activity) {
            last_activity = activity;
            quiet_since = domain.now();
        } else if (domain.now() - quiet_since > config.checks.stuck_cycles + config.dispatch.launch_cycles) {
            stuck(fmt::format("nothing has happened for {} cycles", domain.now() - quiet_since));
        }
    }
    verify();
}

void System::Impl::stuck(const std::string& why) const {
    throw ModelError(fmt::format("the simulation is stuck at cycle {}: {}{}", domain.now(), why, parts.report()));
}

/// Nothing is lost: all parts are drained, and all accounts agree.
void System::Impl::verify() {
    const std::vector<std::string> open = parts.open_accounts();
    if (!open.empty()) throw ModelError(fmt::format("the accounts do not close: {}", fmt::join(open, "; ")));
}

namespace {
/// A line from a foreign memory; zeros from one that does not answer debug access.
void debug_read_foreign(EdgeTargetAdapter& edge, std::uint64_t line, unsigned char* out) {
    tlm::tlm_generic_payload payload;
    payload.set_read();
    payload.set_address(line);
    payload.set_data_ptr(out);
    payload.set_data_length(kLineBytes);
    payload.set_streaming_width(kLineBytes);
    const unsigned count = edge.port.transport_dbg(payload);
    if (count < kLineBytes) std::memset(out + count, 0, kLineBytes - count);
}
} // namespace

void System::Impl::debug_read(std::uint64_t physical, unsigned char* out, std::size_t bytes) {
    while (bytes != 0) {
        const std::uint64_t line = physical & ~std::uint64_t{kLineBytes - 1};
        const std::size_t first = physical - line;
        const std::size_t n = std::min<std::size_t>(bytes, kLineBytes - first);
        std::array<unsigned char, kLineBytes> data;
        const SocketId home = map.home_of(line);
        const unsigned slice = home.value < sockets.size() ? map.slice_of(line, home) : 0;
        if (const auto edge = memory_edges.find({home.value, slice}); edge != memory_edges.end())
            debug_read_foreign(*edge->second, line, data.data());
        else if (home.value < sockets.size())
            sockets[home.value]->channel_of(slice)->debug(line, data.data(), kLineBytes, false);
        else
            memory.read(line, data.data(), kLineBytes);
        if (home.value < sockets.size()) sockets[home.value]->slices[slice]->debug_overlay(line, data.data());
        for (unsigned s = 0; s < sockets.size(); ++s)
            if (s != home.value) sockets[s]->slices[map.slice_of(line, SocketId(s))]->debug_overlay(line, data.data());
        std::memcpy(out, data.data() + first, n);
        out += n;
        physical += n;
        bytes -= n;
    }
}

// --- the public face

namespace {
constexpr int kStatusOfFailure = 3; ///< that a debugger is told
}

System::System(const SystemConfig& config, const Workload& workload, const SystemOptions& options) {
    check_fit(config, workload);
    impl_ = std::make_unique<Impl>(config, workload, options);
}

System::~System() = default;

tlm::tlm_target_socket<>& System::core_port(unsigned socket, unsigned port) {
    const SystemConfig& config = impl_->config;
    if (config.network.topology == FabricKind::wires && only_sms_request(config) && config.socket_at(socket).sms == 0)
        throw ConfigError("network.wires",
                          fmt::format("its packets keep out of each other's way only if sockets with SMs "
                                      "begin them, and {} has none; a port of another is allowed",
                                      config.socket_name(socket)));
    impl_->driven.insert({socket, port});
    return impl_->core_edge_of.at({socket, port})->socket;
}

void System::run(const std::function<void(const Progress&)>& progress) {
    impl_->close_core_ports();
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
    impl_->close_core_ports();
    if (impl_->waves) impl_->waves->look();
    impl_->advance(ps);
}

bool System::ended() const { return impl_->ended(); }

const SystemConfig& System::config() const { return impl_->config; }
const StatGroup& System::stats() const { return impl_->stats; }
const SeriesRecorder& System::series() const { return impl_->series; }
nlohmann::ordered_json System::kernels() const {
    return impl_->kernels->json(impl_->dispatcher.finished() ? impl_->end_cycle : impl_->domain.now());
}
const SlotSeries& System::slots() const { return *impl_->slots; }
const std::vector<TimelineEvent>& System::timeline() const { return impl_->timeline; }
const std::vector<TimedFault>& System::faults() const { return impl_->recorded_faults; }
const Histogram& System::access_latency(unsigned socket, Kind kind, bool remote) const {
    const LoadLatency& latency = impl_->sockets.at(socket)->load_latency(remote);
    return kind == Kind::store ? latency.stores : kind == Kind::atomic ? latency.atomics : latency.histogram;
}
std::optional<DriverResult> System::driver() const {
    if (!has_driver(impl_->config)) return std::nullopt;
    return DriverResult{record_of(impl_->mapped_pages(), impl_->map.socket_shift, impl_->host->devices()),
                        impl_->host->registers().console()};
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
