#include "platform/cli_check_results.h"

#include <filesystem>

#include <fmt/format.h>

#include "platform/cli_text.h"
#include "platform/results.h"
#include "platform/results_folder.h"
#include "platform/results_schema.h"
#include "platform/system_config.h"

namespace numavp {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFiles[] = {"results.json", "timeline.json", "run.json"};

/// The member, which must be there and of that type.
const json& member(const json& value, const Place& place, const char* name, json::value_t type) {
    const auto found = value.find(name);
    if (found == value.end())
        throw ConfigError(place, fmt::format("the key '{}' is missing; a whole file of a run is expected", name));
    const bool whole = found->is_number_unsigned() && type == json::value_t::number_integer;
    if (!whole && found->type() != type)
        throw ConfigError(place.at(name), fmt::format("this is a {}; {} is expected", found->type_name(),
                                                      type == json::value_t::object  ? "an object"
                                                      : type == json::value_t::array ? "a list"
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

std::string check_results(const ConfigDocument& document) {
    const json& value = document.value;
    const Place place = document.place();
    const json& format = member(value, place, "format", json::value_t::number_integer);
    if (format != kResultsFormat)
        throw ConfigError(place.at("format"),
                          fmt::format("is {}; format {} is allowed", format.dump(), kResultsFormat));
    const json& configuration = member(value, place, "configuration", json::value_t::object);
    const auto config = read_config<SystemConfig>(configuration, place.at("configuration"));
    const json& workload = member(value, place, "workload", json::value_t::object);
    const auto cycles = member(value, place, "cycles", json::value_t::number_integer).get<std::uint64_t>();
    const json& units = member(value, place, "units", json::value_t::object);
    check_statistics(member(value, place, "statistics", json::value_t::object), units, "", place.at("statistics"));
    check_series(member(value, place, "series", json::value_t::object), place.at("series"));
    const ordered_json keys = results_schema().at("properties");
    for (const auto& [name, ignored] : value.items())
        if (!keys.contains(name)) throw ConfigError(place.at(name), "is not a key of results");
    return fmt::format("results of a run, format {}: {} on {}, {} cycles", kResultsFormat, workload.value("name", ""),
                       config.name, grouped(cycles));
}

} // namespace

bool is_of_a_run(const json& value) {
    for (const char* key : {"statistics", "series", "units", "format", "traceEvents", "wall_seconds"})
        if (value.contains(key)) return true;
    return false;
}

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
    for (const char* name : kFiles)
        if (fs::exists(fs::path(folder) / name, ignored)) return true;
    return false;
}

std::string check_results_folder(const std::string& folder) {
    finish_replacing(folder);
    std::string said;
    for (const char* const name : kFiles) {
        const std::string path = (fs::path(folder) / name).string();
        std::error_code ignored;
        if (!fs::is_regular_file(path, ignored))
            throw ConfigError(path, "there is no such file; a folder of results holds results.json, timeline.json and "
                                    "run.json");
        const ConfigDocument document = load_document(path);
        const char* key = name == kFiles[0] ? "format" : name == kFiles[1] ? "traceEvents" : "wall_seconds";
        if (!document.value.contains(key))
            throw ConfigError(document.place(), fmt::format("the key '{}' is missing; a whole file of a run is "
                                                            "expected",
                                                            key));
        said += (said.empty() ? "" : "; ") + check_of_a_run(document);
    }
    return said;
}

} // namespace numavp
