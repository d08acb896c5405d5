#include "platform/study/study_application.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <sstream>

#include "platform/machine/system.h"
#include "sw/work/workload.h"

namespace numavp {
namespace {

/// A kernel's time on the timeline, and how many times the application's is as long.
struct KernelSpan {
    double begin = 0.0, end = 0.0;
    double times = 1.0;
    double blocks = 0.0;
};

/// Of each launch of a kernel, by its number.
std::map<std::uint64_t, KernelSpan> spans_of(const Workload& workload, const System& system) {
    std::map<std::uint64_t, const KernelShape*> shapes;
    for (const Launch& launch : workload.launches)
        if (launch.kernel) shapes[launch.number != 0 ? launch.number : shapes.size() + 1] = &launch.kernel->shape();
    std::map<std::uint64_t, KernelSpan> spans;
    for (const TimelineEvent& event : system.timeline()) {
        const auto found = event.what == "kernel" ? shapes.find(event.launch) : shapes.end();
        if (found == shapes.end()) continue;
        spans[event.launch] = {static_cast<double>(event.cycle), static_cast<double>(event.end),
                               1.0 / found->second->share, static_cast<double>(found->second->blocks)};
    }
    return spans;
}

/// The mean over the launches "3" or "1+2"; 1 where there are none.
double times_of(const ordered_json& launches, const std::map<std::uint64_t, KernelSpan>& spans) {
    if (!launches.is_string()) return 1.0;
    std::istringstream text(launches.get<std::string>());
    std::string number;
    double sum = 0.0, count = 0.0;
    while (std::getline(text, number, '+')) {
        const auto found = spans.find(std::strtoull(number.c_str(), nullptr, 10));
        sum += found == spans.end() ? 1.0 : found->second.times;
        count += 1.0;
    }
    return count == 0.0 ? 1.0 : sum / count;
}

bool ends_with(const std::string& name, const std::string& tail) {
    return name.size() > tail.size() && name.compare(name.size() - tail.size(), tail.size(), tail) == 0;
}

/// The sum of a column of `kernels`, each row as often as its launches count.
double weighted_sum(const ordered_json& column, const std::vector<double>& times) {
    double sum = 0.0;
    for (std::size_t row = 0; row < column.size(); ++row)
        if (column[row].is_number()) sum += column[row].get<double>() * times.at(row);
    return sum;
}

void add_links(const ordered_json& kernels, const std::map<std::uint64_t, KernelSpan>& spans, DerivedValues& derived) {
    std::vector<double> times;
    for (const ordered_json& launches : kernels.at("rows").at("of")) times.push_back(times_of(launches, spans));
    double bytes = 0.0;
    bool links = false;
    for (const auto& [path, column] : kernels.at("counters").items()) {
        if (!ends_with(path, ".link.out.bytes")) continue;
        bytes += weighted_sum(column, times);
        links = true;
    }
    if (!links) return;
    derived.emplace_back("application_link_bytes", bytes);
    const ordered_json& values = kernels.at("values");
    const auto energy = values.find("system.link_energy_pj");
    if (energy != values.end()) derived.emplace_back("application_link_energy_pj", weighted_sum(*energy, times));
}

/// For each interval that ends at the given cycles: its length in the application's time.
std::vector<double> application_lengths(const ordered_json& ends, const std::map<std::uint64_t, KernelSpan>& spans) {
    std::vector<double> lengths;
    double begin = 0.0;
    for (const ordered_json& cycle : ends) {
        const auto end = cycle.get<double>();
        double length = end - begin;
        for (const auto& [number, span] : spans)
            length += std::max(0.0, std::min(end, span.end) - std::max(begin, span.begin)) * (span.times - 1.0);
        lengths.push_back(length);
        begin = end;
    }
    return lengths;
}

/// Weight of the intervals in which the direction carried 99 % or more of what its lanes could, which the NUMA-aware
/// paper calls saturated, over the weight of all.
double saturated_share(const ordered_json& results, const std::string& direction, const std::vector<double>& weights) {
    constexpr double kSaturated = 0.99;
    const ordered_json& configuration = results.at("configuration");
    const double lane_bytes =
        configuration.at("link").at("lane_gbps").get<double>() * 1e6 / configuration.at("clock_khz").get<double>();
    const ordered_json& columns = results.at("series").at("columns");
    const ordered_json& lane_cycles = columns.at(direction + "_lane_cycles").at("values");
    const ordered_json& bytes = columns.at(direction + "_bytes").at("values");
    double full = 0.0, all = 0.0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const double room = lane_cycles[i].get<double>() * lane_bytes;
        if (room > 0.0 && bytes[i].get<double>() >= kSaturated * room) full += weights.at(i);
        all += weights.at(i);
    }
    return all > 0.0 ? full / all : 0.0;
}

} // namespace

std::vector<std::string> link_directions(const ordered_json& series) {
    const std::string tail = "_lane_cycles";
    std::vector<std::string> directions;
    for (const auto& [name, column] : series.at("columns").items())
        if (ends_with(name, tail)) directions.push_back(name.substr(0, name.size() - tail.size()));
    return directions;
}

DerivedValues saturated_intervals(const ordered_json& results) {
    const ordered_json& series = results.at("series");
    const std::vector<double> equal(series.at("cycles").size(), 1.0);
    DerivedValues derived;
    if (equal.empty()) return derived;
    for (const std::string& direction : link_directions(series))
        derived.emplace_back(direction + "_saturated", saturated_share(results, direction, equal));
    return derived;
}

DerivedValues application_figures(const Workload& workload, const System& system, const ordered_json& results) {
    const std::map<std::uint64_t, KernelSpan> spans = spans_of(workload, system);
    double kernels = 0.0, blocks = 0.0;
    auto cycles = static_cast<double>(system.cycles());
    for (const auto& [number, span] : spans) {
        const double run = span.end - span.begin;
        kernels += run * span.times;
        cycles += run * (span.times - 1.0);
        blocks += run * span.times * span.blocks;
    }
    DerivedValues derived = {
        {"application_ns", cycles * 1e6 / static_cast<double>(system.config().clock_khz)},
        {"time_weighted_blocks", kernels > 0.0 ? blocks / kernels : 0.0},
    };
    add_links(results.at("kernels"), spans, derived);
    const ordered_json& series = results.at("series");
    const std::vector<double> lengths = application_lengths(series.at("cycles"), spans);
    if (lengths.empty()) return derived;
    for (const std::string& direction : link_directions(series))
        derived.emplace_back("application." + direction + "_saturated", saturated_share(results, direction, lengths));
    return derived;
}

} // namespace numavp
