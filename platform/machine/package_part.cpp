#include "platform/machine/package_part.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/stats/series.h"
#include "base/stats/stats.h"
#include "base/time/microseconds.h"
#include "base/time/team.h"
#include "common/system/derived.h"
#include "common/system/faulty_network.h"
#include "rtl/flit_blocks.h"
#include "tlm-links/protocol/ranks.h"
#include "tlm-links/protocol/resolved_address.h"

namespace numavp {

namespace {
constexpr unsigned kMostErrorRows = 256; ///< in the timeline, of a link; statistics count all
constexpr const char* kAllocated = "memory.allocated_bytes";
constexpr const char* kAllocatedDoc = "Bytes in pages placed in this memory.";

Rank package_rank(unsigned socket, ArbiterKind kind, unsigned index) {
    return {static_cast<std::uint16_t>(socket), kind, index};
}
} // namespace

PackagePart::PackagePart(unsigned number, const PartResources& r)
    : r_(r), number_(number), name_("socket" + std::to_string(number)) {
    build_socket();
    watch();
    build_core_ports();
    r.parts.packages[number] = this;
    r.parts.sockets[number] = socket_.get();
}

PackagePart::~PackagePart() = default;

// --- its modules

GpuSocketConfig PackagePart::configuration(const SystemConfig& config) const {
    GpuSocketConfig built = socket_config(config, number_, r_.options.core_ports);
    if (r_.options.faults != nullptr) {
        built.mmu.faults = true;
        built.mmu.note_threshold = r_.options.migration_threshold;
    }
    if (r_.options.lanes) {
        const LaneSplit lanes = r_.options.lanes(number_);
        built.link.lanes_out = lanes.out;
        built.link.lanes_in = lanes.in;
    }
    return built;
}

void PackagePart::build_socket() {
    GpuSocket::Resources r{r_.domain_of(number_),
                           r_.pool_of(number_),
                           r_.map,
                           r_.pages,
                           SocketId(number_),
                           r_.options.hooks,
                           r_.client,
                           r_.pool.functional ? &r_.memory : nullptr,
                           r_.options.order_seed,
                           {},
                           {},
                           {&r_.space, &r_.table, r_.faults(), r_.options.walks}};
    r.bind = [this](tlm::tlm_initiator_socket<>& from, tlm::tlm_target_socket<>& to, const std::string& wire,
                    const ClockDomain& clock) { r_.bind(from, to, name_ + "_" + wire, clock); };
    if (r_.options.foreign_memory) r.foreign_channel = [this](unsigned channel) { return foreign_channel(channel); };
    socket_ = std::make_unique<GpuSocket>(name_.c_str(), configuration(r_.config), r);
}

tlm::tlm_target_socket<>* PackagePart::foreign_channel(unsigned channel) {
    if (const auto built = memory_edges_.find(channel); built != memory_edges_.end())
        return &built->second->port.socket;
    tlm::tlm_target_socket<>* target = r_.options.foreign_memory(number_, channel);
    if (!target) return nullptr;
    const SocketConfig& own = r_.config.socket_at(number_);
    if (own.l2.slices != own.memory.channels)
        throw ConfigError("socket.l2.slices", "a foreign memory needs one slice a channel");
    EdgeTargetConfig edge_config;
    edge_config.outstanding = own.l2.entries; // all that a slice has out
    auto edge =
        std::make_unique<EdgeTargetAdapter>(fmt::format("memory_edge_{}_{}", number_, channel).c_str(), edge_config,
                                            EdgeResources{r_.clockwork.domain(own.l2_khz(r_.config.clock_khz)), r_.pool,
                                                          package_rank(number_, kRankEdge, 1000 + channel)});
    edge->socket.bind(*target);
    return &(memory_edges_[channel] = std::move(edge))->port.socket;
}

void PackagePart::watch() {
    const auto place = static_cast<int>(number_);
    socket_->on_ways = [this, place](Cycle at, unsigned l2, unsigned l1) {
        TimelineEvent event{at, at, place, "ways", "ways moved", {{"l2_local", std::uint64_t{l2}}}};
        if (l1 != 0) event.args.emplace_back("l1_local", std::uint64_t{l1});
        Team::in_turn([this, event] { r_.timeline.push_back(event); }, number_);
    };
    if (!socket_->link) return;
    for (const LaneFault& fault : link_lane_faults(r_.config)) {
        const auto cycles = [this](double us) { return Cycle{edges_in_us(us, r_.config.clock_khz)}; };
        const LaneWay way = fault.side == FaultSide::out ? LaneWay::out : LaneWay::in;
        for (unsigned lane = 0; fault.number == number_ && lane < fault.lanes; ++lane)
            socket_->link->retire_at(way, cycles(fault.at_us), cycles(r_.config.faults.retrain_us));
    }
    socket_->link->on_lanes([this, place, retired = 0U](Cycle at, LaneSplit lanes) mutable {
        const bool fewer = socket_->link->retired_lanes() != retired;
        retired = socket_->link->retired_lanes();
        TimelineEvent event{at, at, place, "lanes", fewer ? "lane retired" : "lanes turned"};
        event.args = {{"out", std::uint64_t{lanes.out}}, {"in", std::uint64_t{lanes.in}}};
        Team::in_turn([this, event] { r_.timeline.push_back(event); }, number_);
    });
    socket_->link->on_errors(
        [this, place, rows = 0U](Cycle at, Cycle until, LaneWay way, std::uint64_t errors) mutable {
            if (rows++ >= kMostErrorRows) return;
            TimelineEvent event{at, until, place, "errors", way == LaneWay::out ? "replay out" : "replay in"};
            event.args = {{"errors", errors}};
            Team::in_turn([this, event] { r_.timeline.push_back(event); }, number_);
        });
}

// --- foreign modules

void PackagePart::build_core_ports() {
    for (unsigned p = 0; p < r_.options.core_ports; ++p) {
        EdgeInitiatorConfig config;
        config.range = {0, std::uint64_t{r_.map.memories} << r_.map.socket_shift};
        auto edge = std::make_unique<EdgeInitiatorAdapter>(
            fmt::format("core_edge_{}_{}", number_, p).c_str(), config,
            EdgeResources{socket_->noc_clock(), r_.pool, package_rank(number_, kRankEdge, p)});
        edge->set_router([this](Txn& txn) {
            txn.requester = SocketId(number_);
            r_.map.resolve(txn);
        });
        edge->set_debug(&r_.debug);
        r_.bind(edge->port.socket, socket_->core_port(p), fmt::format("{}_wire_core_port{}", name_, p),
                socket_->noc_clock());
        core_ports_.push_back({std::move(edge), false});
    }
}

tlm::tlm_target_socket<>& PackagePart::drive(unsigned port) {
    CorePort& driven = core_ports_.at(port);
    driven.driven = true;
    return driven.edge->socket;
}

void PackagePart::close_core_ports() {
    for (CorePort& port : core_ports_) {
        if (!port.driven) port.edge->socket.get_base_port().bind(nobody_);
        port.driven = true;
    }
}

EdgeTargetAdapter* PackagePart::memory_edge(unsigned slice) const {
    const auto found = memory_edges_.find(slice); // one slice a channel
    return found == memory_edges_.end() ? nullptr : found->second.get();
}

// --- its link

void PackagePart::build_cut() {
    std::optional<LinkCutRelays> ways = r_.options.cut_link ? r_.options.cut_link(number_) : std::nullopt;
    const LinkConfig link = r_.config.link_at(number_);
    if (!ways && link.cut == LinkCutKind::none) return;
    if (!ways) {
        ways.emplace();
        for (rtl::CxsRelay*& relay : *ways) {
            if (link.cut != LinkCutKind::flits_rtl) continue;
            relays_.push_back(std::make_unique<rtl::FlitRelayBlock>());
            relay = relays_.back().get();
        }
    }
    LinkCutConfig cut;
    cut.queue_depth = link.queue_depth;
    cut.wire_depth = socket_->link->config().wire_depth;
    cut.monitored = r_.config.checks.protocol;
    cut_ = std::make_unique<LinkCut>(fmt::format("cut{}", number_).c_str(), cut, r_.domain, r_.pool,
                                     package_rank(number_, kRankLink, 1000), *ways);
    if (r_.options.on_link_cut) r_.options.on_link_cut(number_, *cut_);
}

void PackagePart::connect() {
    FabricPart* const fabric = r_.parts.fabric;
    if (!fabric) return;
    build_cut();
    Link& link = *socket_->link;
    r_.bind_core(cut_ ? cut_->to_switch() : link.switch_out(), fabric->ingress(number_),
                 fmt::format("wire_up{}", number_));
    r_.bind_core(fabric->egress(number_), cut_ ? cut_->from_switch() : link.switch_in(),
                 fmt::format("wire_down{}", number_));
    if (!cut_) return;
    r_.bind_core(link.switch_out(), cut_->from_link(), fmt::format("wire_out{}", number_));
    r_.bind_core(cut_->to_link(), link.switch_in(), fmt::format("wire_in{}", number_));
}

// --- what is shown

void PackagePart::list(PartList& shown) {
    const PartOwner owner{"socket", number_};
    socket_->list_parts(shown, owner);
    if (cut_) shown.add(owner, owner.path_of("link.cut"), *cut_);
    if (!r_.config.socket_at(number_).has_memory()) return;
    const auto own = std::lower_bound(r_.homes.begin(), r_.homes.end(), SocketId(number_));
    allocated_.memory = static_cast<unsigned>(own - r_.homes.begin());
    shown.add(owner, owner.path_of("memory"), allocated_);
}

std::uint64_t PackagePart::Allocated::bytes() const { return package.r_.allocated_bytes(memory); }

void PackagePart::Allocated::add_statistics(StatGroup& owner) const {
    owner.value(
        kAllocated, [this] { return bytes(); }, "B", kAllocatedDoc);
}

void PackagePart::Allocated::add_series(SeriesGroup& owner) const {
    owner.level(
        kAllocated, [this] { return bytes(); }, "B", kAllocatedDoc);
}

} // namespace numavp
