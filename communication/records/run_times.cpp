#include "communication/records/run_times.h"

#include <filesystem>

#include <fmt/format.h>

#include "base/config/large_config.h"
#include "base/values/error.h"
#include "common/files/results_format.h"

namespace numavp {

RunTimes::RunTimes(const std::string& path) {
    if (path.empty()) return;
    path_ = std::filesystem::is_directory(path) ? (std::filesystem::path(path) / "results.json").string() : path;
    try {
        read(load_large_document(path_, kMostResultsBytes).value);
    } catch (const json::exception&) {
        throw ConfigError(path_, "it is no results.json with rows of kernels");
    }
}

double RunTimes::of(std::uint64_t launch, const std::string& name) const {
    const auto own = by_launch_.find({launch, name});
    return own != by_launch_.end() ? own->second : of(name);
}

double RunTimes::of(const std::string& name) const {
    const auto all = by_name_.find(name);
    return all == by_name_.end() || all->second.second <= 0 ? -1 : all->second.first / all->second.second;
}

std::vector<std::string> RunTimes::names() const {
    std::vector<std::string> all;
    for (const auto& [name, sum] : by_name_) all.push_back(name);
    return all;
}

void RunTimes::read(const json& results) {
    constexpr double kNsPerUs = 1000;
    const auto cycles = results.at("cycles").get<double>();
    if (!(cycles > 0)) throw ConfigError(path_, "it has no cycles");
    const double us_a_cycle = results.at("time_ns").get<double>() / cycles / kNsPerUs;
    const json& rows = results.at("kernels").at("rows");
    for (std::size_t r = 0; r < rows.at("kind").size(); ++r) {
        if (rows.at("kind").at(r) != "kernel") continue;
        const double us = rows.at("cycles").at(r).get<double>() * us_a_cycle;
        if (!(us >= 0)) throw ConfigError(path_, fmt::format("row {} of its kernels has no time", r));
        const json& launch = rows.at("launch").at(r);
        const auto launches = rows.at("launches").at(r).get<double>();
        const auto name = rows.at("name").at(r).get<std::string>();
        if (launch.is_number_unsigned() && launches == 1) by_launch_[{launch.get<std::uint64_t>(), name}] = us;
        auto& sum = by_name_[name];
        sum.first += us;
        sum.second += launches;
    }
    if (!results.contains("configuration")) return;
    const json& configuration = results.at("configuration");
    system_ = configuration.value("name", "");
    const json statistics = results.value("statistics", json::object());
    for (const auto& [part, values] : statistics.items())
        if (part.compare(0, 6, "socket") == 0 && values.contains("sm")) ++gpus_;
    const json::json_pointer memory("/socket/memory/bandwidth_gbps");
    if (gpus_ == 1 && configuration.contains(memory)) memory_gbytes_per_s_ = configuration.at(memory).get<double>();
}

} // namespace numavp
