#include "platform/cli/cli_network.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>

#include "common/files/output_paths.h"
#include "common/files/whole_file.h"
#include "common/words/number.h"
#include "common/words/text.h"
#include "platform/cli/json_output.h"
#include "platform/network/load_curve.h"
#include "platform/report/network_report.h"
#include "platform/summary/progress.h"

namespace numavp {

namespace {

std::vector<double> rates_of(const std::string& text) {
    std::vector<double> rates;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t comma = std::min(text.find(',', from), text.size());
        rates.push_back(number_of<double>("--rates", text.substr(from, comma - from), 1e-6, 1000.0,
                                          "a rate from 0.000001 to 1000 flits a cycle"));
        from = comma + 1;
    }
    return rates;
}

std::vector<Flow> flows_of_word(const std::string& word, const NetworkGraph& graph) {
    if (const auto kind = kTraffics.find(word)) return flows_of(*kind, graph, "--traffic");
    std::error_code ignored;
    if (word.find('/') != std::string::npos || std::filesystem::exists(word, ignored)) return read_flows(word, graph);
    throw ConfigError("--traffic", unknown_name("traffic", word, kTraffics.names()) + ", and the path of a file");
}

/// Progress on a terminal, which leaves nothing there, or in a log a line now and then.
class NetworkProgress {
  public:
    explicit NetworkProgress(bool quiet) : line_(ProgressLine::mode_for(stderr, quiet), stderr) {}
    LoadTest::Tell points() {
        return [this](std::size_t done, std::size_t all) {
            line_.update(
                [&](double elapsed, bool bar) { return steps_text(done, all, "rates measured", elapsed, bar); });
        };
    }
    LoadTest::Tell search() {
        return [this](std::size_t done, std::size_t) {
            line_.update([&](double elapsed, bool) {
                return fmt::format("looking for saturation, step {}, {}", done + 1, seconds_text(elapsed));
            });
        };
    }

  private:
    ProgressLine line_;
};

std::string latency_text(double cycles, bool saturated) { return saturated ? "" : fmt::format("{:.6g}", cycles); }

std::string network_csv(const NetworkRun& run) {
    std::vector<std::string> header{"injection_rate", "latency_cycles", "accepted_rate", "hops", "status"};
    if (run.load.requests) header.insert(header.end(), {"request_latency_cycles", "reply_latency_cycles"});
    std::string text = csv_line(header);
    for (const LoadPoint& p : run.points) {
        std::vector<std::string> cells{fmt::format("{:.6g}", p.rate), latency_text(p.latency_cycles, p.saturated),
                                       fmt::format("{:.6g}", p.accepted_rate), fmt::format("{:.6g}", p.routers),
                                       p.saturated ? "saturated" : "ok"};
        if (run.load.requests) {
            cells.push_back(latency_text(p.request_cycles, p.saturated));
            cells.push_back(latency_text(p.reply_cycles, p.saturated));
        }
        text += csv_line(cells);
    }
    return text;
}

ordered_json network_json(const NetworkRun& run, const LoadTest& test) {
    ordered_json value{{"network", run.system.config.name}, {"traffic", run.traffic},
                       {"packet_bytes", run.packet_bytes},  {"packet_flits", run.load.packet_flits},
                       {"requests", run.load.requests},     {"idle_latency_cycles", test.idle_cycles()}};
    if (run.saturation > 0) value["saturation_rate"] = run.saturation;
    value["points"] = ordered_json::array();
    for (const LoadPoint& p : run.points) {
        ordered_json row{{"injection_rate", p.rate}, {"status", p.saturated ? "saturated" : "ok"}};
        if (!p.saturated) row["latency_cycles"] = p.latency_cycles;
        if (!p.saturated && run.load.requests) {
            row["request_latency_cycles"] = p.request_cycles;
            row["reply_latency_cycles"] = p.reply_cycles;
        }
        row["accepted_rate"] = p.accepted_rate;
        row["hops"] = p.routers;
        row["precision"] = p.precision;
        row["packets"] = p.packets;
        value["points"].push_back(row);
    }
    return value;
}

/// "32 terminals send"; where some are silent, a rate is the mean over those too.
std::string senders_text(const NetworkTraffic& traffic) {
    const std::size_t senders = traffic.sources().size();
    if (senders == traffic.requester_terminals()) return fmt::format("{} terminals send", senders);
    return fmt::format("{} of {} terminals send, and a rate is the mean over all {}", senders,
                       traffic.requester_terminals(), traffic.requester_terminals());
}

std::string heading(const NetworkRun& run, const LoadTest& test) {
    const NetworkSystemConfig& settings = run.system.settings();
    const NetworkGraph& graph = run.system.topology.graph;
    std::string text =
        fmt::format("{}: {} traffic, {}packets of {} B in {} flits\n"
                    "  {} routers at {:g} GHz, {} channels of {} GB/s each way, {} virtual channels of {} flits; {}\n"
                    "  met by nobody a packet takes {:.2f} cycles through {:.3f} routers\n",
                    run.system.config.name, run.traffic, run.load.requests ? "requests of 1 flit answered by " : "",
                    run.packet_bytes, run.load.packet_flits, graph.routers.size(), settings.noc_khz / 1e6,
                    graph.channels.size() / 2, run.system.gbps_text(), settings.virtual_channels,
                    settings.buffer_bytes / settings.flit_bytes, senders_text(test.traffic()), test.idle_cycles(),
                    test.idle_routers());
    if (run.saturation > 0)
        text += fmt::format("  saturated (three times that) at {:.4g} {} a cycle and terminal\n", run.saturation,
                            run.load.requests ? "requests" : "flits");
    return text;
}

std::string network_text(const NetworkRun& run, const LoadTest& test, const Style& style) {
    std::vector<std::string> header{"rate", "latency"};
    if (run.load.requests) header.insert(header.end(), {"request", "reply"});
    header.insert(header.end(), {"accepted", "hops", "packets", "status"});
    TextTable table(header);
    std::string vague;
    for (const LoadPoint& p : run.points) {
        std::vector<std::string> cells{fmt::format("{:.6g}", p.rate)};
        const auto latency = [&](double cycles) { return p.saturated ? "-" : fmt::format("{:.2f}", cycles); };
        cells.push_back(latency(p.latency_cycles));
        if (run.load.requests) {
            cells.push_back(latency(p.request_cycles));
            cells.push_back(latency(p.reply_cycles));
        }
        cells.push_back(fmt::format("{:.4f}", p.accepted_rate));
        cells.push_back(fmt::format("{:.3f}", p.routers));
        cells.push_back(grouped(p.packets));
        cells.emplace_back(p.saturated ? "saturated" : "ok");
        table.row(std::move(cells));
        if (!p.precise && !p.saturated)
            vague += fmt::format("  at {:.6g} the latency is known to {} only\n", p.rate,
                                 p.precision < 1 ? fmt::format("{:.1f} %", 100 * p.precision) : "its order");
    }
    return heading(run, test) + "\n" + table.text(style) + vague;
}

} // namespace

