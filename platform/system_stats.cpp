/// What a system counts: statistics by socket and block, and the columns of the time series.

#include <algorithm>

#include <fmt/format.h>

#include "platform/build.h"
#include "platform/host_stats.h"
#include "platform/system_impl.h"

namespace numavp {

namespace {
using Count = std::uint64_t;

/// A statistic that sums a count of many equal parts at the dump.
template <class Parts, class Get>
void total(StatGroup& group, const char* name, const Parts& parts, Get get, const char* unit, const char* doc) {
    group.value(
        name,
        [&parts, get] {
            Count sum = 0;
            for (const auto& part : parts)
                if (part) sum += get(*part);
            return sum;
        },
        unit, doc);
}

/// The same as a column of the series, by its increase.
template <class Parts, class Get>
void grows(SeriesRecorder& series, const std::string& name, const Parts& parts, Get get, const char* unit,
           const char* doc) {
    series.increase(
        name,
        [&parts, get] {
            Count sum = 0;
            for (const auto& part : parts)
                if (part) sum += get(*part);
            return sum;
        },
        unit, doc);
}

const char* const kPartNames[kParts] = {"sm", "noc", "link", "slice", "home", "memory"};

void register_sms(StatGroup& g, const std::vector<std::unique_ptr<Sm>>& sms) {
    total(
        g, "warp_instructions", sms, [](const Sm& s) { return s.counts().instructions; }, "instructions", "Issued.");
    total(
        g, "blocks", sms, [](const Sm& s) { return s.counts().blocks; }, "blocks", "Thread blocks started.");
    total(
        g, "issue_cycles", sms, [](const Sm& s) { return s.counts().busy_cycles; }, "cycles",
        "Cycles in which an SM issued something, summed over SMs.");
    total(
        g, "barriers", sms, [](const Sm& s) { return s.counts().barriers; }, "warps", "Arrivals at barriers.");
    total(
        g, "fences", sms, [](const Sm& s) { return s.counts().fences; }, "warps", "System-scope fences.");
    total(
        g, "memory_instructions", sms, [](const Sm& s) { return s.unit().counts().instructions; }, "instructions",
        "Global loads, stores and atomics with an active lane.");
    total(
        g, "sectors", sms, [](const Sm& s) { return s.unit().counts().sectors; }, "sectors",
        "32-byte sectors that they touch.");
}

void register_l1(StatGroup& g, const std::vector<std::unique_ptr<Sm>>& sms) {
    total(
        g, "load_lines", sms, [](const Sm& s) { return s.unit().counts().load_lines; }, "lines", "Looked up by loads.");
    total(
        g, "hits", sms, [](const Sm& s) { return s.unit().counts().hits; }, "lines", "Found.");
    total(
        g, "merged", sms, [](const Sm& s) { return s.unit().counts().merged; }, "lines", "Already on their way.");
    total(
        g, "misses_local", sms, [](const Sm& s) { return s.unit().counts().misses_local; }, "lines",
        "Requested, with their home in this socket.");
    total(
        g, "misses_remote", sms, [](const Sm& s) { return s.unit().counts().misses_remote; }, "lines",
        "Requested, with their home elsewhere.");
    total(
        g, "store_lines", sms, [](const Sm& s) { return s.unit().counts().store_lines; }, "lines", "Written through.");
    total(
        g, "atomic_lines", sms, [](const Sm& s) { return s.unit().counts().atomic_lines; }, "lines",
        "Sent home to be changed there.");
    total(
        g, "stalls", sms, [](const Sm& s) { return s.unit().counts().stalls; }, "events",
        "A look-up had to wait for a miss entry, a line or the wire.");
    total(
        g, "invalidations", sms, [](const Sm& s) { return s.unit().counts().invalidations; }, "events",
        "Times that an L1 was flushed.");
}

void register_latency(StatGroup& g, const LoadLatency& latency) {
    const auto read = [&latency](auto pick) {
        return [&latency, pick] { return static_cast<Count>(pick(latency.histogram)); };
    };
    g.value("loads", read([](const Histogram& h) { return h.count(); }), "lines",
            "Load lines that left an SM and were answered.");
    g.value("total_ps", read([](const Histogram& h) { return h.sum(); }), "ps", "Sum of their latencies.");
    g.value("min_ps", read([](const Histogram& h) { return h.min(); }), "ps", "Shortest.");
    g.value("max_ps", read([](const Histogram& h) { return h.max(); }), "ps", "Longest.");
    g.value("p50_ps", read([](const Histogram& h) { return h.percentile(50); }), "ps", "Half are at most this long.");
    g.value("p90_ps", read([](const Histogram& h) { return h.percentile(90); }), "ps", "90 % are at most this long.");
    g.value("p99_ps", read([](const Histogram& h) { return h.percentile(99); }), "ps", "99 % are at most this long.");
    for (unsigned p = 0; p < kParts; ++p)
        g.value(
            fmt::format("parts.{}_ps", kPartNames[p]), [&latency, p] { return latency.parts_ps[p]; }, "ps",
            "Part of the total; the parts sum to it.");
}

void register_l2_class(StatGroup& g, const std::vector<std::unique_ptr<L2Slice>>& slices,
                       SliceCounts::Class SliceCounts::*which) {
    total(
        g, "hits", slices, [which](const L2Slice& s) { return (s.counts().*which).hits; }, "reads", "Found.");
    total(
        g, "misses", slices, [which](const L2Slice& s) { return (s.counts().*which).misses; }, "reads", "Fetched.");
    total(
        g, "merged", slices, [which](const L2Slice& s) { return (s.counts().*which).merged; }, "requests",
        "Waited for a line that was on its way.");
}

void register_l2(StatGroup& g, const std::vector<std::unique_ptr<L2Slice>>& slices) {
    register_l2_class(g.group("local"), slices, &SliceCounts::local);
    register_l2_class(g.group("remote"), slices, &SliceCounts::remote);
    register_l2_class(g.group("incoming"), slices, &SliceCounts::incoming);
    const auto add = [&](const char* name, Count SliceCounts::*field, const char* unit, const char* doc) {
        total(
            g, name, slices, [field](const L2Slice& s) { return s.counts().*field; }, unit, doc);
    };
    add("writes", &SliceCounts::writes, "writes", "Stores and write-backs taken.");
    add("write_misses", &SliceCounts::write_misses, "writes", "Of these, to a line that was not held.");
    add("atomics", &SliceCounts::atomics, "atomics", "Performed here, at their home.");
    add("forwarded_atomics", &SliceCounts::forwarded, "atomics", "Passed on to another socket.");
    add("fills", &SliceCounts::fills, "lines", "Read from memory or over the link.");
    add("outgoing_reads", &SliceCounts::outgoing_reads, "lines", "Of these over the link.");
    add("written_local", &SliceCounts::written_local, "lines", "Written to the socket's memory.");
    add("written_remote", &SliceCounts::written_remote, "lines", "Written over the link.");
    add("flushes", &SliceCounts::flushes, "events", "Flushes of a slice.");
    add("invalidated", &SliceCounts::invalidated, "lines", "Dropped by flushes.");
    add("stalls", &SliceCounts::stalls, "events", "A request at the head of a queue had to wait.");
    for (unsigned i = 0; i < slices.size(); ++i) {
        StatGroup& s = g.group("slice", i);
        const SliceCounts& c = slices[i]->counts();
        s.value(
            "reads",
            [&c] {
                return c.local.hits + c.local.misses + c.remote.hits + c.remote.misses + c.incoming.hits +
                       c.incoming.misses;
            },
            "reads", "Reads served or fetched.");
        s.counter("fills", c.fills, "lines", "Read from memory or over the link.");
        s.counter("writes", c.writes, "writes", "Stores and write-backs taken.");
    }
}

void register_mmu(StatGroup& g, const SocketMmu& mmu) {
    const TranslationCounts& sms = mmu.counts;
    const MmuCounts& c = mmu.mmu_counts();
    g.counter("l1_hits", sms.l1_hits, "lines", "Line accesses whose page an SM knew.");
    g.counter("l1_misses", sms.l1_misses, "pages", "Memory instructions that waited for a page, once for each.");
    g.counter("behind", sms.behind, "instructions", "Waited behind another of their warp.");
    g.counter("full", sms.full, "events", "The head of a load-store unit found no place to wait.");
    g.histogram("wait_ps", sms.wait_ps, "ps", "Of an instruction for a page.");
    g.counter("l2_hits", c.l2_hits, "requests", "Found in the L2 TLB.");
    g.counter("l2_misses", c.l2_misses, "requests", "Not found there.");
    g.counter("merged", c.merged, "requests", "Joined a walk or a fault for their page.");
    g.counter("walks", c.walks, "walks", "Begun; after a fault again.");
    g.counter("walk_reads", c.walk_reads, "words", "Read by walks.");
    g.counter("restarts", c.restarts, "walks", "Started over since their page moved.");
    g.counter("most_walks", c.most_walks, "walks", "At once.");
    g.histogram("walk_ps", c.walk_ps, "ps", "Of a walk, to its translation or its fault.");
    g.counter("faults", c.faults, "faults", "Taken by who serves them.");
    g.counter("held", c.held, "faults", "Held by a walker for want of room.");
    g.counter("invalidations", c.invalidations, "pages", "Forgotten because they moved.");
    g.counter("notes", c.notes, "notes", "Of many accesses to a remote page.");
}

void translation_series(SeriesRecorder& series, const std::string& name, const SocketMmu& mmu) {
    const TranslationCounts& sms = mmu.counts;
    const MmuCounts& c = mmu.mmu_counts();
    series.increase(name + "l1_hits", sms.l1_hits, "lines", "Line accesses whose page an SM knew.");
    series.increase(name + "l1_misses", sms.l1_misses, "pages", "Memory instructions that waited for a page.");
    series.increase(name + "l2_hits", c.l2_hits, "requests", "Found in the L2 TLB.");
    series.increase(name + "l2_misses", c.l2_misses, "requests", "Not found there.");
    series.increase(name + "walks", c.walks, "walks", "Begun.");
    series.increase(name + "faults", c.faults, "faults", "Taken by who serves them.");
}

void register_direction(StatGroup& g, const DirectionCounts& counts, std::function<Count()> lane_cycles) {
    g.counter("bytes", counts.bytes, "B", "Carried.");
    g.counter("request_packets", counts.request_packets, "packets", "Requests carried.");
    g.counter("response_packets", counts.response_packets, "packets", "Responses carried.");
    g.value("lane_cycles", std::move(lane_cycles), "lane-cycles", "Of the lanes that faced this way.");
}
} // namespace

double System::Impl::energy_pj(std::uint64_t bytes) const {
    return static_cast<double>(bytes) * 8.0 * config.link.energy_pj_per_bit;
}

std::uint64_t System::Impl::allocated_bytes(unsigned socket) const {
    if (!has_driver(config)) return pages.allocated_bytes(SocketId(socket));
    return host->faults().resident(socket) * (std::uint64_t{config.placement.page_kib} * 1024);
}

void System::Impl::register_socket(unsigned s) {
    StatGroup& g = stats.group("socket", s);
    const GpuSocket& socket = *sockets[s];
    register_sms(g.group("sm"), socket.sms);
    register_l1(g.group("l1"), socket.sms);
    register_latency(g.group("load_latency.local"), socket.load_latency(false));
    register_latency(g.group("load_latency.remote"), socket.load_latency(true));
    for (const bool remote : {false, true}) {
        if (!socket.mmu) break;
        g.counter(remote ? "load_latency.remote.translation_ps" : "load_latency.local.translation_ps",
                  socket.load_latency(remote).translation_ps, "ps",
                  "Before the latency: since the instruction began to wait for a page.");
    }
    register_l2(g.group("l2"), socket.slices);
    StatGroup& memory_group = g.group("memory");
    const auto& channels = socket.channels;
    total(
        memory_group, "reads", channels, [](const MemoryChannel& c) { return c.counts().reads; }, "lines", "Read.");
    total(
        memory_group, "writes", channels, [](const MemoryChannel& c) { return c.counts().writes; }, "writes",
        "Written.");
    total(
        memory_group, "read_bytes", channels, [](const MemoryChannel& c) { return c.counts().read_bytes; }, "B",
        "Read.");
    total(
        memory_group, "write_bytes", channels, [](const MemoryChannel& c) { return c.counts().write_bytes; }, "B",
        "Written.");
    memory_group.value(
        "allocated_bytes", [this, s] { return allocated_bytes(s); }, "B", "In pages placed here.");
    for (unsigned i = 0; i < channels.size(); ++i) {
        if (!channels[i]) continue;
        StatGroup& c = memory_group.group("channel", i);
        c.counter("read_bytes", channels[i]->counts().read_bytes, "B", "Read.");
        c.counter("write_bytes", channels[i]->counts().write_bytes, "B", "Written.");
    }
    if (socket.mmu) register_mmu(g.group("mmu"), *socket.mmu);
    if (!socket.link) return;
    Link& link = *socket.link;
    register_direction(g.group("link.out"), link.out(), [&link] { return link.lane_cycles_out(); });
    register_direction(g.group("link.in"), link.in(), [&link] { return link.lane_cycles_in(); });
    // Every byte crosses two links and the switch: the energy of the whole way is counted where it starts.
    g.value(
        "link.out.energy_pj", [this, &link] { return energy_pj(link.out().bytes); }, "pJ",
        "Of what was sent, for its whole way: two links and the switch.");
    g.value(
        "link.lane_turns", [&link] { return link.lane_turns(); }, "turns", "Lanes turned.");
    g.value(
        "link.lanes_out", [&link] { return Count{link.lanes().out}; }, "lanes", "That face out at the end.");
    g.value(
        "link.lanes_in", [&link] { return Count{link.lanes().in}; }, "lanes", "That face in at the end.");
    g.value(
        "ways.l2_local", [&socket] { return Count{socket.l2_local_ways()}; }, "ways",
        "L2 ways for local lines at the end; 0 without a partition.");
    g.value(
        "ways.l1_local", [&socket] { return Count{socket.l1_local_ways()}; }, "ways",
        "L1 ways for local lines at the end; 0 without a partition.");
    g.value(
        "ways.changes", [&socket] { return socket.way_changes(); }, "changes", "Of the partition.");
}

void System::Impl::register_statistics() {
    for (unsigned s = 0; s < sockets.size(); ++s) register_socket(s);
    StatGroup& g = stats.group("system");
    g.counter("cycles", end_cycle, "cycles", "From the start to the end of the last kernel.");
    g.value(
        "warp_instructions", [this] { return progress().warp_instructions; }, "instructions", "Issued.");
    g.value(
        "kernels", [this] { return dispatcher.kernels_done(); }, "kernels", "Run.");
    g.value(
        "blocks", [this] { return dispatcher.blocks_done(); }, "blocks", "Thread blocks run.");
    g.value(
        "transactions_issued", [this] { return pool.made(); }, "transactions", "Of SMs and caches.");
    g.value(
        "transactions_completed", [this] { return pool.returned(); }, "transactions", "Answered.");
    g.value(
        "pages", [this] { return has_driver(config) ? Count{faulted_pages.size()} : pages.pages(); }, "pages",
        "Touched.");
    if (config.translation.mode != TranslationMode::off)
        g.value(
            "table_pages", [this] { return table.table_pages(); }, "pages", "Of 4 KiB, in the page table.");
    g.value(
        "copied_bytes", [this] { return dispatcher.copied_bytes(); }, "B", "Copied from the host, in no time.");
    g.value(
        "link_energy_pj",
        [this] {
            Count bytes = 0;
            for (const auto& s : sockets)
                if (s->link) bytes += s->link->out().bytes;
            return energy_pj(bytes);
        },
        "pJ", "Of all links and the switch.");
    if (host) register_host(stats.group("host"), *host);
    if (!fabric) return;
    StatGroup& sw = stats.group("switch");
    for (unsigned s = 0; s < sockets.size(); ++s) {
        StatGroup& port = sw.group("port", s);
        port.counter("request_bytes", fabric->requests(s).bytes, "B", "Requests towards this socket.");
        port.counter("response_bytes", fabric->responses(s).bytes, "B", "Responses towards this socket.");
        StatGroup& from = sw.group("from", s);
        for (unsigned to = 0; to < sockets.size(); ++to)
            if (to != s)
                from.group("to", to).counter("bytes", route.between(s, to), "B",
                                             "Requests and responses from one socket to another.");
    }
}

void System::Impl::register_series() {
    for (unsigned s = 0; s < sockets.size(); ++s) {
        const std::string name = fmt::format("socket{}.", s);
        const GpuSocket& socket = *sockets[s];
        grows(
            series, name + "sm.warp_instructions", socket.sms, [](const Sm& m) { return m.counts().instructions; },
            "instructions", "Issued.");
        grows(
            series, name + "l1.load_lines", socket.sms, [](const Sm& m) { return m.unit().counts().load_lines; },
            "lines", "Looked up by loads.");
        grows(
            series, name + "l1.hits", socket.sms, [](const Sm& m) { return m.unit().counts().hits; }, "lines",
            "Found.");
        const auto l2 = [&](const char* what, auto get, const char* doc) {
            grows(series, name + what, socket.slices, get, "reads", doc);
        };
        l2(
            "l2.reads",
            [](const L2Slice& c) {
                const SliceCounts& k = c.counts();
                return k.local.hits + k.local.misses + k.remote.hits + k.remote.misses + k.incoming.hits +
                       k.incoming.misses;
            },
            "Reads served or fetched.");
        l2(
            "l2.hits",
            [](const L2Slice& c) {
                const SliceCounts& k = c.counts();
                return k.local.hits + k.remote.hits + k.incoming.hits;
            },
            "Of these found.");
        grows(
            series, name + "memory.bytes", socket.channels, [](const MemoryChannel& c) { return c.busy_bytes(); }, "B",
            "Read and written.");
        series.level(
            name + "memory.allocated_bytes", [this, s] { return allocated_bytes(s); }, "B", "In pages placed here.");
        if (socket.mmu) translation_series(series, name + "mmu.", *socket.mmu);
        if (!socket.link) continue;
        const Link& link = *socket.link;
        series.increase(
            name + "link.out_bytes", [&link] { return link.busy_bytes_out(); }, "B", "Sent.");
        series.increase(
            name + "link.in_bytes", [&link] { return link.busy_bytes_in(); }, "B", "Received.");
        series.increase(
            name + "link.out_lane_cycles", [&link] { return link.lane_cycles_out(); }, "lane-cycles",
            "Of the lanes that faced out.");
        series.increase(
            name + "link.in_lane_cycles", [&link] { return link.lane_cycles_in(); }, "lane-cycles",
            "Of the lanes that faced in.");
        series.level(
            name + "link.lanes_out", [&link] { return Count{link.lanes().out}; }, "lanes", "That face out.");
        series.level(
            name + "link.lanes_in", [&link] { return Count{link.lanes().in}; }, "lanes", "That face in.");
        series.level(
            name + "ways.l2_local", [&socket] { return Count{socket.l2_local_ways()}; }, "ways",
            "L2 ways for local lines.");
        series.level(
            name + "ways.l1_local", [&socket] { return Count{socket.l1_local_ways()}; }, "ways",
            "L1 ways for local lines.");
    }
    if (host) host_series(series, *host);
}

std::vector<SystemPart> describe_parts(const SystemConfig& c) {
    const auto gbps = [&](unsigned bytes) { return bytes * static_cast<double>(c.clock_khz) / 1e6; };
    const unsigned sms = c.socket.sms * c.scale, slices = c.socket.l2.slices * c.scale;
    const unsigned channels = c.socket.memory.channels * c.scale;
    const SmSystemConfig& sm = c.socket.sm;
    const L2SystemConfig& l2 = c.socket.l2;
    std::vector<SystemPart> parts;
    const auto add = [&](const std::string& path, unsigned count, const std::string& what) {
        parts.push_back({path, what, count});
    };
    add("dispatcher", 1,
        fmt::format("{} thread blocks, {} cycles a launch", kBlockSplits.name(c.dispatch.split),
                    c.dispatch.launch_cycles));
    add("driver", 1,
        fmt::format("{} placement of {} KiB pages, execution {}", kPlacements.name(c.placement.policy),
                    c.placement.page_kib, kDriverExecutions.name(c.driver.execution)));
    add(fmt::format("socket[0..{}]", c.sockets - 1), c.sockets, "GPU sockets, each with:");
    add("socket.sm", sms,
        fmt::format("{} warps, {} schedulers, L1 {} KiB {}-way, {} miss entries", sm.warps, sm.schedulers,
                    sm.l1.size_kib, sm.l1.ways, sm.l1.miss_entries));
    const TranslationSystemConfig& t = c.translation;
    if (t.mode == TranslationMode::full)
        add("socket.mmu", 1,
            fmt::format(
                "L1 TLBs of {} pages, L2 TLB of {} in {} ways, {} cycles, {} walkers of {} levels, tables in {}",
                t.l1_entries, t.l2_entries, t.l2_ways, t.l2_cycles, t.walkers, radix_layout(c).levels(),
                kTableHomes.name(t.tables)));
    else if (t.mode == TranslationMode::ideal)
        add("socket.mmu", 1, "ideal translation: only pages that are mapped nowhere take time");
    add("socket.noc", 1,
        fmt::format("crossbar {} x {}, {:g} GB/s an output, {} cycles", sms, slices,
                    gbps(c.socket.noc.response_bytes_per_cycle), c.socket.noc.latency_cycles));
    add("socket.l2.slice", slices,
        fmt::format("{} KiB {}-way in all, {}, {}, {} cycles a hit, {:g} GB/s each", l2.size_kib * c.scale, l2.ways,
                    kL2Organisations.name(l2.organisation), kWritePolicies.name(l2.write_policy), l2.hit_cycles,
                    gbps(l2.bytes_per_cycle)));
    const std::string rtl_memory = c.socket.memory.model == MemoryModel::axi4_rtl
                                       ? fmt::format("; RTL behind AXI4 in {} of {} sockets",
                                                     std::min(c.socket.memory.rtl_sockets, c.sockets), c.sockets)
                                       : "";
    const MemoryDeviceConfig& device = c.socket.memory.device;
    if (c.socket.memory.model == MemoryModel::timed)
        add("socket.memory.channel", channels,
            fmt::format("timed DRAM {}, {:g} GB/s in all, {}, {} page, {} GiB", device.name,
                        device.channel_gbytes_per_s() * channels, kMemorySchedulers.name(device.scheduler),
                        kRowPolicies.name(device.row_policy), c.socket.memory.capacity_gib * c.scale));
    else
        add("socket.memory.channel", channels,
            fmt::format("{:g} GB/s in all, {:g} ns, {} GiB", c.socket.memory.bandwidth_gbps * c.scale,
                        c.socket.memory.latency_ns, c.socket.memory.capacity_gib * c.scale) +
                rtl_memory);
    if (c.sockets == 1) return parts;
    add("socket.link", 1,
        fmt::format("{} lanes out and {} in of {:g} GB/s, {} balancer, {} cycles", c.link.lanes_out, c.link.lanes_in,
                    c.link.lane_gbps, kLaneBalancers.name(c.link.balancer), c.link.latency_cycles));
    if (c.link.cut != LinkCutKind::none) add("socket.link.cut", 1, std::string(kLinkCuts.doc(c.link.cut)));
    add("switch", 1,
        fmt::format("{} x {}, {:g} GB/s in all, {} cycles", c.sockets, c.sockets,
                    static_cast<double>(switch_bytes_per_s(c)) / 1e9, c.switch_.latency_cycles));
    return parts;
}

} // namespace numavp
