#include "models/socket/gpu_socket.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/values/rng.h"
#include "base/waves/wave_set.h"
#include "models/cache/replication_sampler.h"
#include "models/cache/way_partition.h"
#include "models/memory/channel/axi4_channel.h"
#include "models/memory/channel/channel.h"
#include "models/memory/channel/timed_channel.h"
#include "tlm-links/protocol/ranks.h"
#include "tlm-links/protocol/resolved_address.h"

namespace numavp {

unsigned GpuSocket::Route::egress(unsigned ingress, const Txn& txn) const {
    const unsigned banks = config->l2.slices;
    if (sampler != nullptr) sample(ingress, txn);
    if (ingress == config->link_ingress()) return banks + txn.slice; // from the link: it is at home here
    if (txn.home != socket && passes_by(ingress, txn)) return 2 * banks;
    return map->slice_in(socket, txn);
}

/// Whether a request to another home goes to the link at once.
bool GpuSocket::Route::passes_by(unsigned ingress, const Txn& txn) const {
    if (ingress >= config->sms + config->core_ports) return true;
    switch (config->l2.role().remote) {
    case RemoteLines::none: return true;
    case RemoteLines::replicas:
        return txn.kind != Kind::load || !txn.read_only || replicates == nullptr || !*replicates;
    case RemoteLines::all: break;
    }
    return false;
}

/// A request comes once. Walks and copies are none of a kernel's.
void GpuSocket::Route::sample(unsigned ingress, const Txn& txn) const {
    const bool own = ingress < config->sms;
    if ((!own && ingress != config->link_ingress()) || map->slice_in(socket, txn) != 0 || !sampler->samples(txn.line))
        return;
    sampler->note(domain->now(), ingress, {txn.line, own, txn.home != socket, txn.kind == Kind::load && txn.read_only});
}

unsigned GpuSocket::ToSlices::egress(unsigned ingress, const Txn& txn) const {
    return map->slice_in(socket, txn) / ports * channels + ingress % channels;
}

GpuSocket::GpuSocket(sc_core::sc_module_name name, const GpuSocketConfig& config, const Resources& r)
    : sc_module(name), config_(config), domain_(r.domain),
      sm_domain_(r.domain.of_same_shard(config.sm_khz(r.domain.khz()))),
      noc_domain_(r.domain.of_same_shard(config.noc_khz(r.domain.khz()))),
      l2_domain_(r.domain.of_same_shard(config.l2_khz(r.domain.khz()))), joins_(config.crossing, r.socket) {
    route_.config = &config_;
    route_.map = &r.map;
    route_.socket = r.socket;
    route_.domain = &noc_domain_;
    const std::uint16_t s = r.socket.value;
    if (config.noc.router_ports != 0) {
        to_slices_.map = &r.map;
        to_slices_.socket = r.socket;
        to_slices_.ports = config.noc.router_ports;
        to_slices_.channels = config.noc.router_ports / (config.l2.slices / config.noc.router_ports);
        sm_routers.resize(config.sms / config.noc.router_ports);
    }
    CrossbarConfig noc_config = config.noc;
    noc_config.latency_cycles -= config.noc.first_stage_cycles();

    CrossbarShape noc_shape;
    noc_shape.ingress = config.link_ingress() + (config.has_link ? 1 : 0);
    noc_shape.egress = config.has_link ? 2 * config.l2.slices + 1 : config.l2.slices;
    noc_shape.request_bytes_per_s = bytes_per_s(config.noc.request_bytes_per_cycle, noc_domain_.khz());
    noc_shape.response_bytes_per_s = bytes_per_s(config.noc.response_bytes_per_cycle, noc_domain_.khz());
    if (config.has_link) { // its port feeds whatever the lanes can carry: all of them one way
        noc_shape.last_bytes_per_s =
            std::max({noc_shape.request_bytes_per_s, noc_shape.response_bytes_per_s, config.link.most_bytes_per_s()});
        noc_shape.last_queue_depth = config.noc.link_queue_depth();
    }
    LinkConfig link_config = config.link;
    link_config.sources = config.l2.slices + 1;
    link_config.largest_packet_bytes = config.packets.padded(kLineBytes + config.packets.header_bytes);

    sms.resize(config.sms);
    slices.resize(config.l2.slices);
    channels.resize(config.has_memory() ? config.memory.channels : 0);
    side_caches.resize(config.has_memory() && config.memory.cache.given() ? config.l2.slices : 0);
    // Built in any order: the simulation does not depend on it.
    std::vector<std::function<void()>> steps;
    for (unsigned i = 0; i < config.sms; ++i)
        steps.emplace_back([&, i] {
            sms[i] = std::make_unique<Sm>(("sm" + std::to_string(i)).c_str(), config.sm,
                                          Sm::Resources{sm_domain_, r.pool, r.map, r.pages, r.socket, i, r.hooks,
                                                        load_latencies_, r.client, &sm_domain_ != &r.domain});
        });
    for (unsigned i = 0; i < config.l2.slices; ++i)
        steps.emplace_back([&, i] {
            slices[i] =
                std::make_unique<L2Slice>(("slice" + std::to_string(i)).c_str(), config.l2,
                                          L2Slice::Resources{l2_domain_, r.pool, r.map, r.socket, i, config.has_link,
                                                             Rank{s, kRankSlice, i}, config.has_memory()});
        });
    for (unsigned i = 0; i < channels.size(); ++i)
        steps.emplace_back([&, i] {
            if (!r.foreign_channel || !r.foreign_channel(i)) channels[i] = make_channel(i, r);
        });
    for (unsigned i = 0; i < side_caches.size(); ++i)
        steps.emplace_back([&, i] { side_caches[i] = make_side_cache(i, r); });
    steps.emplace_back([&] {
        noc = std::make_unique<Crossbar>(
            "noc", noc_config, noc_shape,
            Crossbar::Resources{noc_domain_, route_, Rank{s, kRankNocRequest, 0}, Rank{s, kRankNocResponse, 0}});
    });
    for (unsigned i = 0; i < sm_routers.size(); ++i) steps.emplace_back([&, i] { sm_routers[i] = make_sm_router(i); });
    if (config.has_link)
        steps.emplace_back([&] {
            link = std::make_unique<Link>("link", link_config, r.domain, Rank{s, kRankLink, 0});
        });
    if (config.mmu.on())
        steps.emplace_back([&] {
            const TranslationParts& t = r.translation;
            mmu = std::make_unique<SocketMmu>("mmu", config.mmu,
                                              SocketMmu::Resources{r.domain, r.pool, r.map, *t.space, *t.table, *t.sink,
                                                                   t.check, r.socket,
                                                                   static_cast<std::uint16_t>(config.sms)});
        });
    if (config.l2.role().ways == WayRule::quotas && config.has_link)
        steps.emplace_back([&] {
            partition_ = make_partition();
            control_ = std::make_unique<Control>(*this, r.domain, Rank{s, kRankControl, 0});
        });
    if (r.order_seed != 0) {
        Rng rng(r.order_seed, s);
        for (std::size_t i = steps.size(); i > 1; --i) std::swap(steps[i - 1], steps[rng.below(i)]);
    }
    for (auto& step : steps) step();
    wire(r);
    apply();
}

GpuSocket::~GpuSocket() = default;

std::unique_ptr<MemoryChannel> GpuSocket::make_channel(unsigned i, const Resources& r) const {
    const std::string label = "channel" + std::to_string(i);
    const Rank rank{r.socket.value, kRankChannel, i};
    if (config_.memory.model == MemoryModel::axi4_rtl)
        return std::make_unique<Axi4Channel>(label.c_str(), config_.memory, EdgeResources{l2_domain_, r.pool, rank},
                                             r.map.slicing_of(r.socket));
    if (config_.memory.model == MemoryModel::timed) {
        auto timed = std::make_unique<TimedChannel>(
            label.c_str(), config_.memory, config_.memory.device,
            TimedChannel::Resources{l2_domain_, rank, r.map.slicing_of(r.socket), config_.l2.interleave_lines, i,
                                    config_.memory.channels});
        timed->set_memory(r.memory);
        return timed;
    }
    auto channel = std::make_unique<Channel>(label.c_str(), config_.memory, l2_domain_, rank);
    channel->set_memory(r.memory);
    return channel;
}

std::unique_ptr<MemorySideCache> GpuSocket::make_side_cache(unsigned i, const Resources& r) const {
    return std::make_unique<MemorySideCache>(("side_cache" + std::to_string(i)).c_str(), config_.memory.cache,
                                             MemorySideCache::Resources{l2_domain_, r.pool, r.map, r.socket, i,
                                                                        config_.l2.slices, config_.l2.sectored,
                                                                        Rank{r.socket.value, kRankSideCache, i}});
}

/// As many channels as SMs: channel i of all is input i of the slices' routers.
std::unique_ptr<Crossbar> GpuSocket::make_sm_router(unsigned i) const {
    const unsigned ports = config_.noc.router_ports;
    CrossbarConfig router = config_.noc;
    router.latency_cycles = config_.noc.first_stage_cycles();
    CrossbarShape shape;
    shape.ingress = shape.egress = ports;
    shape.request_bytes_per_s = bytes_per_s(config_.noc.request_bytes_per_cycle, noc_domain_.khz());
    shape.response_bytes_per_s = bytes_per_s(config_.noc.response_bytes_per_cycle, noc_domain_.khz());
    const std::uint16_t s = to_slices_.socket.value;
    return std::make_unique<Crossbar>(("sm_router" + std::to_string(i)).c_str(), router, shape,
                                      Crossbar::Resources{noc_domain_, to_slices_,
                                                          Rank{s, kRankSmRouterRequest, i * ports},
                                                          Rank{s, kRankSmRouterResponse, i * ports}});
}

void GpuSocket::wire_sms(const Resources& r) {
    const unsigned ports = config_.noc.router_ports;
    for (unsigned i = 0; i < config_.sms; ++i) {
        tlm::tlm_target_socket<>& entry =
            sm_routers.empty() ? noc->ingress(i) : sm_routers[i / ports]->ingress(i % ports);
        joins_.join(r.bind, {sms[i]->mem_side(), sm_domain_}, {entry, noc_domain_}, "wire_sm" + std::to_string(i));
        if (!sm_routers.empty())
            r.bind(sm_routers[i / ports]->egress(i % ports), noc->ingress(i), "wire_stage" + std::to_string(i),
                   noc_domain_);
    }
}

void GpuSocket::wire(const Resources& r) {
    wire_sms(r);
    if (mmu) {
        joins_.join(r.bind, {mmu->mem_side(), domain_}, {noc->ingress(config_.sms + config_.core_ports), noc_domain_},
                    "wire_mmu");
        for (const auto& sm : sms) mmu->connect(sm->translate_with(*mmu));
        for (const auto& slice : slices) mmu->connect(*slice);
    }
    for (unsigned i = 0; i < config_.device_ports; ++i)
        device_ports_.push_back(&joins_.entrance(r.bind, domain_,
                                                 {noc->ingress(config_.device_ingress() + i), noc_domain_},
                                                 "wire_device" + std::to_string(i)));
    wire_slices(r);
    if (!link) return;
    joins_.join(r.bind, {noc->egress(2 * config_.l2.slices), noc_domain_}, {link->socket_out(0), domain_},
                "wire_remote", Part::link);
    joins_.join(r.bind, {link->socket_in(), domain_}, {noc->ingress(config_.link_ingress()), noc_domain_},
                "wire_incoming", Part::link);
}

void GpuSocket::wire_slices(const Resources& r) {
    const auto label = [&](const char* what, unsigned i) { return std::string(what) + std::to_string(i); };
    const unsigned n = config_.l2.slices;
    for (unsigned i = 0; i < n; ++i) {
        L2Slice& slice = *slices[i];
        joins_.join(r.bind, {noc->egress(i), noc_domain_}, {slice.core_side(), l2_domain_}, label("wire_core", i));
        if (config_.has_memory()) wire_memory(i, r);
        if (!link) continue;
        joins_.join(r.bind, {noc->egress(n + i), noc_domain_}, {slice.home_side(), l2_domain_}, label("wire_home", i));
        joins_.join(r.bind, {slice.link_side(), l2_domain_}, {link->socket_out(1 + i), domain_}, label("wire_link", i),
                    Part::link);
    }
}

void GpuSocket::wire_memory(unsigned i, const Resources& r) {
    const unsigned channel = i / config_.memory.ports;
    tlm::tlm_target_socket<>* const foreign = channels[channel] ? nullptr : r.foreign_channel(channel);
    tlm::tlm_target_socket<>& port = foreign ? *foreign : channels[channel]->port(i % config_.memory.ports);
    const std::string wire = "wire_memory" + std::to_string(i);
    if (side_caches.empty()) return r.bind(slices[i]->mem_side(), port, wire, l2_domain_);
    r.bind(slices[i]->mem_side(), side_caches[i]->request_side(), "wire_side_cache" + std::to_string(i), l2_domain_);
    r.bind(side_caches[i]->mem_side(), port, wire, l2_domain_);
}

void GpuSocket::debug_overlay(unsigned slice, std::uint64_t line, unsigned char* out) {
    if (!side_caches.empty()) side_caches[slice]->debug_overlay(line, out);
    slices[slice]->debug_overlay(line, out);
}

void GpuSocket::debug_patch(unsigned slice, std::uint64_t address, std::uint64_t word) {
    if (!side_caches.empty()) side_caches[slice]->debug_patch(address, word);
    slices[slice]->debug_patch(address, word);
}

void GpuSocket::launch() {
    if (link) link->launch();
    if (!partition_) return;
    partition_->launch();
    apply();
    begin_sampling();
}

std::unique_ptr<WayPartition> GpuSocket::make_partition() const {
    WayPartitionParams params = config_.partition.params;
    params.caches = {{config_.l2.ways, config_.l2.ways / 2}, {config_.sm.l1.ways, config_.sm.l1.ways / 2}};
    return make_way_partition(config_.partition.controller, params);
}

void GpuSocket::change(const GpuSocketConfig& now) {
    if (link) link->change(now.link);
    if (mmu) mmu->set_note_threshold(now.mmu.note_threshold);
    if (partition_) change_partition(now.partition);
}

/// Another controller, or one with other parameters, begins with its first split.
void GpuSocket::change_partition(const WayPartitionConfig& now) {
    const WayPartitionConfig before = std::exchange(config_.partition, now);
    const bool other =
        now.controller != before.controller || now.params.saturation_percent != before.params.saturation_percent;
    if (other) {
        partition_ = make_partition();
        apply();
    }
    if (other || now.sample_cycles != before.sample_cycles) begin_sampling();
}

void GpuSocket::begin_sampling() {
    sampling_ = config_.partition.controller != WayPartitionKind::fixed;
    if (!sampling_) return;
    sample();
    next_sample_ = domain_.now() + config_.partition.sample_cycles;
    control_->wake_at(next_sample_);
}

void GpuSocket::rest() {
    sampling_ = false;
    if (link) link->rest();
}

std::uint64_t GpuSocket::memory_bytes() const {
    std::uint64_t sum = 0;
    for (const auto& c : channels)
        if (c) sum += c->busy_bytes();
    return sum;
}

/// The lanes that face in carry the requests of other sockets too, and only what these leave can be responses: where
/// all sockets read from each other, 136 of 144 bytes, so that links full of reads would never count as 99 % saturated.
/// Incoming writes are left out, as the paper wants it.
PartitionSample GpuSocket::sample() {
    std::uint64_t reads = 0, read_bytes = 0, capacity = 0, incoming = 0;
    for (const auto& slice : slices) {
        const SliceCounts& counts = slice->counts();
        reads += counts.outgoing_reads;
        read_bytes += counts.outgoing_bytes;
        incoming += counts.incoming.hits + counts.incoming.misses + counts.incoming.merged;
    }
    const Cycle edges = config_.partition.sample_cycles * l2_domain_.khz() / domain_.khz(); // of the channels' clock
    for (const auto& c : channels)
        if (c) capacity += c->capacity_bytes(edges);
    const std::uint64_t bytes = memory_bytes();
    PartitionSample s;
    s.local_bytes = bytes - last_memory_bytes_;
    s.local_capacity_bytes = capacity;
    s.outgoing_reads = reads - last_reads_;
    s.response_bytes = config_.packets.padded(kLineBytes + config_.packets.header_bytes);
    if (config_.packets.sectored) { // their packets differ: bytes are counted instead of reads
        s.outgoing_reads = read_bytes - last_read_bytes_;
        s.response_bytes = 1;
    }
    std::uint64_t lanes = link->ingress_capacity_bytes(config_.partition.sample_cycles);
    std::uint64_t request_bytes = config_.packets.padded(config_.packets.header_bytes);
    if (behind_link.capacity_bytes) {
        const std::uint64_t behind = behind_link.capacity_bytes(config_.partition.sample_cycles);
        if (behind < lanes) {
            lanes = behind;
            request_bytes = behind_link.wire_bytes(request_bytes);
            if (!config_.packets.sectored) s.response_bytes = behind_link.wire_bytes(s.response_bytes);
        }
    }
    s.ingress_capacity_bytes = lanes - std::min(lanes, (incoming - last_incoming_) * request_bytes);
    last_memory_bytes_ = bytes;
    last_reads_ = reads;
    last_read_bytes_ = read_bytes;
    last_incoming_ = incoming;
    return s;
}

void GpuSocket::control() {
    const Cycle now = domain_.now();
    if (now >= apply_at_) {
        apply_at_ = kNever;
        apply();
    }
    if (!sampling_ || now < next_sample_) return;
    if (partition_->sample(sample()) != WayDecision::none) {
        apply_at_ = now + config_.partition.decision_cycles;
        control_->wake_at(apply_at_);
    }
    next_sample_ += config_.partition.sample_cycles;
    control_->wake_at(next_sample_);
}

void GpuSocket::apply() {
    if (!partition_) return;
    const unsigned l2 = partition_->local_ways(0);
    const unsigned l1 = config_.partition.l1 ? partition_->local_ways(1) : 0;
    if (l2 == l2_local_ways_ && l1 == l1_local_ways_) return;
    const bool first = l2_local_ways_ == 0;
    l2_local_ways_ = l2;
    l1_local_ways_ = l1;
    for (auto& slice : slices) slice->set_local_ways(l2);
    if (config_.partition.l1)
        for (auto& sm : sms) sm->set_l1_local_ways(l1);
    if (first) return;
    ++way_changes_;
    if (way_waves_) way_waves_->sample();
    if (on_ways) on_ways(domain_.now(), l2, l1);
}

} // namespace numavp
