#include "platform/cli/cli_list.h"

#include <algorithm>
#include <numeric>
#include <unistd.h>

#include "base/values/error.h"
#include "base/values/name_table.h"
#include "common/files/config_folders.h"
#include "common/system/changeable_setting.h"
#include "common/system/load_system.h"
#include "common/system/memory_device.h"
#include "common/words/fit_width.h"
#include "common/words/text.h"
#include "communication/graph/find_graph.h"
#include "platform/cli/cli_settings.h"
#include "sw/driver/policy.h"
#include "sw/workloads/pattern_table.h"
#include "sw/workloads/workload_file.h"

namespace numavp {
namespace {

/// Rows as JSON objects; all columns but the last are plain text in the table.
struct Listing {
    std::vector<std::string> columns;
    std::vector<ordered_json> rows;
};

Listing systems() {
    Listing out{{"system", "description"}, {}};
    for (const NamedFile& f : list_systems(config_folders("systems")))
        out.rows.push_back({{"system", f.name}, {"description", f.description}});
    return out;
}

Listing networks() {
    Listing out{{"network", "description"}, {}};
    for (const NamedFile& f : list_systems(config_folders("systems")))
        if (f.network) out.rows.push_back({{"network", f.name}, {"description", f.description}});
    return out;
}

Listing workloads() {
    Listing out{{"workload", "description"}, {}};
    for (const WorkloadName& w : list_workloads(config_folders("workloads")))
        out.rows.push_back({{"workload", w.name}, {"description", w.description}});
    return out;
}

Listing pattern_list() {
    Listing out{{"pattern", "description"}, {}};
    for (const PatternEntry& p : patterns())
        out.rows.push_back({{"pattern", std::string(p.name)}, {"description", std::string(p.doc)}});
    return out;
}

constexpr const char* kDriverPolicy = "driver.policy";

Listing policies() {
    Listing out{{"policy", "setting", "description"}, {}};
    for (const Setting& setting : system_settings())
        for (const auto& [name, doc] : setting.choices)
            out.rows.push_back({{"policy", name}, {"setting", setting.path}, {"description", doc}});
    for (std::uint32_t i = 0; i < policy_count(); ++i)
        out.rows.push_back(
            {{"policy", policy_at(i)->name}, {"setting", kDriverPolicy}, {"description", policy_at(i)->doc}});
    return out;
}

Listing settings() {
    Listing out{{"setting", "default", "allowed", "description"}, {}};
    for (const Setting& s : system_settings())
        out.rows.push_back({{"setting", s.path}, {"default", s.value}, {"allowed", s.allowed}, {"description", s.doc}});
    return out;
}

/// Settings that may change during a run.
Listing change_list() {
    Listing out{{"setting", "default", "allowed", "description"}, {}};
    for (const Setting& s : system_settings())
        if (find_changeable(SystemConfig{}, s.path) != nullptr)
            out.rows.push_back(
                {{"setting", s.path}, {"default", s.value}, {"allowed", s.allowed}, {"description", s.doc}});
    return out;
}

Listing devices() {
    Listing out{{"device", "description"}, {}};
    for (const NamedFile& f : list_memory_devices())
        out.rows.push_back({{"device", f.name}, {"description", f.description}});
    return out;
}

Listing graphs() {
    Listing out{{"graph", "description"}, {}};
    for (const NamedFile& f : list_graphs()) out.rows.push_back({{"graph", f.name}, {"description", f.description}});
    return out;
}

std::string allowed_of(const ordered_json& schema) {
    std::string text;
    if (schema.contains("enum")) {
        for (const ordered_json& name : schema["enum"]) text += (text.empty() ? "" : ", ") + name.get<std::string>();
        return text;
    }
    if (schema.value("type", "") == "array") return "a list of " + allowed_of(schema.at("items"));
    if (!schema.contains("minimum")) return schema.value("type", "") == "boolean" ? "true, false" : "text";
    text = schema["minimum"].dump() + " to " + schema["maximum"].dump();
    return schema.contains("x-unit") ? text + " " + schema["x-unit"].get<std::string>() : text;
}

/// Fields of an object of parameters, with those of objects and lists inside.
void add_parameters(const ordered_json& schema, const std::string& prefix, Listing& out) {
    for (const auto& [name, field] : schema.at("properties").items()) {
        const bool list_of_objects = field.contains("items") && field["items"].contains("properties");
        if (field.contains("properties")) {
            add_parameters(field, prefix + name + ".", out);
        } else if (list_of_objects) {
            add_parameters(field["items"], prefix + name + "[].", out);
        } else {
            std::string doc = field.at("description");
            for (std::size_t at = doc.find('\n'); at != std::string::npos; at = doc.find('\n', at))
                doc.replace(at, 1, "; ");
            out.rows.push_back({{"parameter", prefix + name},
                                {"default", field.value("default", ordered_json(""))},
                                {"allowed", allowed_of(field)},
                                {"description", doc}});
        }
    }
}

Listing parameters_of(const std::string& pattern) {
    Listing out{{"parameter", "default", "allowed", "description"}, {}};
    add_parameters(find_pattern(pattern, Place("list patterns")).schema(), "", out);
    return out;
}

/// Values of a setting: its names; of a number the default, with its range.
Listing values_of(const std::string& path) {
    Listing out{{"value", "description"}, {}};
    std::vector<std::string_view> known;
    const std::vector<Setting> all = system_settings();
    for (const Setting& setting : all) {
        known.push_back(setting.path);
        if (setting.path != path) continue;
        for (const auto& [name, doc] : setting.choices) out.rows.push_back({{"value", name}, {"description", doc}});
        if (path == kDriverPolicy)
            for (std::uint32_t i = 0; i < policy_count(); ++i)
                out.rows.push_back({{"value", policy_at(i)->name}, {"description", policy_at(i)->doc}});
        if (!out.rows.empty()) return out;
        if (setting.value.is_boolean())
            for (const bool value : {true, false})
                out.rows.push_back(
                    {{"value", value}, {"description", setting.value == value ? "the default" : setting.doc}});
        else
            out.rows.push_back({{"value", setting.value}, {"description", "the default; allowed: " + setting.allowed}});
        return out;
    }
    throw ConfigError("list values", unknown_name("setting", path, known));
}

struct ListKind {
    std::string_view name;
    Listing (*make)();
};
constexpr ListKind kListKinds[] = {{"systems", systems},       {"networks", networks}, {"workloads", workloads},
                                   {"patterns", pattern_list}, {"policies", policies}, {"settings", settings},
                                   {"changes", change_list},   {"devices", devices},   {"graphs", graphs}};

Listing listing_of(const std::string& what) {
    std::vector<std::string_view> names;
    for (const ListKind& kind : kListKinds) {
        if (kind.name == what) return kind.make();
        names.push_back(kind.name);
    }
    names.emplace_back("values");
    throw ConfigError("list", unknown_name("list", what, names));
}

std::string cell(const ordered_json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

constexpr std::size_t kMostCell = 100, kLeastCell = 20;

/// A long list of names, in a column with others behind it: as many as have room.
std::string shortened(const std::string& text, std::size_t most) {
    if (text.size() <= most) return text;
    const std::size_t comma = text.rfind(", ", most - 5);
    return comma == std::string::npos ? text : text.substr(0, comma) + ", ...";
}

/// A row whose columns do not fit beside each other: "link.cut  default none, allowed none, flits", with the text of
/// the last column on the line below.
std::string entry_of(const std::vector<std::string>& columns, const std::vector<std::string>& cells) {
    std::string head = cells.front();
    for (std::size_t i = 1; i + 1 < cells.size(); ++i)
        if (!cells[i].empty()) head += (i == 1 ? "  " : ", ") + columns[i] + " " + cells[i];
    return head + "\n    " + cells.back() + "\n";
}

} // namespace

std::string list_text(const ListWords& words) {
    if (words.csv && (words.json || words.names))
        throw ConfigError("command line", "--csv does not go with --json or --names; one of them is allowed");
    const bool of_one = words.what == "patterns" || words.what == "values";
    if (!words.name.empty() && !of_one)
        throw ConfigError("command line", "'" + quotable(words.name) +
                                              "' is one word too many; a name is allowed after "
                                              "'list patterns' and 'list values'");
    if (words.name.empty() && words.what == "values")
        throw ConfigError("list values", "there is no setting; the path of one is expected behind it, such as "
                                         "link.balancer");
    const Listing listing = words.what == "values" ? values_of(words.name)
                            : words.name.empty()   ? listing_of(words.what)
                                                   : parameters_of(words.name);
    if (words.json) return ordered_json(listing.rows).dump(1) + "\n";
    const std::size_t width = terminal_width(STDOUT_FILENO);
    const std::size_t most = width == 0 ? kMostCell : std::clamp(width / 4, kLeastCell, kMostCell);
    std::string names;
    std::string csv = csv_line(listing.columns);
    std::string entries;
    std::vector<std::size_t> widths(listing.columns.size(), 0);
    TextTable table(listing.columns, std::vector<bool>(listing.columns.size(), true));
    for (const ordered_json& row : listing.rows) {
        std::vector<std::string> cells;
        for (const std::string& column : listing.columns) cells.push_back(cell(row.at(column)));
        names += cells.front() + "\n";
        csv += csv_line(cells);
        for (std::size_t i = 0; i + 1 < cells.size(); ++i) cells[i] = shortened(cells[i], most);
        for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], cells[i].size() + 2);
        entries += entry_of(listing.columns, cells);
        table.row(std::move(cells));
    }
    if (words.csv || words.names) return words.csv ? csv : names;
    const std::size_t before = std::accumulate(widths.begin(), widths.end() - 1, std::size_t{0});
    const bool narrow = width != 0 && before + kLeastCell > width;
    return fit_width(narrow ? entries : table.text(style_of(STDOUT_FILENO), 0), width);
}

} // namespace numavp
