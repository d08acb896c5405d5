#include "communication/import/hwloc_distances.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "base/values/error.h"
#include "base/values/name_table.h"

namespace numavp {

namespace {

constexpr unsigned kLatencyKind = 4; // bit of a matrix' kind
constexpr std::size_t kMostObjects = 4096;

double number_at(const std::string& text, const XmlElement& element, const HwlocObjects& objects) {
    double value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault != std::errc() || end != text.data() + text.size() || !(value >= 0 && value < 1e15))
        throw ConfigError(objects.place(element),
                          fmt::format("'{}' is no value of a matrix; a number is expected", quotable(text)));
    return value;
}

/// Words of all children of that name: a matrix may be split over several.
std::vector<std::string> words_of(const XmlElement& element, const char* name) {
    std::vector<std::string> words;
    for (const XmlElement& child : element.children) {
        if (child.name != name) continue;
        std::istringstream text(child.text);
        for (std::string word; text >> word;) words.push_back(word);
    }
    return words;
}

/// A matrix of version 2 or 3: its kind, and its values.
struct Matrix {
    std::vector<std::string> indexes;
    std::vector<double> values;
};

Matrix matrix_of(const XmlElement& element, const HwlocObjects& objects) {
    const std::string what = fmt::format("the matrix {}", quotable(element.value("name")));
    const auto count = small_number(element.value("nbobjs"), kMostObjects);
    if (!count)
        throw ConfigError(objects.place(element), fmt::format("{} is of nbobjs '{}'; a number up to {} is expected",
                                                              what, quotable(element.value("nbobjs")), kMostObjects));
    Matrix matrix;
    matrix.indexes = words_of(element, "indexes");
    for (const std::string& word : words_of(element, "u64values"))
        matrix.values.push_back(number_at(word, element, objects));
    if (matrix.indexes.size() != *count || matrix.values.size() != std::size_t{*count} * *count)
        throw ConfigError(objects.place(element),
                          fmt::format("{} of {} objects has {} indexes and {} values; {} and {} are expected", what,
                                      *count, matrix.indexes.size(), matrix.values.size(), *count,
                                      std::size_t{*count} * *count));
    return matrix;
}

/// The object of a word of a matrix' indexes: "OSDev:332" in one of mixed types, else a number of the matrix' type.
std::size_t object_of(const std::string& word, const XmlElement& element, const HwlocObjects& objects) {
    const std::size_t colon = word.find(':');
    std::optional<std::size_t> found;
    if (colon != std::string::npos) {
        std::string type = word.substr(0, colon);
        found = objects.by_gp_index(word.substr(colon + 1), type);
    } else if (element.value("indexing") == "os") {
        if (const auto number = small_number(word, ~0U)) found = objects.by_os_index(*number, element.value("type"));
    } else {
        found = objects.by_gp_index(word, element.value("type"));
    }
    if (!found)
        throw ConfigError(objects.place(element),
                          fmt::format("the matrix {} names the object '{}', which is not there; "
                                      "an object of the file is expected",
                                      quotable(element.value("name")), quotable(word)));
    return *found;
}

NumaDistances numa_matrix(const XmlElement& element, const HwlocObjects& objects) {
    NumaDistances table;
    const Matrix matrix = matrix_of(element, objects);
    for (const std::string& word : matrix.indexes) {
        const HwlocObject& node = objects.all[object_of(word, element, objects)];
        table.ids.push_back(node.os_index.value_or(0));
    }
    for (const double value : matrix.values) table.values.push_back(static_cast<unsigned>(std::min(value, 1e9)));
    return table;
}

/// Version 1: latencies as multiples of a base, of the NUMA nodes in the order of the file.
void add_old(const XmlElement& element, const HwlocObjects& objects, const std::vector<unsigned>& ids,
             std::vector<NumaDistances>& tables) {
    for (const XmlElement& child : element.children) {
        if (child.name == "object") add_old(child, objects, ids, tables);
        if (child.name != "distances") continue;
        const auto count = small_number(child.value("nbobjs"), kMostObjects);
        if (!count || *count != ids.size()) continue; // of other objects
        const double base = number_at(child.value("latency_base"), child, objects);
        NumaDistances table{ids, {}};
        for (const XmlElement& cell : child.children)
            if (cell.name == "latency") {
                const double value = number_at(cell.value("value"), cell, objects);
                table.values.push_back(static_cast<unsigned>(std::min(std::round(value * base), 1e9)));
            }
        if (table.values.size() != ids.size() * ids.size())
            throw ConfigError(objects.place(child),
                              fmt::format("the distances of {} NUMA nodes have {} values; {} are "
                                          "expected",
                                          ids.size(), table.values.size(), ids.size() * ids.size()));
        tables.push_back(std::move(table));
    }
}

/// A matrix of distances of NUMA nodes.
bool is_of_nodes(const XmlElement& element) {
    if (element.name != "distances2" || element.value("type") != "NUMANode") return false;
    const std::string name = element.value("name");
    const auto kind = small_number(element.value("kind"), ~0U);
    return name == "NUMALatency" || (name.empty() && kind && (*kind & kLatencyKind) != 0);
}

struct LinkMatrix {
    std::string_view name;
    LinkType type;
};
constexpr std::array<LinkMatrix, 3> kLinkMatrices{
    {{"NVLinkBandwidth", LinkType::nv}, {"XGMIBandwidth", LinkType::xgmi}, {"XeLinkBandwidth", LinkType::xelink}}};

/// The slowest link of these kinds has 20,000 MB/s, and a GPU has 18 links at most.
constexpr double kLeastMegabytes = 1000, kMostCounted = 64;

LinkTable link_table(LinkType type, const XmlElement& element, const HwlocObjects& objects) {
    Matrix matrix = matrix_of(element, objects);
    LinkTable table;
    table.type = type;
    table.name = element.value("name");
    table.line = element.line;
    for (const std::string& word : matrix.indexes) table.objects.push_back(object_of(word, element, objects));
    table.megabytes_per_s = std::move(matrix.values);
    const std::size_t n = table.objects.size();
    double most = 0;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            if (i != j) most = std::max(most, table.megabytes_per_s[i * n + j]);
    if (table.name == "XGMIHops" || most == 0 || most >= kLeastMegabytes) return table;
    table.counts = type == LinkType::nv && most <= kMostCounted;
    if (!table.counts)
        throw ConfigError(
            objects.place(element),
            fmt::format("the matrix {} has values up to {:g}, too small for bandwidths of links; MB/s are "
                        "expected, as lstopo writes them (hwloc-annotate may have put numbers of links "
                        "in their place)",
                        table.name, most));
    return table;
}

/// Leaves the bandwidth of pairs that have a link of their own: those of the fewest hops, which some versions of hwloc
/// write as 1 and others as the driver's weight of one hop.
void leave_direct(LinkTable& table, const LinkTable& hops) {
    double least = 0;
    const std::size_t n = hops.objects.size();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            if (const double value = hops.megabytes_per_s[i * n + j]; i != j && value > 0)
                least = least == 0 ? value : std::min(least, value);
    const auto place_of = [&](std::size_t object) {
        return static_cast<std::size_t>(std::find(hops.objects.begin(), hops.objects.end(), object) -
                                        hops.objects.begin());
    };
    for (std::size_t i = 0; i < table.objects.size(); ++i)
        for (std::size_t j = 0; j < table.objects.size(); ++j) {
            const std::size_t a = place_of(table.objects[i]), b = place_of(table.objects[j]);
            if (i != j && a < n && b < n && hops.megabytes_per_s[a * n + b] > least)
                table.megabytes_per_s[i * table.objects.size() + j] = 0;
        }
}

} // namespace

