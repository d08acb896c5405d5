#include "bench/bars.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "bench/points.h"
#include "bench/runner.h"
#include "common/files/hidden_folder.h"
#include "rtl/blocks.h"

namespace numavp {

namespace {
using nlohmann::ordered_json;

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2.0;
}

double number(const ordered_json& j, const char* key) { return j.at(key).get<double>(); }
double mean_fpq(const ordered_json& run) {
    return (run.at("fpq_us").at(0).get<double>() + run.at("fpq_us").at(1).get<double>()) / 2.0;
}
double us_per_access(const ordered_json& run) { return number(run, "run_s") * 1e6 / number(run, "accesses"); }

/// Measures points and keeps what they said.
class Bench {
  public:
    explicit Bench(const BarOptions& options) : options_(options) {}
    ordered_json point(Bar& bar, const std::vector<std::string>& words) {
        if (options_.progress) options_.progress(fmt::format("{}: {}", bar.key, fmt::join(words, " ")));
        ordered_json run = run_point(words, options_.core);
        run["point"] = fmt::format("{}", fmt::join(words, " "));
        bar.runs.push_back(run);
        return run;
    }
    ordered_json program(Bar& bar, const std::string& path, const std::vector<std::string>& words) {
        const std::string what =
            std::filesystem::path(path).filename().string() + fmt::format(" {}", fmt::join(words, " "));
        if (options_.progress) options_.progress(fmt::format("{}: {}", bar.key, what));
        ordered_json run = run_program(path, words, options_.core);
        run["point"] = what;
        bar.runs.push_back(run);
        return run;
    }
    void say(const std::string& what) const {
        if (options_.progress) options_.progress(what);
    }
    unsigned pairs() const { return options_.pairs; }

