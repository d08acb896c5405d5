#include "platform/cli/cli_memory.h"

#include <ctime>

#include <fmt/format.h>

#include "base/config/config.h"
#include "common/inputs/memory_stream_file.h"
#include "common/system/memory_device.h"
#include "common/words/number.h"
#include "common/words/text.h"
#include "models/memory/replay/streams.h"
#include "platform/cli/json_output.h"

namespace numavp {

namespace {
constexpr std::uint64_t kDefaultRequests = 500'000;
constexpr std::uint64_t kMostRequests = 1'000'000'000;
constexpr unsigned kMostWindow = 1'000'000;

unsigned window_of(const char* option, const std::string& text, unsigned otherwise) {
    return text.empty() ? otherwise
                        : number_of<unsigned>(option, text, 1, kMostWindow, "a whole number from 1 to 1000000");
}

std::uint64_t request_count(const std::string& text) {
    return text.empty()
               ? kDefaultRequests
               : number_of<std::uint64_t>("--requests", text, 1, kMostRequests, "a whole number from 1 to 1000000000");
}

double memory_cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double peak_gbytes_per_s(const MemoryDeviceConfig& device) {
    return device.channel_gbytes_per_s() * device.decoder().vaults();
}

ordered_json result_json(const MemoryDeviceConfig& device, const ReplayResult& r, double seconds) {
    const double requests = static_cast<double>(r.reads + r.writes);
    const auto latency = [&](double units) { return units * r.unit_ns; };
    ordered_json out;
    out["device"] = device.name;
    out["reads"] = r.reads;
    out["writes"] = r.writes;
    out["bandwidth_gbytes_per_s"] = r.gbytes_per_s();
    out["peak_gbytes_per_s"] = peak_gbytes_per_s(device);
    out["latency_mean_ns"] = latency(r.read_latency.mean());
    out["latency_p50_ns"] = latency(static_cast<double>(r.read_latency.percentile(50)));
    out["latency_p99_ns"] = latency(static_cast<double>(r.read_latency.percentile(99)));
    out["latency_min_ns"] = latency(static_cast<double>(r.read_latency.min()));
    out["row_hits"] = r.row_hits();
    out["activations"] = r.counts.activates;
    out["precharges"] = r.counts.precharges;
    out["refreshes"] = r.counts.refreshes;
    out["time_ns"] = r.time_ns;
    out["requests_per_s"] = seconds > 0.0 ? requests / seconds : 0.0;
    return out;
}

std::string result_text(const std::string& stream, const ordered_json& r) {
    const auto real = [&](const char* key) { return r.at(key).get<double>(); };
    const auto whole = [&](const char* key) { return r.at(key).get<std::uint64_t>(); };
    std::string text =
        fmt::format("{} on {}: {} reads and {} writes in {:.3f} us\n", stream, r.at("device").get<std::string>(),
                    grouped(whole("reads")), grouped(whole("writes")), real("time_ns") / 1000);
    text += fmt::format("bandwidth  {:.3f} GB/s, {:.2f} % of the peak of {:.1f}\n", real("bandwidth_gbytes_per_s"),
                        100 * real("bandwidth_gbytes_per_s") / real("peak_gbytes_per_s"), real("peak_gbytes_per_s"));
    if (whole("reads") != 0)
        text += fmt::format(
            "latency    mean {:.2f} ns, least {:.2f}, half at most {:.2f}, 99 % at most {:.2f} (reads)\n",
            real("latency_mean_ns"), real("latency_min_ns"), real("latency_p50_ns"), real("latency_p99_ns"));
    text += fmt::format("rows       {:.2f} % hits; {} activates, {} precharges, {} refreshes\n", 100 * real("row_hits"),
                        grouped(whole("activations")), grouped(whole("precharges")), grouped(whole("refreshes")));
    return text + fmt::format("speed      {} requests a second of CPU time\n", rate_text(real("requests_per_s")));
}
} // namespace

void add_memory(CLI::App& app, MemoryWords& words) {
    CLI::App* memory = app.add_subcommand("memory", "Replay a stream of requests on a timed DRAM device");
    memory->add_option("DEVICE", words.device, "Name (numavp list devices) or JSON file")->type_name("")->required();
    memory
        ->add_option("STREAM", words.stream,
                     "File of lines 'R 0x1fc0' or 'W 0x2000', or of Ramulator, DRAMsim3, CasHMC or DRAMSys, or a "
                     "generated stream: seq_r, seq_w, seq_rw21, rand_r, "
                     "rand_rw50, rowstride_r, chase, chase_seq (./seq_r is a file)")
        ->type_name("")
        ->required();
    const auto add = [memory](const char* name, std::string& word, const char* type, const char* doc) {
        memory->add_option(name, word, doc)->type_name(type)->take_last();
    };
    memory->add_option("--set", words.set, "Change a field of the device: timing.faw=16, refresh=all_bank")
        ->type_name("FIELD=VALUE")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
    add("--window-reads", words.window_reads, "N",
        "Reads that are outstanding at most; as the device says unless given");
    add("--window-writes", words.window_writes, "N",
        "Writes that are outstanding at most; as the device says unless given");
    add("--requests", words.requests, "N", "Requests of a generated stream; 500000 unless given");
    add("--write", words.write, "FILE", "Write the stream to a file");
    memory->add_flag("--json", words.json, "Print the result as one line of JSON")->disable_flag_override();
}

std::string memory_command(const MemoryWords& words) {
    const MemoryDeviceConfig device = load_memory_device(words.device, words.set);
    const auto kind = kMemoryStreams.find(words.stream);
    if (!kind && !words.requests.empty())
        throw ConfigError("--requests", "a file has as many as it has; it is allowed with a generated stream");
    const ReplayWindows preset =
        kind ? stream_windows(*kind, device) : ReplayWindows{device.window_reads, device.window_writes};
    const ReplayWindows windows{window_of("--window-reads", words.window_reads, preset.reads),
                                window_of("--window-writes", words.window_writes, preset.writes)};
    const MemoryStreamFile stream =
        kind ? MemoryStreamFile{make_memory_stream(*kind, device, request_count(words.requests)), {}, {}}
             : read_memory_stream(words.stream, device);
    for (const std::string& note : stream.notes) fmt::print(stderr, "numavp: {}: {}\n", escaped(words.stream), note);
    if (!words.write.empty()) {
        write_memory_stream(words.write, stream.requests, stream.arrivals);
        if (windows.reads != device.window_reads || windows.writes != device.window_writes)
            fmt::print(stderr,
                       "numavp: {}: a file has no windows; --window-reads {} --window-writes {} replay it as here\n",
                       escaped(words.write), windows.reads, windows.writes);
    }
    const double before = memory_cpu_seconds();
    const ReplayResult result = replay(device, stream.requests, windows, {}, stream.arrivals);
    const ordered_json line = result_json(device, result, memory_cpu_seconds() - before);
    return words.json ? json_line("memory", line) : result_text(words.stream, line);
}

} // namespace numavp
