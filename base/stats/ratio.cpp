#include "base/stats/ratio.h"

#include <algorithm>
#include <array>
#include <utility>

#include <nlohmann/json.hpp>

namespace numavp {

namespace {
constexpr std::array<const char*, 3> kPers = {"whole", "ns", "cycle"};
using Names = std::vector<std::string>;
} // namespace

bool is_ratio_per(const std::string& word) { return std::find(kPers.begin(), kPers.end(), word) != kPers.end(); }

std::string Ratio::figure() const {
    std::string text = name;
    std::replace(text.begin(), text.end(), '.', '_');
    return text;
}

bool Ratio::operator==(const Ratio& o) const {
    return name == o.name && part == o.part && whole == o.whole && unit == o.unit && doc == o.doc && per == o.per &&
           factor == o.factor && part_columns == o.part_columns && whole_columns == o.whole_columns;
}

Ratio share_of(std::string name, Names part, Names whole, std::string doc) {
    return {std::move(name), std::move(part), std::move(whole), "", std::move(doc)};
}

Ratio rate_of(std::string name, Names part, RatioPer per, std::string unit, std::string doc) {
    return {std::move(name), std::move(part), {}, std::move(unit), std::move(doc), per};
}

Ratio by_interval(Ratio ratio, Names part_columns, Names whole_columns) {
    ratio.part_columns = std::move(part_columns);
    ratio.whole_columns = std::move(whole_columns);
    return ratio;
}

std::optional<double> sum_of(const Names& paths, const RatioRead& read) {
    double total = 0.0;
    for (const std::string& path : paths) {
        const bool less = path[0] == '-';
        const std::optional<double> value = read(less ? path.substr(1) : path);
        if (!value) return std::nullopt;
        total += less ? -*value : *value;
    }
    return std::max(0.0, total);
}

std::optional<double> value_of(const Ratio& ratio, std::optional<double> part, std::optional<double> whole) {
    if (!part || !whole || *whole <= 0.0) return std::nullopt;
    return *part / *whole * ratio.factor;
}

nlohmann::ordered_json json_of(const OwnedRatio& owned) {
    const Ratio& r = owned.ratio;
    nlohmann::ordered_json written = {{"name", r.name},
                                      {"owners", owned.owners},
                                      {"part", r.part},
                                      {"whole", r.whole},
                                      {"per", kPers.at(static_cast<std::size_t>(r.per))},
                                      {"factor", r.factor},
                                      {"unit", r.unit},
                                      {"doc", r.doc}};
    if (r.part_columns.empty()) return written;
    written["part_columns"] = r.part_columns;
    written["whole_columns"] = r.whole_columns;
    return written;
}

OwnedRatio owned_ratio_of(const nlohmann::ordered_json& written) {
    const auto per = std::find(kPers.begin(), kPers.end(), written.at("per").get<std::string>());
    OwnedRatio owned;
    Ratio& r = owned.ratio;
    r.name = written.at("name").get<std::string>();
    owned.owners = written.at("owners").get<Names>();
    r.part = written.at("part").get<Names>();
    r.whole = written.at("whole").get<Names>();
    if (per != kPers.end()) r.per = static_cast<RatioPer>(per - kPers.begin());
    r.factor = written.at("factor").get<double>();
    r.unit = written.at("unit").get<std::string>();
    r.doc = written.at("doc").get<std::string>();
    if (written.contains("part_columns")) {
        r.part_columns = written.at("part_columns").get<Names>();
        r.whole_columns = written.at("whole_columns").get<Names>();
    }
    return owned;
}

} // namespace numavp