  private:
    const BarOptions& options_;
};

void transport(Bench& bench, Bar& bar) {
    const ordered_json run = bench.point(bar, {"transport", std::to_string(bench.pairs())});
    std::vector<double> ratios, floors, costs;
    for (const auto& pair : run.at("pairs")) {
        const double floor = (pair.at(0).get<double>() + pair.at(2).get<double>()) / 2.0;
        floors.push_back(floor);
        costs.push_back(pair.at(1).get<double>());
        ratios.push_back(costs.back() / floor);
    }
    bar.value = median(ratios);
    const double deferred = number(run, "deferred_fraction");
    bar.sound = deferred >= 0.1 && run.at("in_flight") == 16384;
    bar.note = fmt::format("{:.3f} us a transaction, F_w {:.3f}; {:.1f} % of requests deferred; {:.0f} cycles mean "
                           "latency, floor {:.0f}",
                           median(costs), median(floors), deferred * 100.0, number(run, "latency_cycles"),
                           number(run, "floor_latency_cycles"));
}

/// Sender, relay and receiver of a link with credited flits over the Verilated relay by itself.
void flits(Bench& bench, Bar& bar) {
    const ordered_json run = bench.point(bar, {"flits", std::to_string(bench.pairs())});
    std::vector<double> ratios, bare, whole;
    for (const auto& pair : run.at("pairs")) {
        bare.push_back((pair.at(0).get<double>() + pair.at(2).get<double>()) / 2.0);
        whole.push_back(pair.at(1).get<double>());
        ratios.push_back(whole.back() / bare.back());
    }
    bar.value = median(ratios);
    const double full = number(run, "flits_per_cycle");
    bar.sound = full >= 0.99 && number(run, "bare_flits_per_cycle") >= 0.99;
    bar.note = fmt::format("{:.2f} million cycles a second, the relay alone {:.2f}; {:.1f} % of cycles carry a flit",
                           1e-6 / median(whole), 1e-6 / median(bare), full * 100.0);
}

void stream(Bench& bench, Bar& bar) {
    std::vector<double> ratios, costs, floors;
    ordered_json run;
    for (unsigned i = 0; i < bench.pairs(); ++i) {
        run = bench.point(bar, {"run", "numa-aware-4", "stream-triad", "0.125"});
        costs.push_back(us_per_access(run));
        floors.push_back(mean_fpq(run));
        ratios.push_back(costs.back() / floors.back());
    }
    bar.value = median(ratios);
    bar.note = fmt::format("{:.3f} us an access, F_pq {:.3f}; {} accesses, {:.2f} % of loads remote", median(costs),
                           median(floors), run.at("accesses").get<std::uint64_t>(),
                           100.0 * number(run, "remote_loads") / number(run, "accesses"));
}

/// How many times faster than Accel-Sim would be on this machine, in the slower of the two rates.
double speed_up(const ordered_json& run, const ShapeReference& shape) {
    const double seconds = number(run, "read_s") + number(run, "build_s") + number(run, "run_s");
    const double here = kReferenceFpqMicroseconds / mean_fpq(run); // this machine's speed over the reference's
    return std::min(number(run, "warp_instructions") / seconds / (shape.instructions_per_s * here),
                    number(run, "sectors") / seconds / (shape.sectors_per_s * here));
}

void accel_sim(Bench& bench, Bar& bar, const ShapeReference& shape) {
    const HiddenFolder folder((std::filesystem::temp_directory_path() / "numavp-bench").string(),
                              "traces of the bench");
    const std::string list = bench.point(bar, {"write", shape.name, folder.path()}).at("list");
    std::vector<double> as_pattern, as_trace;
    for (unsigned i = 0; i < bench.pairs(); ++i) {
        as_pattern.push_back(
            speed_up(bench.point(bar, {"run", "accel-sim-qv100", std::string("shape-") + shape.name}), shape));
        as_trace.push_back(speed_up(bench.point(bar, {"run", "accel-sim-qv100", list}), shape));
    }
    bar.value = std::min(median(as_pattern), median(as_trace));
    for (const ordered_json& run : bar.runs) {
        if (!run.contains("sectors")) continue;
        const double sectors = number(run, "sectors");
        bar.sound = bar.sound && run.at("warp_instructions") == shape.warp_instructions &&
                    std::abs(sectors / static_cast<double>(shape.sectors) - 1.0) <= 0.001;
    }
    const ordered_json& last = bar.runs.back();
    bar.note =
        fmt::format("as pattern {:.0f}, as trace {:.0f}; {} warp instructions, {} sectors; {} cycles, Accel-Sim "
                    "{}",
                    median(as_pattern), median(as_trace), last.at("warp_instructions").get<std::uint64_t>(),
                    last.at("sectors").get<std::uint64_t>(), last.at("cycles").get<std::uint64_t>(), shape.cycles);
}

void sockets(Bench& bench, Bar& bar) {
    std::vector<double> ratios, whole_ratios, two, sixteen;
    std::string shares;
    double before = us_per_access(bench.point(bar, {"sockets", "2"}));
    for (unsigned i = 0; i < bench.pairs(); ++i) {
        const ordered_json large = bench.point(bar, {"sockets", "16"});
        const ordered_json small = bench.point(bar, {"sockets", "2"});
        const double after = us_per_access(small);
        two.push_back((before + after) / 2.0);
        sixteen.push_back(us_per_access(large));
        ratios.push_back(sixteen.back() / two.back());
        whole_ratios.push_back(us_per_access(bench.point(bar, {"sockets", "16", "whole"})) / after);
        before = us_per_access(bench.point(bar, {"sockets", "2"}));
        shares = fmt::format("{:.1f} % and {:.1f} %", 100.0 * number(large, "remote_loads") / number(large, "accesses"),
                             100.0 * number(small, "remote_loads") / number(small, "accesses"));
    }
    bar.value = median(ratios);
    bar.note =
        fmt::format("one machine cut into sockets: {:.3f} us at 16, {:.3f} at 2; remote {}; 16 whole sockets, of "
                    "8 times the machine: {:.2f}",
                    median(sixteen), median(two), shares, median(whole_ratios));
}

void memory(Bench& bench, Bar& bar) {
    const ordered_json run = bench.point(bar, {"memory"});
    bar.value = number(run, "peak_mib");
    bar.note = fmt::format("{} accesses over 3 GiB", run.at("accesses").get<std::uint64_t>());
}

/// Million requests a second of a timed memory device.
void dram(Bench& bench, Bar& bar, const char* device, const char* stream) {
    std::vector<double> rates;
    ordered_json run;
    for (unsigned i = 0; i < bench.pairs(); ++i) {
        run = bench.point(bar, {"dram", device, stream});
        rates.push_back(number(run, "requests") / number(run, "run_s") / 1e6);
    }
    bar.value = median(rates);
    bar.note = fmt::format("{:.1f} GB/s simulated", number(run, "gbytes_per_s"));
}

/// The instruction-set simulator beside libunicorn; `path` is the program that holds both.
void instruction_set(Bench& bench, Bar& bar, const std::string& path) {
    constexpr const char* kQuantum = "1000";
    const ordered_json run = bench.program(bar, path, {std::to_string(bench.pairs()), kQuantum});
    std::vector<double> ratios, own, theirs;
    for (const auto& pair : run.at("pairs")) {
        theirs.push_back((pair.at(0).get<double>() + pair.at(2).get<double>()) / 2.0);
        own.push_back(pair.at(1).get<double>());
        ratios.push_back(own.back() / theirs.back());
    }
    bar.value = median(ratios);
    bar.sound = run.at("same").get<bool>();
    bar.note = fmt::format("{:.0f} million instructions a second, libunicorn {:.0f}, at a quantum of {}", median(own),
                           median(theirs), kQuantum);
}

/// The driver on the instruction-set simulator beside the driver compiled for this machine.
void faults(Bench& bench, Bar& bar) {
    constexpr const char* kFaults = "100000";
    std::vector<double> ratios, seconds;
    ordered_json native, riscv;
    for (unsigned i = 0; i < bench.pairs(); ++i) {
        native = bench.point(bar, {"faults", "native", kFaults});
        riscv = bench.point(bar, {"faults", "riscv", kFaults});
        seconds.push_back(riscv.at("run_s").get<double>());
        ratios.push_back(seconds.back() / native.at("run_s").get<double>());
    }
    bar.value = median(ratios);
    bar.sound = native.at("page_table") == riscv.at("page_table");
    const auto served = riscv.at("faults").get<double>();
    bar.note = fmt::format("{:.0f} faults a second on RISC-V, {:.0f} instructions each", served / median(seconds),
                           riscv.at("instructions").get<double>() / served);
}

/// A bridge of AXI4 beside the Verilated model at its pins, which moves at least so many bytes a cycle.
void axi4_bridge(Bench& bench, Bar& bar, const char* point, double least_bytes) {
    const ordered_json run = bench.point(bar, {point, std::to_string(bench.pairs())});
    std::vector<double> ratios, raw, bridged;
    for (const auto& pair : run.at("pairs")) {
        raw.push_back((pair.at(0).get<double>() + pair.at(2).get<double>()) / 2.0);
        bridged.push_back(pair.at(1).get<double>());
        ratios.push_back(bridged.back() / raw.back());
    }
    bar.value = median(ratios);
    const auto raw_bytes = run.at("bytes_per_cycle").at(0).get<double>();
    const auto bridged_bytes = run.at("bytes_per_cycle").at(1).get<double>();
    bar.sound = bridged_bytes >= 0.99 * raw_bytes && raw_bytes >= least_bytes;
    bar.note = fmt::format("{:.2f} million cycles a second, raw {:.2f}; {:.1f} and {:.1f} bytes a cycle",
                           1e3 / median(bridged), 1e3 / median(raw), bridged_bytes, raw_bytes);
}

/// The 4-socket system with its policies in RTL beside the same in C++.
void rtl_policies(Bench& bench, Bar& bar) {
    std::vector<double> ratios;
    ordered_json cpp, rtl;
    for (unsigned i = 0; i < bench.pairs(); ++i) {
        cpp = bench.point(bar, {"policies", "cpp"});
        rtl = bench.point(bar, {"policies", "rtl"});
        ratios.push_back(number(rtl, "run_s") / number(cpp, "run_s"));
    }
    bar.value = median(ratios);
    bar.sound = cpp.at("cycles") == rtl.at("cycles");
    bar.note = fmt::format("{:.2f} s in RTL, {:.2f} s in C++; {} cycles", number(rtl, "run_s"), number(cpp, "run_s"),
                           rtl.at("cycles").get<std::uint64_t>());
}

/// Packets through a network at 30 % of saturation beside BookSim2, which makes so many a second on the machine of
/// kReferenceFpqMicroseconds.
void network(Bench& bench, Bar& bar, const char* name, double reference_per_s) {
    constexpr const char* kRate = "0.243"; // of a saturation of 0.81
    constexpr const char* kPackets = "400000";
    std::vector<double> ratios, rates;
    for (unsigned i = 0; i < bench.pairs(); ++i) {
        const ordered_json run = bench.point(bar, {"network", name, kRate, kPackets});
        const double here = kReferenceFpqMicroseconds / mean_fpq(run);
        rates.push_back(number(run, "packets") / number(run, "run_s"));
        ratios.push_back(rates.back() / (reference_per_s * here));
        bar.sound = bar.sound && !run.at("saturated").get<bool>();
        bar.note = fmt::format("{:.2f} million packets a second, {:.0f} ns a flit and router", median(rates) / 1e6,
                               1e9 * number(run, "run_s") / number(run, "flit_hops"));
    }
    bar.value = median(ratios);
}

/// Million accesses that leave an SM, a second of CPU time on the machine of kReferenceFpqMicroseconds: `point` runs a
/// workload, at most `runs` times.
void access_rate(Bench& bench, Bar& bar, const std::vector<std::string>& point, unsigned runs) {
    std::vector<double> rates;
    for (unsigned i = 0; i < std::min(runs, bench.pairs()); ++i) {
        const ordered_json run = bench.point(bar, point);
        const double here = kReferenceFpqMicroseconds / mean_fpq(run);
        rates.push_back(number(run, "accesses") / number(run, "run_s") / here / 1e6);
        const auto each = [&run](const char* what) { return number(run, what) / number(run, "accesses"); };
        bar.note = fmt::format(
            "{} accesses; each is {:.2f} transactions and {:.2f} sectors of 32 B, and takes {:.1f} deliveries and "
            "{:.1f} arbitrations; {:.0f} warp instructions and {:.0f} simulated cycles a second here",
            run.at("accesses").get<std::uint64_t>(), each("transactions"), each("sectors"), each("deliveries"),
            each("arbitrations"), number(run, "warp_instructions") / number(run, "run_s"),
            number(run, "cycles") / number(run, "run_s"));
    }
    bar.value = median(rates);
}

/// The real trace, if there is one: what it contains is known, its speed is measured on another configuration.
void real_trace(Bench& bench, Bar& bar, const std::string& list) {
    const ShapeReference reference{"vectoradd-sm80", 26'601, 18'750, 6'980, 16.6e3, 18'750.0 / 26'601.0 * 16.6e3};
    std::vector<double> ratios;
    ordered_json run;
    for (unsigned i = 0; i < bench.pairs(); ++i) {
        run = bench.point(bar, {"run", "accel-sim-qv100", list});
        ratios.push_back(speed_up(run, reference));
    }
    bar.value = median(ratios);
    bar.sound = run.at("warp_instructions") == reference.warp_instructions && run.at("sectors") == reference.sectors;
    bar.note = fmt::format("{} warp instructions, {} sectors; {} cycles (Accel-Sim with its RTX3070: {})",
                           run.at("warp_instructions").get<std::uint64_t>(), run.at("sectors").get<std::uint64_t>(),
                           run.at("cycles").get<std::uint64_t>(), reference.cycles);
}
} // namespace

std::vector<Bar> measure_bars(const BarOptions& options, const std::string& only) {
    Bench bench(options);
    std::vector<Bar> bars;
    const auto add = [&](std::string key, std::string what, std::optional<double> limit, bool at_least,
                         const std::function<void(Bar&)>& measure) {
        if (key.find(only) == std::string::npos) return;
        Bar bar;
        bar.key = std::move(key);
        bar.what = std::move(what);
        bar.limit = limit;
        bar.at_least = at_least;
        measure(bar);
        bars.push_back(std::move(bar));
    };
    add("transport_over_fw", "transport alone over F_w", 1.5, false, [&](Bar& b) { transport(bench, b); });
    add("stream_over_fpq", "an L1-missing access of the stream triad over F_pq", 1.2, false,
        [&](Bar& b) { stream(bench, b); });
    for (const ShapeReference& shape : shape_references())
        add(std::string("accelsim_") + shape.name, std::string("times Accel-Sim on ") + shape.name, 100.0, true,
            [&](Bar& b) { accel_sim(bench, b, shape); });
    if (const char* traces = std::getenv("NUMAVP_SHARED_TRACES")) {
        const std::string list = std::string(traces) + "/vectoradd-sm80/kernelslist.g";
        add("accelsim_real_trace", "times Accel-Sim on vectoradd-sm80", 100.0, true,
            [&](Bar& b) { real_trace(bench, b, list); });
    }
    add("cost_16_over_2_sockets", "a transaction at 16 sockets over one at 2, of one machine cut into them", 1.3, false,
        [&](Bar& b) { sockets(bench, b); });
    // A million packets a second, and 0.7 million, on that machine.
    add("network_16_routers", "times BookSim2 on sfbfly-4g16h at 30 % of saturation", 20.0, true,
        [&](Bar& b) { network(bench, b, "sfbfly-4g16h", 50e3); });
    add("network_64_routers", "times BookSim2 on sfbfly-16g64h at 30 % of saturation", 24.1, true,
        [&](Bar& b) { network(bench, b, "sfbfly-16g64h", 29e3); });
    const auto add_rate = [&](const char* key, const char* what, std::optional<double> limit,
                              const std::vector<std::string>& point, unsigned runs) {
        add(key, fmt::format("million accesses a second that leave an SM: {}", what), limit, true,
            [&](Bar& b) { access_rate(bench, b, point, runs); });
    };
    add_rate("memory_network_run", "mn-scan on 4 GPUs on a memory network", std::nullopt,
             {"run", "gmn-4-sfbfly", "mn-scan", "0.12"}, bench.pairs());
    // The rate of 512 tokens, 58 million accesses, in 180 s. 41 tokens are one tile of rows; 512 read weights four
    // times.
    constexpr unsigned kLongRuns = 3; // they take half a minute each
    add_rate("layer_prefill", "a layer of LLaMA-2-7B, 41 tokens, on an A100", 0.32,
             {"run", "a100", "llama-2-7b-prefill", "0.02", "socket.sm.tensor.cores=ampere"}, kLongRuns);
    add_rate("layer_decode", "a layer of LLaMA-3-8B, 16 sequences of 82 tokens, on a B200", std::nullopt,
             {"run", "b200", "llama-3-8b-decode", "0.02"}, kLongRuns);
    add_rate("all_reduce", "an all-reduce of 1 MiB over 8 H100", std::nullopt,
             {"run", "dgx-h100", "all-reduce-two-shot", "0.0625"}, bench.pairs());
    add("peak_memory_mib", "MiB for a footprint of 3 GiB on 4 sockets", 1024.0, false,
        [&](Bar& b) { memory(bench, b); });
    add("dram_channel_sequential", "million sequential reads a second of the timed HBM channel", 3.0, true,
        [&](Bar& b) { dram(bench, b, "hbm-nuba", "seq_r"); });
    add("dram_channel_random", "million random reads a second of the timed HBM channel", 1.0, true,
        [&](Bar& b) { dram(bench, b, "hbm-nuba", "rand_r"); });
    add("dram_cube_sequential", "million sequential reads a second of the timed memory cube", 3.0, true,
        [&](Bar& b) { dram(bench, b, "hmc-cube", "seq_r"); });
    add("dram_cube_random", "million random reads a second of the timed memory cube", 2.0, true,
        [&](Bar& b) { dram(bench, b, "hmc-cube", "rand_r"); });
    add("riscv_over_native_faults", "time of 100,000 page faults served on RISC-V over native", 3.0, false,
        [&](Bar& b) { faults(bench, b); });
    if (rtl::missing().empty()) {
        add("axi4_bridge_over_rtl", "a memory cycle through the bridge to AXI4 over the Verilated memory alone", 3.0,
            false, [&](Bar& b) { axi4_bridge(bench, b, "axi4", 63.0); });
        add("axi4_bridge_under_rtl", "a cycle of an RTL manager through the bridge from AXI4 over the manager alone",
            3.0, false, [&](Bar& b) { axi4_bridge(bench, b, "axi4_engine", 40.0); });
        add("rtl_policies_over_cpp", "the 4-socket system with balancers and partition controllers in RTL over C++",
            1.5, false, [&](Bar& b) { rtl_policies(bench, b); });
        add("flits_over_relay", "a cycle of credited flits through an RTL relay over the bare Verilated relay", 3.0,
            false, [&](Bar& b) { flits(bench, b); });
    } else {
        bench.say(fmt::format("the bars of RTL are not measured: {}", rtl::missing()));
    }
    const char* const iss_key = "iss_over_unicorn";
    if (const auto path = neighbour_program("bench_iss"))
        add(iss_key, "instructions a second of the RV64 core over libunicorn's when it counts them", 1.0, true,
            [&](Bar& b) { instruction_set(bench, b, *path); });
    else
        bench.say(std::string(iss_key) +
                  " is not measured: libunicorn (Debian: libunicorn-dev) was not there at the build");
    return bars;
}

} // namespace numavp
