#include "platform/correlate/correlation.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/config/config.h"
#include "base/values/name_table.h"
#include "common/files/json_file.h"
#include "common/words/text.h"

namespace numavp {
namespace {

constexpr double kSectorRead = 32.0; ///< bytes

std::optional<double> measured_number(const ordered_json& kernel, const char* member) {
    const auto found = kernel.find(member);
    if (found == kernel.end() || !found->is_number()) return std::nullopt;
    return found->get<double>();
}

MeasuredKernel measured_kernel(const Measurements& all, const std::string& name, const ordered_json& said) {
    const Place place = Place(all.path).at("kernels").at(name);
    MeasuredKernel kernel;
    kernel.name = name;
    const auto time = measured_number(said, all.in_us ? "us" : "cycles");
    if (!time || !(*time > 0.0))
        throw ConfigError(place, fmt::format("'{}' is missing, or no number above 0; each kernel has one, in the unit "
                                             "of the first",
                                             all.in_us ? "us" : "cycles"));
    kernel.time = *time;
    if (const auto workload = said.find("workload"); workload != said.end()) {
        if (!workload->is_string()) throw ConfigError(place.at("workload"), "is no text; a file or a name is expected");
        kernel.workload = workload->get<std::string>();
    }
    kernel.instructions = measured_number(said, "instructions");
    if (const auto sectors = measured_number(said, "memory_sectors_read")) kernel.bytes = *sectors * kSectorRead;
    return kernel;
}

/// What a run took, in the unit of the measurements.
double simulated_time(const ordered_json& results, bool in_us) {
    return in_us ? results.at("time_ns").get<double>() / 1e3 : results.at("cycles").get<double>();
}

double bytes_read(const ordered_json& results) {
    double bytes = 0.0;
    for (const auto& [name, part] : results.at("statistics").items())
        if (name.rfind("socket", 0) == 0 && part.contains("memory"))
            bytes += part.at("memory").at("read_bytes").get<double>();
    return bytes;
}

std::string optional_text(const std::optional<double>& number) {
    return number ? grouped(static_cast<std::uint64_t>(std::llround(*number))) : "-";
}

ordered_json optional_json(const std::optional<double>& number) { return number ? ordered_json(*number) : nullptr; }

} // namespace

const MeasuredKernel* Measurements::find(const std::string& name) const {
    const auto found = std::find_if(kernels.begin(), kernels.end(), [&](const auto& k) { return k.name == name; });
    return found == kernels.end() ? nullptr : &*found;
}

Measurements read_measurements(const std::string& path) {
    const ordered_json file = read_ordered_json(path);
    Measurements all;
    all.path = path;
    const auto kernels = file.find("kernels");
    if (!file.is_object() || kernels == file.end() || !kernels->is_object() || kernels->empty())
        throw ConfigError(path + ": $.kernels", "there are no kernels; measured ones by name are expected");
    all.in_us = kernels->begin()->contains("us");
    for (const auto& [name, said] : kernels->items()) {
        if (!said.is_object())
            throw ConfigError(Place(path).at("kernels").at(name), "is no object; its numbers are expected");
        all.kernels.push_back(measured_kernel(all, name, said));
    }
    return all;
}

std::size_t Correlation::within(double share) const {
    return static_cast<std::size_t>(std::count_if(
        kernels.begin(), kernels.end(), [&](const CorrelatedKernel& k) { return std::abs(k.ratio() - 1.0) <= share; }));
}

double Correlation::mean_error() const {
    double sum = 0.0;
    for (const CorrelatedKernel& kernel : kernels) sum += std::abs(kernel.ratio() - 1.0);
    return kernels.empty() ? 0.0 : sum / static_cast<double>(kernels.size());
}

double Correlation::geometric_mean() const {
    double sum = 0.0;
    for (const CorrelatedKernel& kernel : kernels) sum += std::log(kernel.ratio());
    return kernels.empty() ? 0.0 : std::exp(sum / static_cast<double>(kernels.size()));
}

std::optional<double> Correlation::correlation() const {
    if (kernels.size() < 3) return std::nullopt;
    const auto count = static_cast<double>(kernels.size());
    double x = 0.0, y = 0.0;
    for (const CorrelatedKernel& kernel : kernels) {
        x += std::log(kernel.measured) / count;
        y += std::log(kernel.simulated) / count;
    }
    double xx = 0.0, yy = 0.0, xy = 0.0;
    for (const CorrelatedKernel& kernel : kernels) {
        const double dx = std::log(kernel.measured) - x, dy = std::log(kernel.simulated) - y;
        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    if (xx <= 0.0 || yy <= 0.0) return std::nullopt;
    return xy / std::sqrt(xx * yy);
}

Correlation correlate(const Measurements& measurements, const std::vector<std::string>& chosen,
                      const std::string& launch, const std::function<ordered_json(const MeasuredKernel&)>& results) {
    std::vector<std::string_view> known;
    for (const MeasuredKernel& kernel : measurements.kernels) known.emplace_back(kernel.name);
    const auto find = [&](const char* place, const std::string& name) {
        const MeasuredKernel* kernel = measurements.find(name);
        if (kernel == nullptr) throw ConfigError(place, unknown_name("measured kernel", name, known));
        return kernel;
    };
    std::vector<const MeasuredKernel*> rows;
    for (const std::string& name : chosen) rows.push_back(find("KERNEL", name));
    if (chosen.empty())
        for (const MeasuredKernel& kernel : measurements.kernels)
            if (kernel.name != launch) rows.push_back(&kernel);

    Correlation out;
    out.measurements = measurements.path;
    out.launch = launch;
    out.in_us = measurements.in_us;
    double measured_launch = 0.0, simulated_launch = 0.0;
    if (!launch.empty()) {
        const MeasuredKernel* kernel = find("--launch", launch);
        measured_launch = kernel->time;
        simulated_launch = simulated_time(results(*kernel), out.in_us);
    }
    for (const MeasuredKernel* kernel : rows) {
        const ordered_json run = results(*kernel);
        CorrelatedKernel& row = out.kernels.emplace_back();
        row.name = kernel->name;
        row.measured = kernel->time - measured_launch;
        row.simulated = simulated_time(run, out.in_us) - simulated_launch;
        if (row.measured <= 0.0 || row.simulated <= 0.0)
            throw ConfigError("--launch",
                              fmt::format("'{}' takes no longer than '{}', {}; another kernel is expected", row.name,
                                          launch, row.measured <= 0.0 ? "as measured" : "as simulated"));
        row.measured_instructions = kernel->instructions;
        row.measured_bytes = kernel->bytes;
        row.simulated_instructions = run.at("statistics").at("system").at("warp_instructions").get<double>();
        row.simulated_bytes = bytes_read(run);
    }
    return out;
}

std::string correlation_text(const Correlation& correlation) {
    const char* unit = correlation.in_us ? "us" : "cycles";
    TextTable table({"kernel", std::string("measured ") + unit, std::string("simulated ") + unit, "ratio",
                     "instructions", "simulated", "bytes read", "simulated"});
    const auto time = [&](double value) {
        return correlation.in_us ? fmt::format("{:.2f}", value) : optional_text(value);
    };
    for (const CorrelatedKernel& k : correlation.kernels)
        table.row({escaped(k.name), time(k.measured), time(k.simulated), fmt::format("{:.2f}", k.ratio()),
                   optional_text(k.measured_instructions), optional_text(k.simulated_instructions),
                   optional_text(k.measured_bytes), optional_text(k.simulated_bytes)});
    std::string text = table.text(Style{});
    text +=
        fmt::format("\n{} kernel{}: {} within 10 %, {} within 20 %; mean error {:.1f} %, geometric mean of the ratios "
                    "{:.2f}",
                    correlation.kernels.size(), correlation.kernels.size() == 1 ? "" : "s", correlation.within(0.1),
                    correlation.within(0.2), 100.0 * correlation.mean_error(), correlation.geometric_mean());
    if (const auto r = correlation.correlation()) text += fmt::format(", correlation of the logarithms {:.3f}", *r);
    text += "\n";
    if (!correlation.launch.empty())
        text += fmt::format("Times are without that of {}.\n", escaped(correlation.launch));
    return text;
}

ordered_json correlation_json(const Correlation& correlation) {
    ordered_json out = {{"format", 1},
                        {"measurements", correlation.measurements},
                        {"system", correlation.system},
                        {"launch", correlation.launch.empty() ? ordered_json() : ordered_json(correlation.launch)},
                        {"unit", correlation.in_us ? "us" : "cycles"},
                        {"within_10_percent", correlation.within(0.1)},
                        {"within_20_percent", correlation.within(0.2)},
                        {"mean_error", correlation.mean_error()},
                        {"geometric_mean", correlation.geometric_mean()},
                        {"correlation", optional_json(correlation.correlation())},
                        {"kernels", ordered_json::array()}};
    for (const CorrelatedKernel& k : correlation.kernels)
        out["kernels"].push_back({{"name", k.name},
                                  {"measured", k.measured},
                                  {"simulated", k.simulated},
                                  {"ratio", k.ratio()},
                                  {"measured_instructions", optional_json(k.measured_instructions)},
                                  {"simulated_instructions", optional_json(k.simulated_instructions)},
                                  {"measured_bytes", optional_json(k.measured_bytes)},
                                  {"simulated_bytes", optional_json(k.simulated_bytes)}});
    return out;
}

std::string correlation_csv(const Correlation& correlation) {
    std::string out = csv_line({"kernel", correlation.in_us ? "measured_us" : "measured_cycles",
                                correlation.in_us ? "simulated_us" : "simulated_cycles", "ratio"});
    for (const CorrelatedKernel& k : correlation.kernels)
        out += csv_line(
            {k.name, fmt::format("{}", k.measured), fmt::format("{}", k.simulated), fmt::format("{}", k.ratio())});
    return out;
}

} // namespace numavp
