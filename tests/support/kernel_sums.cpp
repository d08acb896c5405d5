#include "tests/support/kernel_sums.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace numavp::test {

namespace {
using Json = nlohmann::ordered_json;

Json at_path(const Json& statistics, std::string path) {
    std::replace(path.begin(), path.end(), '.', '/');
    return statistics.at(Json::json_pointer("/" + path));
}

/// All statistics but the cycles, which the rows have by themselves.
std::size_t leaves(const Json& node) {
    if (!node.is_object()) return 1;
    return std::accumulate(node.begin(), node.end(), std::size_t{0},
                           [](std::size_t sum, const Json& member) { return sum + leaves(member); });
}
} // namespace

std::string wrong_sums(const System& system) {
    const Json statistics = system.stats().values(), kernels = system.kernels();
    std::string wrong;
    const auto check = [&](const std::string& path, const Json& column, const Json& total) {
        std::uint64_t sum = 0;
        for (const Json& value : column) sum += value.get<std::uint64_t>();
        if (sum != total.get<std::uint64_t>()) wrong += fmt::format("{}: {}, not {}\n", path, sum, total.dump());
    };
    for (const auto& [path, column] : kernels.at("counters").items()) check(path, column, at_path(statistics, path));
    check("cycles", kernels.at("rows").at("cycles"), system.cycles());
    std::size_t energies = 0;
    for (const auto& [path, column] : kernels.at("values").items()) {
        if (path.find("energy_pj") == std::string::npos && path.rfind("energy.", 0) != 0) continue;
        double sum = 0.0;
        for (const Json& value : column) {
            sum += value.get<double>();
            if (value.get<double>() < 0.0) wrong += fmt::format("{}: {} of a part\n", path, value.dump());
        }
        const auto total = at_path(statistics, path).get<double>();
        if (std::abs(sum - total) > 1e-9 * total) wrong += fmt::format("{}: {}, not {}\n", path, sum, total);
        ++energies;
    }
    const std::size_t columns = kernels.at("counters").size() + kernels.at("values").size();
    if (columns + 1 != leaves(statistics))
        wrong += fmt::format("{} columns for {} statistics\n", columns, leaves(statistics));
    if (system.config().sockets > 1 && energies == 0) wrong += "no column of energies\n";
    return wrong;
}

} // namespace numavp::test
