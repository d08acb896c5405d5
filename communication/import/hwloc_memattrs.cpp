#include "communication/import/hwloc_memattrs.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/values/error.h"
#include "base/values/name_table.h"

namespace numavp {

namespace {

constexpr double kMostMebibytes = 1e9; ///< a second

double mebibytes_of(const XmlElement& value, const HwlocObjects& objects) {
    const std::string text = value.value("value");
    double number = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || fault != std::errc() || end != text.data() + text.size() ||
        !(number >= 0 && number <= kMostMebibytes))
        throw ConfigError(objects.place(value),
                          fmt::format("'{}' is no value of a memory attribute; MiB/s from 0 to {:.0f} are expected",
                                      quotable(text), kMostMebibytes));
    return number;
}

/// Values of one attribute, in GB/s: of each node the greatest.
std::map<std::size_t, double> attribute_values(const XmlElement& root, const HwlocObjects& objects, const char* name) {
    std::map<std::size_t, double> values;
    for (const XmlElement& attribute : root.children) {
        if (attribute.name != "memattr" || attribute.value("name") != name) continue;
        for (const XmlElement& value : attribute.children) {
            if (value.name != "memattr_value" || value.value("target_obj_type") != "NUMANode") continue;
            const double mebibytes = mebibytes_of(value, objects);
            const auto node = objects.by_gp_index(value.value("target_obj_gp_index"), "NUMANode");
            if (node && mebibytes > 0) values[*node] = std::max(values[*node], mebibytes * (1 << 20) / 1e9);
        }
    }
    return values;
}

} // namespace

std::map<std::size_t, double> memory_bandwidths(const XmlElement& root, const HwlocObjects& objects) {
    std::map<std::size_t, double> found = attribute_values(root, objects, "Bandwidth");
    const auto reads = attribute_values(root, objects, "ReadBandwidth"),
               writes = attribute_values(root, objects, "WriteBandwidth");
    std::map<std::size_t, double> both = reads;
    for (const auto& [node, write] : writes) {
        const auto read = reads.find(node);
        both[node] = read == reads.end() ? write : (read->second + write) / 2;
    }
    found.insert(both.begin(), both.end()); // where the attribute of both is not there
    return found;
}

} // namespace numavp
