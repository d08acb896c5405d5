#include "communication/import/hwloc_distances.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

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

} // namespace

std::vector<NumaDistances> numa_distances(const XmlElement& root, const HwlocObjects& objects) {
    std::vector<NumaDistances> tables;
    for (const XmlElement& child : root.children) {
        if (child.name != "distances2" || child.value("type") != "NUMANode") continue;
        const std::string name = child.value("name");
        const auto kind = small_number(child.value("kind"), ~0U);
        if (name == "NUMALatency" || (name.empty() && kind && (*kind & kLatencyKind) != 0))
            tables.push_back(numa_matrix(child, objects));
    }
    std::vector<unsigned> ids;
    for (const HwlocObject& object : objects.all)
        if (object.type == "NUMANode") ids.push_back(object.os_index.value_or(static_cast<unsigned>(ids.size())));
    if (!ids.empty()) add_old(root, objects, ids, tables);
    return tables;
}

std::vector<NvlinkTable> nvlink_tables(const XmlElement& root, const HwlocObjects& objects) {
    std::vector<NvlinkTable> tables;
    for (const XmlElement& child : root.children) {
        if ((child.name != "distances2" && child.name != "distances2hetero") ||
            child.value("name") != "NVLinkBandwidth")
            continue;
        Matrix matrix = matrix_of(child, objects);
        NvlinkTable table;
        for (const std::string& word : matrix.indexes) table.objects.push_back(object_of(word, child, objects));
        table.megabytes_per_s = std::move(matrix.values);
        tables.push_back(std::move(table));
    }
    return tables;
}

} // namespace numavp
