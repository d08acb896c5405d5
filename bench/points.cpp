#include "bench/points.h"

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "base/values/rng.h"
#include "bench/axi4_bridge.h"
#include "bench/axi4_engine.h"
#include "bench/flits.h"
#include "bench/floor_queues.h"
#include "bench/network_load.h"
#include "bench/synthetic.h"
#include "bench/transport.h"
#include "common/inputs/workload_names.h"
#include "common/system/load_system.h"
#include "common/system/memory_device.h"
#include "models/memory/replay/streams.h"
#include "platform/machine/system.h"
#include "platform/replay/fault_replay.h"
#include "sw/traces/trace_writer.h"
#include "sw/workloads/workload_file.h"

namespace numavp {

namespace {
using nlohmann::ordered_json;
constexpr std::uint64_t kPointsWarmUp = 40'000;
constexpr std::uint64_t kWheelTransactions = 1'000'000;
constexpr std::uint64_t kHeapTransactions = 200'000;
constexpr Cycle kTransportCycles = 16'000; ///< about half a million transactions
constexpr std::uint64_t kFlitCycles = 1'000'000;
constexpr std::uint64_t kTriadFootprint = std::uint64_t{3} << 30;
constexpr std::uint64_t kTriadStride = 4096;

ordered_json measure_transport(unsigned pairs) {
    TransportSystem transport;
    WheelFloor floor(1);
    transport.run(2'000);
    floor.run(kPointsWarmUp);
    ordered_json result;
    result["pairs"] = ordered_json::array();
    double latency = 0.0;
    for (unsigned i = 0; i < pairs; ++i) {
        const double before = floor.run(kWheelTransactions).us_per_transaction();
        const TrafficResult r = transport.run(kTransportCycles);
        const TrafficResult after = floor.run(kWheelTransactions);
        latency = r.mean_latency();
        result["pairs"].push_back({before, r.us_per_transaction(), after.us_per_transaction()});
        result["floor_latency_cycles"] = after.mean_latency();
    }
    result["latency_cycles"] = latency;
    result["deferred_fraction"] = transport.deferred_fraction();
    result["in_flight"] = transport.in_flight();
    const auto transactions = static_cast<double>(transport.counts().transactions);
    result["deliveries_per_transaction"] = static_cast<double>(transport.deliveries()) / transactions;
    result["arbitrations_per_transaction"] = static_cast<double>(transport.arbitrations()) / transactions;
    return result;
}

ordered_json measure_flits(unsigned pairs) {
    const auto per_cycle = [](const FlitRun& run) { return run.seconds / static_cast<double>(run.cycles); };
    ordered_json result;
    result["pairs"] = ordered_json::array();
    for (unsigned i = 0; i < pairs; ++i) {
        const FlitRun before = run_bare_relay(kFlitCycles);
        const FlitRun channel = run_flit_channel(kFlitCycles);
        const FlitRun after = run_bare_relay(kFlitCycles);
        result["pairs"].push_back({per_cycle(before), per_cycle(channel), per_cycle(after)});
        result["bare_flits_per_cycle"] = static_cast<double>(after.flits) / static_cast<double>(after.cycles);
        result["flits_per_cycle"] = static_cast<double>(channel.flits) / static_cast<double>(channel.cycles);
    }
    return result;
}

/// Sum over the sockets that have the counter: a memory cube has no SMs. ModelError if none has it.
std::uint64_t sum_over_sockets(const ordered_json& stats, unsigned sockets, const char* pointer) {
    const nlohmann::ordered_json::json_pointer counter(pointer);
    std::uint64_t sum = 0;
    bool found = false;
    for (unsigned s = 0; s < sockets; ++s) {
        const auto& of = stats.at("socket" + std::to_string(s));
        if (!of.contains(counter)) continue;
        sum += of.at(counter).get<std::uint64_t>();
        found = true;
    }
    if (!found) throw ModelError(std::string("no socket has the counter ") + pointer);
    return sum;
}

/// Reads, builds and runs, and counts CPU time of each; what is counted is read afterwards.
ordered_json run_system(const std::function<SystemConfig()>& read_config,
                        const std::function<Workload()>& read_workload) {
    const double begin = cpu_seconds();
    const SystemConfig config = read_config();
    const Workload workload = read_workload();
    const double built_from = cpu_seconds();
    System system(config, workload);
    const double started = cpu_seconds();
    system.run();
    const double ended = cpu_seconds();

    const ordered_json stats = system.stats().values();
    const auto sum = [&](const char* pointer) { return sum_over_sockets(stats, config.sockets, pointer); };
    ordered_json r;
    r["read_s"] = built_from - begin;
    r["build_s"] = started - built_from;
    r["run_s"] = ended - started;
    r["cycles"] = system.cycles();
    r["warp_instructions"] = sum("/sm/warp_instructions");
    r["sectors"] = sum("/sm/sectors");
    const std::uint64_t remote = sum("/l1/misses_remote");
    r["accesses"] = sum("/l1/misses_local") + remote + sum("/l1/store_lines") + sum("/l1/atomic_lines");
    r["remote_loads"] = remote;
    r["transactions"] = stats.at("system").at("transactions_completed");
    r["deliveries"] = system.deliveries();
    r["arbitrations"] = system.arbitrations();
    return r;
}

/// The same between two runs of F_pq.
ordered_json beside_heap(const std::function<ordered_json()>& measure) {
    const auto floor = [] {
        HeapFloor f(1);
        f.run(kPointsWarmUp);
        return f.run(kHeapTransactions).us_per_transaction();
    };
    const double before = floor();
    ordered_json r = measure();
    r["fpq_us"] = {before, floor()};
    return r;
}

Workload named_workload(const std::string& name, double scale = 1.0) {
    WorkloadOptions options;
    options.scale = scale;
    return load_workload(name, workload_folders(name), options);
}

/// `point` is a word, a system, a workload and perhaps a scale, with settings of the system behind it.
ordered_json run_named(const std::vector<std::string>& point) {
    constexpr std::size_t kSettings = 4;
    const double scale = point.size() > 3 ? std::stod(point[3]) : 1.0;
    const std::vector<std::string> settings(point.begin() + std::min(point.size(), kSettings), point.end());
    return run_system([&] { return load_system(point.at(1), settings); },
                      [&] { return named_workload(point.at(2), scale); });
}

/// The machine of 2 sockets of Table 1, cut into as many as are asked for; `whole`: sockets of Table 1, however many,
/// so that 16 have 8 times the SMs, caches and memories of 2.
ordered_json measure_sockets(unsigned sockets, bool whole) {
    RemoteShareParameters p;
    p.sockets = sockets;
    const auto config = [&] {
        std::vector<std::string> settings{"sockets=" + std::to_string(sockets), "placement.policy=page_interleave",
                                          "placement.page_kib=" + std::to_string(p.page_bytes / 1024),
                                          "dispatch.split=contiguous"};
        const auto divide = [&](const char* path, unsigned of_two) {
            settings.push_back(fmt::format("socket.{}={}", path, of_two / sockets));
        };
        if (!whole) {
            divide("sms", 2 * 64);
            divide("l2.size_kib", 2 * 4096);
            divide("l2.slices", 2 * 32);
            divide("memory.channels", 2 * 32);
            divide("memory.bandwidth_gbps", 2 * 768);
        }
        return load_system("numa-aware-4", settings);
    };
    return run_system(config, [&] { return remote_share_workload(p); });
}

ordered_json measure_policies(bool rtl) {
    std::vector<std::string> settings;
    if (rtl) settings = {"link.balancer=dynamic_rtl", "socket.partition.controller=numa_aware_rtl"};
    return run_system([&] { return load_system("numa-aware-4", settings); },
                      [] { return named_workload("spmv-powerlaw"); });
}

/// Faults at a page each, 500 ns apart, so that the driver sleeps between them; no page is copied.
ordered_json measure_faults(const std::string& execution, std::uint64_t count) {
    constexpr std::uint64_t kGapPs = 500'000, kPages = 1 << 20;
    const SystemConfig config = load_system(
        "numa-aware-4", {"translation.mode=full", "driver.policy=lab", "driver.execution=" + execution,
                         "driver.register_cycles=1", "driver.message_cycles=1", "host.memory_latency_ns=1"});
    Rng rng(1, 0);
    std::vector<TimedFault> faults;
    for (std::uint64_t i = 1; i <= count; ++i)
        faults.push_back({i * kGapPs, {rng.below(kPages), SocketId(rng.below(config.sockets)), rng.below(2) != 0}});
    FaultReplay replay(config, std::move(faults));
    const double started = cpu_seconds();
    replay.run();
    return {{"run_s", cpu_seconds() - started},
            {"faults", replay.host().faults().ledger().counts.done},
            {"instructions", replay.host().core().instructions()},
            {"page_table", replay.record().page_table_digest},
            {"mean_latency_ns", static_cast<double>(replay.host().faults().ledger().latency().sum()) / 1000.0 /
                                    static_cast<double>(count)}};
}
ordered_json measure_dram(const std::string& name, const std::string& stream_name) {
    constexpr std::uint64_t kRequests = 500'000;
    const MemoryDeviceConfig device = load_memory_device(name);
    const MemoryStreamKind kind = kMemoryStreams.value(stream_name, "stream");
    const MemoryStream stream = make_memory_stream(kind, device, kRequests);
    const double started = cpu_seconds();
    const ReplayResult result = replay(device, stream, stream_windows(kind, device));
    return {{"run_s", cpu_seconds() - started}, {"requests", kRequests}, {"gbytes_per_s", result.gbytes_per_s()}};
}
} // namespace

const std::vector<ShapeReference>& shape_references() {
    static const std::vector<ShapeReference> table{{"vecadd", 557'056, 393'216, 21'559, 7.4e3, 5.2e3},
                                                   {"stream", 151'552, 327'680, 18'227, 1.6e3, 3.6e3},
                                                   {"gather", 36'864, 270'313, 41'052, 0.17e3, 1.3e3},
                                                   {"compute", 831'488, 32'768, 11'477, 34.7e3, 1.4e3}};
    return table;
}

ordered_json measure_point(const std::vector<std::string>& point) {
    const std::string& what = point.at(0);
    if (what == "transport") return measure_transport(static_cast<unsigned>(std::stoul(point.at(1))));
    if (what == "flits") return measure_flits(static_cast<unsigned>(std::stoul(point.at(1))));
    if (what == "run") return beside_heap([&] { return run_named(point); });
    if (what == "alone") return run_named(point);
    if (what == "floor") {
        const std::uint64_t transactions = std::stoull(point.at(2));
        const TrafficResult r =
            point.at(1) == "wheel" ? WheelFloor(1).run(transactions) : HeapFloor(1).run(transactions);
        return {{"transactions", r.transactions}, {"latency_cycles", r.mean_latency()}};
    }
    if (what == "hops") return {{"transactions", TransportSystem().run(std::stoull(point.at(1))).transactions}};
    if (what == "write") return {{"list", write_trace_folder(named_workload("shape-" + point.at(1)), point.at(2))}};
    if (what == "sockets")
        return measure_sockets(static_cast<unsigned>(std::stoul(point.at(1))), point.size() > 2 && point[2] == "whole");
    if (what == "faults") return measure_faults(point.at(1), std::stoull(point.at(2)));
    if (what == "dram") return measure_dram(point.at(1), point.at(2));
    if (what == "axi4") return measure_axi4_bridge(static_cast<unsigned>(std::stoul(point.at(1))));
    if (what == "axi4_engine") return measure_axi4_engine(static_cast<unsigned>(std::stoul(point.at(1))));
    if (what == "network")
        return beside_heap(
            [&] { return measure_network(point.at(1), std::stod(point.at(2)), std::stoull(point.at(3))); });
    if (what == "policies") return measure_policies(point.at(1) == "rtl");
    if (what == "memory")
        return run_system([] { return load_system("numa-aware-4"); },
                          [] { return sparse_triad_workload(kTriadFootprint, kTriadStride); });
    throw std::invalid_argument("no point of the bench is called " + what);
}

} // namespace numavp
