#include "platform/replay/fault_replay.h"

#include <set>

#include <fmt/format.h>

#include "common/system/derived.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp {

namespace {
SystemConfig replayable(SystemConfig c) {
    if (!has_driver(c) || c.driver.execution == DriverExecution::foreign)
        throw ConfigError("driver.execution",
                          fmt::format("{} has no driver to replay faults to; ideal, native and riscv are allowed",
                                      kDriverExecutions.name(c.driver.execution)));
    if (c.driver.fill != PageFill::nothing)
        throw ConfigError("driver.fill", "a replay has no sockets whose memory could be filled; nothing is allowed");
    if (c.driver.migration_threshold != 0)
        throw ConfigError("driver.migration_threshold", "a replay has no sockets that access pages; 0 is allowed");
    if (c.driver.replication_threshold != 0)
        throw ConfigError("driver.replication_threshold", "a replay has no sockets that access pages; 0 is allowed");
    c.translation.tables = TableHome::host;
    return c;
}
} // namespace

/// A socket that knows nothing: it has no caches from which a page could go.
class StubSocket final : public FaultClient {
  public:
    StubSocket(FaultSink& sink, SocketId socket) : sink_(sink), socket_(socket) {}
    void resolved(std::uint64_t) override {}
    void room() override { on_room(); }
    void invalidate(const PageInvalidation& what) override { sink_.invalidated(socket_, what.page); }
    std::function<void()> on_room;

  private:
    FaultSink& sink_;
    SocketId socket_;
};

struct FaultReplay::Impl {
    /// Raises faults at their times; one that finds the queue full holds up the others, as walkers do.
    struct Stimulus final : Arbiter {
        Stimulus(Impl& owner, ClockDomain& domain) : Arbiter(domain, {kSystemRank, kRankEdge, 0}), impl(owner) {
            wake_at_start();
        }
        void arbitrate() override;
        Impl& impl;
    };
    Impl(const SystemConfig& c, std::vector<TimedFault> list);
    void run();
    void check_faults() const;
    Cycle delay() const { return host_config(config, region, true).driver.faults.delay_cycles; }
    [[noreturn]] void stuck(const std::string& why) const;

    SystemConfig config;
    Clockwork clockwork;
    ClockDomain& domain;
    TxnPool pool;
    AddressMap map;
    TableRegion region;
    TableMemory memory;
    RadixTable table;
    std::unique_ptr<ElfImage> image;
    std::unique_ptr<PolicyObject> own_policy;
    std::vector<std::unique_ptr<StubSocket>> stubs;
    std::unique_ptr<Host> host;
    std::vector<TimedFault> faults;
    std::size_t next = 0;
    bool full = false;
    std::uint64_t waited = 0, end_ps = 0;
    std::set<std::uint64_t> touched;
    Stimulus stimulus;
};

FaultReplay::Impl::Impl(const SystemConfig& c, std::vector<TimedFault> list)
    : config(replayable(c)), clockwork("clockwork"), domain(clockwork.domain(c.clock_khz)), map(address_map(config)),
      region(table_region(config)), table(radix_layout(c), region, memory), faults(std::move(list)),
      stimulus(*this, domain) {
    image = driver_image(config);
    own_policy = policy_object(config);
    const auto bind = [](tlm::tlm_initiator_socket<>& from, tlm::tlm_target_socket<>& to, const std::string&) {
        from.bind(to);
    };
    host = std::make_unique<Host>("host", host_config(config, region, true),
                                  Host::Resources{domain, clockwork.domain(config.driver.clock_khz), pool, map, table,
                                                  nullptr, image.get(), bind,
                                                  own_policy ? &own_policy->policy() : nullptr});
    set_registers(host->registers(), config, region);
    show_distances(host->registers().look, config);
    check_faults();
    std::vector<FaultClient*> clients;
    for (unsigned s = 0; s < config.sockets; ++s) {
        stubs.push_back(std::make_unique<StubSocket>(host->faults(), SocketId(s)));
        stubs.back()->on_room = [this] {
            full = false;
            stimulus.wake();
        };
        clients.push_back(stubs.back().get());
    }
    host->faults().set_clients(clients);
    host->faults().ledger().on_end = [this](std::uint64_t, SocketId, const FaultTimes& times) { end_ps = times.done; };
}