std::vector<NumaDistances> numa_distances(const XmlElement& root, const HwlocObjects& objects) {
    std::vector<NumaDistances> tables;
    for (const XmlElement& child : root.children)
        if (is_of_nodes(child)) tables.push_back(numa_matrix(child, objects));
    std::vector<unsigned> ids;
    for (const HwlocObject& object : objects.all)
        if (object.type == "NUMANode") ids.push_back(object.os_index.value_or(static_cast<unsigned>(ids.size())));
    if (!ids.empty()) add_old(root, objects, ids, tables);
    return tables;
}

std::vector<LinkTable> link_tables(const XmlElement& root, const HwlocObjects& objects, ImportNotes& notes) {
    std::vector<LinkTable> tables;
    const XmlElement* hops = nullptr;
    for (const XmlElement& child : root.children) {
        if (child.name != "distances2" && child.name != "distances2hetero") continue;
        const std::string name = child.value("name");
        const auto known =
            std::find_if(kLinkMatrices.begin(), kLinkMatrices.end(), [&](const auto& one) { return one.name == name; });
        if (known != kLinkMatrices.end()) {
            tables.push_back(link_table(known->type, child, objects));
        } else if (name == "XGMIHops") {
            hops = &child;
        } else if (!is_of_nodes(child)) {
            add_note(notes,
                     fmt::format("{}: the matrix '{}' of {} is not read", objects.place(child), quotable(name),
                                 child.name == "distances2hetero" ? "mixed objects" : quotable(child.value("type"))));
        }
    }
    if (hops == nullptr) return tables;
    for (LinkTable& table : tables)
        if (table.type == LinkType::xgmi) leave_direct(table, link_table(LinkType::xgmi, *hops, objects));
    return tables;
}

} // namespace numavp
