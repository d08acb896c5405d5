#include "platform/cli/cli_latency.h"

#include <algorithm>
#include <sstream>
#include <unistd.h>

#include <fmt/format.h>

#include "base/config/config.h"
#include "common/files/whole_file.h"
#include "common/system/load_system.h"
#include "common/words/number.h"
#include "common/words/text.h"
#include "platform/cli/json_output.h"
#include "platform/latency/bandwidth_curve.h"
#include "platform/latency/latency_curve.h"
#include "platform/latency/measured_latency.h"

namespace numavp {

namespace {
bool has_cpu(const SystemConfig& system) {
    return std::any_of(system.parts.begin(), system.parts.end(),
                       [](const PartSystemConfig& part) { return facts_of(part.kind).cpu; });
}

std::vector<std::uint64_t> footprints_in(const std::string& list) {
    constexpr std::uint64_t kMostKib = std::uint64_t{1} << 24;
    std::vector<std::uint64_t> all;
    std::istringstream words(list);
    for (std::string word; std::getline(words, word, ',');)
        all.push_back(number_of<std::uint64_t>("--footprints", word, 1, kMostKib,
                                               "a number of KiB from 1 to 16777216, or several with commas between")
                      << 10);
    return all;
}

std::string kib_text(std::uint64_t bytes) {
    constexpr std::uint64_t kMib = 1 << 20;
    return bytes < 4 * kMib ? fmt::format("{:g} KiB", static_cast<double>(bytes) / 1024)
                            : fmt::format("{:.4g} MiB", static_cast<double>(bytes) / kMib);
}

std::string error_text(double ours, double measured) { return fmt::format("{:+.1f} %", 100 * (ours / measured - 1)); }

/// Points and, at the same footprints, what was measured; empty if nothing was.
struct Curve {
    std::vector<LatencyPoint> points;
    std::vector<MeasuredLatency> measured;
};

std::string curve_text(const Curve& curve, const Style& style) {
    TextTable table(curve.measured.empty()
                        ? std::vector<std::string>{"footprint", "cycles", "ns"}
                        : std::vector<std::string>{"footprint", "cycles", "ns", "measured", "error"});
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
        const LatencyPoint& p = curve.points[i];
        std::vector<std::string> cells{kib_text(p.bytes), fmt::format("{:.1f}", p.cycles), fmt::format("{:.1f}", p.ns)};
        if (!curve.measured.empty()) {
            cells.push_back(fmt::format("{:.1f}", curve.measured[i].cycles));
            cells.push_back(error_text(p.cycles, curve.measured[i].cycles));
        }
        table.row(std::move(cells));
    }
    return table.text(style);
}

std::string curve_json(const SystemConfig& system, const Curve& curve) {
    ordered_json value{{"system", system.name}, {"latency", ordered_json::array()}};
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
        const LatencyPoint& p = curve.points[i];
        ordered_json row{{"bytes", p.bytes}, {"cycles", p.cycles}, {"ns", p.ns}};
        if (!curve.measured.empty()) row["measured_cycles"] = curve.measured[i].cycles;
        value["latency"].push_back(std::move(row));
    }
    return json_line("characterize-gpu", value);
}

std::string curve_csv(const SystemConfig& system, const Curve& curve) {
    std::string text = "system,kib,cycles\n";
    for (const LatencyPoint& p : curve.points)
        text += fmt::format("{},{},{:.1f}\n", system.name, p.bytes >> 10, p.cycles);
    return text;
}

/// Simulates reads of all SMs and returns the text to print.
std::string bandwidth_text(const CharacterizeWords& words, const SystemConfig& system) {
    for (const auto& [option, given] : {std::pair{"--latency", words.latency}, std::pair{"--csv", !words.csv.empty()},
                                        std::pair{"--against", !words.against.empty()}})
        if (given)
            throw ConfigError(option, "it is about latencies, and bandwidths are asked for; --footprints, --json and "
                                      "--quiet are allowed");
    std::vector<std::uint64_t> footprints = footprints_in(words.footprints);
    if (footprints.empty()) {
        constexpr std::uint64_t kLeastBytes = 1 << 20; // of less the SMs have some lines each
        for (const std::uint64_t bytes : footprints_of(system))
            if (bytes >= kLeastBytes) footprints.push_back(bytes);
    }
    const std::vector<BandwidthPoint> points = bandwidth_curve(system, footprints);
    if (words.json) {
        ordered_json value{{"system", system.name}, {"bandwidth", ordered_json::array()}};
        for (const BandwidthPoint& p : points)
            value["bandwidth"].push_back({{"bytes", p.bytes}, {"gbytes_per_s", p.gbytes_per_s}});
        return json_line("characterize-gpu", value);
    }
    if (words.quiet) return "";
    TextTable table({"footprint", "GB/s"});
    for (const BandwidthPoint& p : points) table.row({kib_text(p.bytes), fmt::format("{:.0f}", p.gbytes_per_s)});
    return fmt::format("{}: bandwidth of reads past the L1s by footprint, of all SMs together\n\n",
                       escaped(system.name)) +
           table.text(style_of(STDOUT_FILENO));
}
} // namespace

bool asks_for_latency(const CharacterizeWords& words) {
    if (words.latency || words.bandwidth || !words.footprints.empty()) return true;
    if (!words.benchmark.empty() || !words.largest.empty() || !words.calibration.empty() || !words.beyond.empty() ||
        !words.report.empty() || !words.stride.empty() || !words.threads.empty() || !words.counters.empty())
        return false;
    return !has_cpu(load_system(words.machine, words.set));
}

std::string latency_command(const CharacterizeWords& words) {
    for (const auto& [option, word] :
         {std::pair{"--benchmark", &words.benchmark}, std::pair{"--largest", &words.largest},
          std::pair{"--calibration", &words.calibration}, std::pair{"--beyond", &words.beyond},
          std::pair{"--report", &words.report}, std::pair{"--stride", &words.stride},
          std::pair{"--threads", &words.threads}, std::pair{"--counters", &words.counters}})
        if (!word->empty())
            throw ConfigError(option,
                              "it is about copies, and latencies are asked for; --footprints, --csv, --against, "
                              "--json and --quiet are allowed");
    const SystemConfig system = load_system(words.machine, words.set);
    if (words.bandwidth) return bandwidth_text(words, system);
    Curve curve;
    std::vector<std::uint64_t> footprints = footprints_in(words.footprints);
    if (!words.against.empty()) {
        if (!footprints.empty())
            throw ConfigError("--footprints", "those of --against are taken; one of the two options is allowed");
        curve.measured = read_measured_latency(words.against, system.name);
        for (const MeasuredLatency& m : curve.measured) footprints.push_back(m.bytes);
    }
    if (footprints.empty()) footprints = footprints_of(system);
    curve.points = latency_curve(system, footprints);
    if (!words.csv.empty()) {
        WholeFile file(words.csv, "--csv");
        file.out() << curve_csv(system, curve);
        file.keep();
    }
    if (words.json) return curve_json(system, curve);
    if (words.quiet) return "";
    return fmt::format("{}: latency of a load by footprint: a chain through all lines in random order, one warp on one "
                       "SM\n\n",
                       escaped(system.name)) +
           curve_text(curve, style_of(STDOUT_FILENO));
}

} // namespace numavp