/// What a host without sockets can't serve.
void FaultReplay::Impl::check_faults() const {
    std::set<std::uint64_t> pages;
    for (const TimedFault& f : faults) {
        if (!table.layout().contains(f.fault.page))
            throw ConfigError("faults", fmt::format("page {} is beyond the {} address bits of the system", f.fault.page,
                                                    config.placement.address_bits));
        pages.insert(f.fault.page);
    }
    const std::uint64_t room = host->registers().get(SystemRegister::frames) * config.sockets;
    if (pages.size() > room)
        throw ConfigError("driver.pages",
                          fmt::format("{} pages for memories of {} in all; a replay has no sockets from "
                                      "which pages could go, at least as many are allowed",
                                      pages.size(), room));
}

void FaultReplay::Impl::Stimulus::arbitrate() {
    while (!impl.full && impl.next < impl.faults.size()) {
        const TimedFault& f = impl.faults[impl.next];
        const std::uint64_t now = domain_.clockwork().now_ps();
        if (f.ps > now) {
            const unsigned __int128 cycles = static_cast<unsigned __int128>(f.ps - now) * domain_.khz();
            return wake_at(domain_.now() + static_cast<Cycle>((cycles + 999'999'999) / 1'000'000'000));
        }
        impl.full = !impl.host->faults().fault(f.fault);
        impl.waited += impl.full;
        if (impl.full) return;
        impl.touched.insert(f.fault.page);
        ++impl.next;
    }
}

void FaultReplay::Impl::stuck(const std::string& why) const {
    PartList parts;
    host->list_parts(parts);
    throw ModelError(fmt::format("the replay is stuck at {} ns: {}, {} of {} faults are raised{}",
                                 clockwork.now_ps() / 1000, why, next, faults.size(), parts.report()));
}

void FaultReplay::Impl::run() {
    constexpr unsigned kPatience = 64; // windows for a core that never sleeps
    const sc_core::sc_time window = sc_core::sc_time::from_value(domain.edge_ps(8192));
    const std::uint64_t patience_ps =
        domain.edge_ps(config.checks.stuck_cycles + config.driver.access_cycles() + delay());
    for (unsigned spinning = 0;;) {
        sc_core::sc_start(window);
        if (!clockwork.failure().empty()) throw ConfigError(clockwork.failure());
        const bool served = next == faults.size() && host->faults().drained();
        if (served && clockwork.idle()) break;
        spinning = served ? spinning + 1 : 0;
        if (spinning > kPatience) host->halt();
        if (clockwork.idle() && sc_now_ps() != 0) stuck("nothing is due any more");
        if (const std::uint64_t silent = host->silent_ps(clockwork.now_ps()); silent > patience_ps)
            stuck(fmt::format("the driver has not got on for {} ns", silent / 1000));
    }
    if (pool.in_flight() != 0)
        throw ModelError(fmt::format("{} transactions were issued, {} completed", pool.made(), pool.returned()));
}

FaultReplay::FaultReplay(const SystemConfig& config, std::vector<TimedFault> faults)
    : impl_(std::make_unique<Impl>(config, std::move(faults))) {}
FaultReplay::~FaultReplay() = default;

void FaultReplay::run() { impl_->run(); }
Host& FaultReplay::host() { return *impl_->host; }
std::uint64_t FaultReplay::waited() const { return impl_->waited; }
std::uint64_t FaultReplay::end_ps() const { return impl_->end_ps; }

std::vector<MappedPage> FaultReplay::pages() const {
    std::vector<MappedPage> pages;
    for (const std::uint64_t page : impl_->touched) pages.push_back({page, impl_->table.leaf(page)});
    return pages;
}

DriverRecord FaultReplay::record() const {
    return record_of(pages(), impl_->region.socket_shift, impl_->host->devices());
}

} // namespace numavp
