#include "platform/results/results_check.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/config/large_config.h"
#include "base/stats/ratio.h"
#include "common/files/output_paths.h"
#include "common/files/results_format.h"
#include "common/system/recorded_system.h"
#include "common/system/system_config.h"
#include "common/words/text.h"
#include "models/sm/slot_account.h"
#include "platform/accesses/access_output.h"
#include "platform/results/results_folder.h"
#include "platform/results/results_schema.h"

namespace numavp {
namespace {

namespace fs = std::filesystem;

/// The member, which must be there and of that type.
const json& member(const json& value, const Place& place, const char* name, json::value_t type) {
    const auto found = value.find(name);
    if (found == value.end())
        throw ConfigError(place, fmt::format("the key '{}' is missing; a whole file of a run is expected", name));
    const bool number = (found->is_number_unsigned() && type == json::value_t::number_integer) ||
                        (found->is_number() && type == json::value_t::number_float);
    if (!number && found->type() != type)
        throw ConfigError(place.at(name), fmt::format("this is a {}; {} is expected", found->type_name(),
                                                      type == json::value_t::object         ? "an object"
                                                      : type == json::value_t::array        ? "a list"
                                                      : type == json::value_t::string       ? "a text"
                                                      : type == json::value_t::number_float ? "a number"
                                                                                            : "a whole number"));
    return *found;
}

void check_series(const json& series, const Place& place) {
    const std::size_t samples = member(series, place, "cycles", json::value_t::array).size();
    const json& columns = member(series, place, "columns", json::value_t::object);
    for (const auto& [name, column] : columns.items()) {
        const Place here = place.at("columns").at(name);
        if (!column.is_object()) throw ConfigError(here, "this is not an object; a column is expected");
        const std::size_t values = member(column, here, "values", json::value_t::array).size();
        if (values != samples)
            throw ConfigError(here.at("values"), fmt::format("there are {} values; one for each of the {} cycles is "
                                                             "expected",
                                                             values, samples));
    }
}

/// Columns are as long as the rows, and counters sum to the statistics.
void check_kernels(const json& kernels, const json& statistics, const Place& place) {
    const json& rows = member(kernels, place, "rows", json::value_t::object);
    const std::size_t size = member(rows, place.at("rows"), "name", json::value_t::array).size();
    for (const char* const part : {"rows", "counters", "values"})
        for (const auto& [name, column] : member(kernels, place, part, json::value_t::object).items())
            if (!column.is_array() || column.size() != size)
                throw ConfigError(place.at(part).at(name),
                                  fmt::format("a list of {} values is expected, one for each row", size));
    for (const auto& [path, column] : kernels.at("counters").items()) {
        if (!statistics.contains(path.substr(0, path.find('.')))) continue; // who needs the whole group says so
        const Place here = place.at("counters").at(path);
        std::string pointer = "/" + path;
        std::replace(pointer.begin(), pointer.end(), '.', '/');
        const bool plain = path.find_first_of("~/") == std::string::npos; // they mean more in a pointer
        const json::json_pointer of(plain ? pointer : "");
        if (!plain || !statistics.contains(of)) throw ConfigError(here, "'statistics' does not have it");
        std::uint64_t sum = 0;
        for (const json& value : column) {
            if (!value.is_number_unsigned()) throw ConfigError(here, "whole numbers are expected");
            sum += value.get<std::uint64_t>();
        }
        if (statistics.at(of) != sum)
            throw ConfigError(here, fmt::format("its rows sum to {}; {} is expected, as in 'statistics'", sum,
                                                statistics.at(of).dump()));
    }
}

/// The rows' times are the run's.
void check_row_cycles(const json& rows, std::uint64_t cycles, const Place& place) {
    std::uint64_t sum = 0;
    for (const json& value : member(rows, place, "cycles", json::value_t::array)) {
        if (!value.is_number_unsigned()) throw ConfigError(place.at("cycles"), "whole numbers are expected");
        sum += value.get<std::uint64_t>();
    }
    if (sum != cycles)
        throw ConfigError(place.at("cycles"),
                          fmt::format("its rows sum to {}; {} is expected, as in 'cycles'", sum, cycles));
}

/// A socket's slots must sum up to those that it had until the last sample.
void check_slots(const json& slots, const Place& place) {
    const json& series = member(slots, place, "series", json::value_t::object);
    check_series(series, place.at("series"));
    const std::uint64_t cycles = series.at("cycles").empty() ? 0 : series.at("cycles").back().get<std::uint64_t>();
    const Place list = place.at("sockets");
    const json& sockets = member(slots, place, "sockets", json::value_t::array);
    for (std::size_t i = 0; i < sockets.size(); ++i) {
        const Place here = list.at(i);
        const auto schedulers = member(sockets[i], here, "schedulers", json::value_t::number_integer);
        std::uint64_t sum = 0;
        for (const auto& cause : kSlotCauses)
            sum += member(sockets[i], here, cause.name.data(), json::value_t::number_integer).get<std::uint64_t>();
        // Of the SMs' clock; results of earlier versions have no other than the core's.
        const std::uint64_t own =
            sockets[i].contains("cycles")
                ? member(sockets[i], here, "cycles", json::value_t::number_integer).get<std::uint64_t>()
                : cycles;
        if (sum != schedulers.get<std::uint64_t>() * own)
            throw ConfigError(here, fmt::format("its causes sum to {} slots; {} schedulers in {} cycles have {}", sum,
                                                schedulers.dump(), own, schedulers.get<std::uint64_t>() * own));
    }
}

/// The path below which the units of a group are: with * for an index at the end of its name.
std::string path_of_group(const std::string& path, const std::string& name, const json& units) {
    const std::string star = path + name.substr(0, name.find_last_not_of("0123456789") + 1) + "*.";
    const auto& keys = units.get_ref<const json::object_t&>();
    const auto found = keys.lower_bound(star);
    const bool indexed = found != keys.end() && found->first.compare(0, star.size(), star) == 0;
    return indexed ? star : path + name + ".";
}

/// A group whose numbers sum up one statistic: it has one unit for all of them.
bool is_histogram(const json& units, const std::string& path) {
    const auto unit = units.find(path);
    return unit != units.end() && unit->is_object() && unit->value("kind", json()) == "histogram";
}

void check_histogram(const json& histogram, const Place& place) {
    member(histogram, place, "count", json::value_t::number_integer);
    member(histogram, place, "sum", json::value_t::number_integer);
    for (const auto& [name, value] : histogram.items())
        if (!value.is_number() && !value.is_null())
            throw ConfigError(place.at(name), "this is not a number; a part of a histogram is expected");
}

/// Each number of the tree must have a unit: one that was renamed shows.
void check_statistics(const json& group, const json& units, const std::string& path, const Place& place) {
    for (const auto& [name, value] : group.items()) {
        if (value.is_object() && is_histogram(units, path + name)) {
            check_histogram(value, place.at(name));
        } else if (value.is_object()) {
            check_statistics(value, units, path_of_group(path, name, units), place.at(name));
        } else if (!value.is_number() && !value.is_null()) {
            throw ConfigError(place.at(name), "this is not a number; a statistic is expected");
        } else if (!units.contains(path + name)) {
            throw ConfigError(place.at(name), "'units' does not have it; each statistic has a unit there");
        }
    }
}

std::string below_owner(const std::string& owner, const std::string& path) {
    return owner.empty() ? path : owner + "." + path;
}

bool has_number(const json& tree, std::string path) {
    const json* at = &tree;
    while (!path.empty()) {
        const std::size_t dot = std::min(path.find('.'), path.size());
        const auto member = at->find(path.substr(0, dot));
        if (!at->is_object() || member == at->end()) return false;
        at = &*member;
        path.erase(0, dot + 1);
    }
    return at->is_number();
}

/// A ratio must be whole, and of statistics that are there.
void check_ratios(const json& ratios, const json& statistics, const Place& place) {
    for (const auto& [name, ratio] : ratios.items()) {
        const Place here = place.at(name);
        for (const char* const text : {"name", "unit", "doc"}) member(ratio, here, text, json::value_t::string);
        member(ratio, here, "factor", json::value_t::number_float);
        const json& per = member(ratio, here, "per", json::value_t::string);
        if (!is_ratio_per(per.get<std::string>()))
            throw ConfigError(here.at("per"), fmt::format("'{}' divides nothing; whole, ns or cycle is expected",
                                                          per.get<std::string>()));
        for (const json& owner : member(ratio, here, "owners", json::value_t::array))
            for (const char* const list : {"part", "whole"})
                for (const json& path : member(ratio, here, list, json::value_t::array)) {
                    if (!owner.is_string() || !path.is_string())
                        throw ConfigError(here.at(list), "paths and owners that are no texts; texts are expected");
                    const auto text = path.get<std::string>();
                    if (!has_number(statistics, below_owner(owner, text[0] == '-' ? text.substr(1) : text)))
                        throw ConfigError(here.at(list), fmt::format("'statistics' does not have '{}' of '{}'", text,
                                                                     owner.get<std::string>()));
                }
    }
}

std::string check_results(const ConfigDocument& document) {
    const json& value = document.value;
    const Place place = document.place();
    const json& format = member(value, place, "format", json::value_t::number_integer);
    if (format != kResultsFormat)
        throw ConfigError(place.at("format"),
                          fmt::format("is {}; format {} is allowed", format.dump(), kResultsFormat));
    const json& configuration = member(value, place, "configuration", json::value_t::object);
    const auto config = recorded_config(configuration, place.at("configuration"));
    const json& workload = member(value, place, "workload", json::value_t::object);
    const auto cycles = member(value, place, "cycles", json::value_t::number_integer).get<std::uint64_t>();
    const json& units = member(value, place, "units", json::value_t::object);
    check_statistics(member(value, place, "statistics", json::value_t::object), units, "", place.at("statistics"));
    check_series(member(value, place, "series", json::value_t::object), place.at("series"));
    if (value.contains("ratios"))
        check_ratios(member(value, place, "ratios", json::value_t::object), value.at("statistics"), place.at("ratios"));
    if (value.contains("kernels")) {
        const json& kernels = member(value, place, "kernels", json::value_t::object);
        check_kernels(kernels, value.at("statistics"), place.at("kernels"));
        check_row_cycles(kernels.at("rows"), cycles, place.at("kernels").at("rows"));
    }
    if (value.contains("slots")) check_slots(member(value, place, "slots", json::value_t::object), place.at("slots"));
    const ordered_json keys = results_schema().at("properties");
    for (const auto& [name, ignored] : value.items())
        if (!keys.contains(name)) throw ConfigError(place.at(name), "is not a key of results");
    return fmt::format("results of a run, format {}: {} on {}, {} cycles", kResultsFormat, workload.value("name", ""),
                       config.name, grouped(cycles));
}

} // namespace

namespace {
/// Files of the run that may be logs of accesses, as far as they lie in its folder and are there.
std::vector<std::string> listed_logs(const json& run, const std::string& folder) {
    std::vector<std::string> logs;
    if (!run.contains("files") || !run["files"].is_array()) return logs;
    for (const json& name : run["files"]) {
        if (!name.is_string()) continue;
        const fs::path path = fs::path(folder) / name.get<std::string>();
        std::error_code ignored;
        if (fs::is_regular_file(path, ignored)) logs.push_back(path.string());
    }
    return logs;
}
} // namespace

std::string check_of_a_run(const ConfigDocument& document) {
    const json& value = document.value;
    if (value.contains("traceEvents"))
        return fmt::format("timeline of a run, {} events of the Chrome trace format",
                           grouped(member(value, document.place(), "traceEvents", json::value_t::array).size()));
    if (value.contains("wall_seconds")) return "what a run cost, where and when";
    return check_results(document);
}

bool holds_results(const std::string& folder) {
    std::error_code ignored;
    for (const char* name : kFilesOfARun)
        if (fs::exists(fs::path(folder) / name, ignored)) return true;
    return false;
}

std::string check_results_folder(const std::string& folder) {
    finish_replacing(folder);
    std::string said;
    for (const char* const name : kFilesOfARun) {
        const std::string path = (fs::path(folder) / name).string();
        std::error_code ignored;
        if (!fs::is_regular_file(path, ignored))
            throw ConfigError(path, "there is no such file; a folder of results holds results.json, timeline.json and "
                                    "run.json");
        const ConfigDocument document = load_large_document(path, kMostResultsBytes);
        const char* key = name == kFilesOfARun[0] ? "format" : name == kFilesOfARun[1] ? "traceEvents" : "wall_seconds";
        if (!document.value.contains(key))
            throw ConfigError(document.place(), fmt::format("the key '{}' is missing; a whole file of a run is "
                                                            "expected",
                                                            key));
        said += (said.empty() ? "" : "; ") + check_of_a_run(document);
        if (name != std::string("run.json")) continue;
        for (const std::string& log : listed_logs(document.value, folder))
            if (const std::string what = check_access_log(log); !what.empty()) said += "; " + what;
    }
    return said;
}

} // namespace numavp