std::string network_command(const NetworkWords& words) {
    refuse_outputs({{"--csv", words.csv}, {"--report", words.report}}, {words.system});
    NetworkRun run{load_network(words.system, words.set), {}, 144, words.traffic, 0, {}};
    if (!words.rates.empty() && words.curve)
        throw ConfigError("command line", "--rates and --curve do not go together; one of them is allowed");
    if (!words.packet_bytes.empty())
        run.packet_bytes =
            number_of<unsigned>("--packet-bytes", words.packet_bytes, 1U, 4096U, "a number of bytes from 1 to 4096");
    run.load.packet_flits = run.system.flits(run.packet_bytes);
    run.load.requests = words.requests;
    if (!words.packets.empty())
        run.load.most_packets =
            number_of<std::uint64_t>("--packets", words.packets, std::uint64_t{10000}, std::uint64_t{1} << 40,
                                     "a number of packets of 10,000 or more");
    const auto seed = words.seed.empty() ? std::uint64_t{1}
                                         : number_of<std::uint64_t>("--seed", words.seed, std::uint64_t{0},
                                                                    ~std::uint64_t{0}, "a whole number");
    const auto jobs = words.jobs.empty()
                          ? std::max(1U, std::thread::hardware_concurrency())
                          : number_of<unsigned>("--jobs", words.jobs, 1U, 1024U, "a number from 1 to 1024");
    run.load.channel_use = !words.report.empty();
    const ReportFiles report_files = words.report.empty() ? ReportFiles() : find_report_files(); // before it simulates
    const std::vector<double> asked = words.rates.empty() ? std::vector<double>() : rates_of(words.rates);
    const LoadTest test(run.system, flows_of_word(words.traffic, run.system.topology.graph), run.load, seed, jobs);
    {
        NetworkProgress progress(words.quiet);
        if (asked.empty()) run.saturation = test.saturation_rate(progress.search());
        run.points = test.measure(asked.empty() ? LoadTest::rates_up_to(run.saturation) : asked, progress.points());
    }
    if (!words.csv.empty()) {
        WholeFile file(words.csv, "--csv");
        file.out() << network_csv(run);
        file.keep();
    }
    if (!words.report.empty()) write_report_file(words.report, report_html(network_report(run, test), report_files));
    if (words.json) return json_line("network", network_json(run, test));
    if (words.quiet) return "";
    const std::string written = words.report.empty() ? "" : "\nreport in " + words.report + "\n";
    return network_text(run, test, style_of(STDOUT_FILENO)) + written;
}

} // namespace numavp
