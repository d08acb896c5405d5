#include "platform/results/ratio_values.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "common/system/recorded_system.h"
#include "common/system/system_config.h"
#include "models/cache/l2_ratios.h"
#include "models/memory/channel/memory_ratios.h"
#include "models/mmu/mmu_ratios.h"
#include "models/sm/sm_ratios.h"
#include "models/socket/socket_ratios.h"
#include "platform/machine/system_ratios.h"
#include "tlm-links/link/link_ratios.h"

namespace numavp {
namespace {

std::optional<double> plain_number(const ordered_json* value) {
    return value != nullptr && value->is_number() ? std::optional<double>(value->get<double>()) : std::nullopt;
}

std::string below(const std::string& owner, const std::string& path) {
    return owner.empty() ? path : owner + "." + path;
}

const ordered_json* member_at(const ordered_json& tree, std::string path) {
    const ordered_json* at = &tree;
    while (!path.empty()) {
        const std::size_t dot = std::min(path.find('.'), path.size());
        if (!at->is_object()) return nullptr;
        const auto member = at->find(path.substr(0, dot));
        if (member == at->end()) return nullptr;
        at = &*member;
        path.erase(0, dot + 1);
    }
    return at;
}

/// What this version's modules would have registered in a run of an earlier one.
class EarlierRatios {
  public:
    explicit EarlierRatios(const ordered_json& results) : results_(results) {}

    void add(const std::string& owner, const std::vector<Ratio>& ratios) {
        for (const Ratio& ratio : ratios) {
            const auto there = [&](const std::string& path) {
                return counts(below(owner, path[0] == '-' ? path.substr(1) : path));
            };
            if (!std::all_of(ratio.part.begin(), ratio.part.end(), there) ||
                !std::all_of(ratio.whole.begin(), ratio.whole.end(), there))
                continue;
            const auto known = std::find_if(found_.begin(), found_.end(),
                                            [&](const OwnedRatio& o) { return o.ratio.name == ratio.name; });
            (known == found_.end() ? found_.insert(found_.end(), OwnedRatio{ratio, {}}) : known)
                ->owners.push_back(owner);
        }
    }
    std::vector<OwnedRatio> take() { return std::move(found_); }

  private:
    bool counts(const std::string& path) const {
        const ordered_json* by_kernel = member_at(results_, "kernels.counters");
        return member_at(results_, "statistics." + path) != nullptr ||
               (by_kernel != nullptr && by_kernel->contains(path));
    }
    const ordered_json& results_;
    std::vector<OwnedRatio> found_;
};

std::vector<OwnedRatio> earlier_ratios(const ordered_json& results) {
    const auto statistics = results.find("statistics");
    if (statistics == results.end() || !statistics->is_object()) return {};
    std::optional<SystemConfig> config;
    try {
        if (const auto known = results.find("configuration"); known != results.end())
            config = recorded_config(json(*known), Place{"results.json", "$.configuration", nullptr});
    } catch (const ConfigError&) { // of a part of a file
        config.reset();
    }
    EarlierRatios ratios(results);
    for (unsigned s = 0; statistics->contains(fmt::format("socket{}", s)); ++s) {
        const std::string owner = fmt::format("socket{}", s);
        ratios.add(owner, sm_ratios());
        if (!config || s >= config->sockets || config->socket_at(s).l2.has_cache()) ratios.add(owner, l2_ratios());
        ratios.add(owner, mmu_ratios(true)); // where nothing was looked up they have no value
        ratios.add(owner, memory_ratios());
        ratios.add(owner, link_ratios());
        ratios.add(owner, socket_ratios());
    }
    ratios.add("system", system_ratios());
    return ratios.take();
}

} // namespace

std::vector<OwnedRatio> ratios_of(const ordered_json& results) {
    const auto known = results.find("ratios");
    if (known == results.end()) return earlier_ratios(results);
    std::vector<OwnedRatio> ratios;
    for (const auto& [pattern, definition] : known->items()) ratios.push_back(owned_ratio_of(definition));
    return ratios;
}

const OwnedRatio* find_ratio(const std::vector<OwnedRatio>& ratios, const std::string& name) {
    const auto found =
        std::find_if(ratios.begin(), ratios.end(), [&](const OwnedRatio& owned) { return owned.ratio.name == name; });
    return found == ratios.end() ? nullptr : &*found;
}

bool is_detail(const std::vector<OwnedRatio>& ratios, const Ratio& ratio) {
    const std::size_t first = ratio.name.find('.'), last = ratio.name.rfind('.');
    return first != last && find_ratio(ratios, ratio.name.substr(0, first) + ratio.name.substr(last)) != nullptr;
}

RatioValues::RatioValues(const ordered_json& results) : results_(results), ratios_(ratios_of(results)) {}

std::optional<double> RatioValues::statistic(const std::string& path) const {
    return plain_number(member_at(results_, "statistics." + path));
}

/// Names of columns have dots.
const ordered_json* RatioValues::column(const std::string& name) const {
    const ordered_json* columns = member_at(results_, "series.columns");
    if (columns == nullptr) return nullptr;
    const auto found = columns->find(name);
    return found == columns->end() || found->value("kind", "increase") != "increase" ? nullptr
                                                                                     : member_at(*found, "values");
}

std::optional<double> RatioValues::time(const Ratio& ratio) const {
    return plain_number(member_at(results_, ratio.per == RatioPer::ns ? "time_ns" : "cycles"));
}

RatioValues::Sums RatioValues::sums(const OwnedRatio& owned, const std::string& owner) const {
    const Ratio& ratio = owned.ratio;
    const RatioRead counted = [&](const std::string& path) { return statistic(below(owner, path)); };
    if (ratio.per == RatioPer::whole) return {sum_of(ratio.part, counted), sum_of(ratio.whole, counted)};
    // What is written home after the last kernel is in the statistics, but its time is not in the run's.
    const RatioRead passed = [&](const std::string& name) -> std::optional<double> {
        const ordered_json* values = column(below(owner, name));
        if (values == nullptr) return std::nullopt;
        double total = 0.0;
        for (const ordered_json& value : *values) total += plain_number(&value).value_or(0.0);
        return total;
    };
    std::optional<double> part = ratio.part_columns.empty() ? std::nullopt : sum_of(ratio.part_columns, passed);
    if (!part) part = sum_of(ratio.part, counted);
    return {part, time(ratio)};
}

std::optional<double> RatioValues::of(const OwnedRatio& ratio, const std::string& owner) const {
    if (std::find(ratio.owners.begin(), ratio.owners.end(), owner) == ratio.owners.end()) return std::nullopt;
    const Sums found = sums(ratio, owner);
    return value_of(ratio.ratio, found.part, found.whole);
}

std::optional<double> RatioValues::of(const std::string& name, const std::string& owner) const {
    const OwnedRatio* ratio = find_ratio(ratios_, name);
    return ratio == nullptr ? std::nullopt : of(*ratio, owner);
}

std::optional<double> RatioValues::together(const OwnedRatio& ratio) const {
    Sums all;
    for (const std::string& owner : ratio.owners) {
        const Sums one = sums(ratio, owner);
        if (!one.part || !one.whole) continue;
        all.part = all.part.value_or(0.0) + *one.part;
        all.whole = ratio.ratio.per == RatioPer::whole ? all.whole.value_or(0.0) + *one.whole : *one.whole;
    }
    return value_of(ratio.ratio, all.part, all.whole);
}

std::optional<double> RatioValues::together(const std::string& name) const {
    const OwnedRatio* ratio = find_ratio(ratios_, name);
    return ratio == nullptr ? std::nullopt : together(*ratio);
}

std::vector<std::optional<double>> RatioValues::by_interval(const OwnedRatio& owned, const std::string& owner) const {
    const Ratio& ratio = owned.ratio;
    const ordered_json* ends = member_at(results_, "series.cycles");
    const std::optional<double> clock_khz = plain_number(member_at(results_, "configuration.clock_khz"));
    if (ratio.part_columns.empty() || ends == nullptr || (ratio.per == RatioPer::ns && !clock_khz)) return {};
    for (const auto* names : {&ratio.part_columns, &ratio.whole_columns})
        for (const std::string& name : *names)
            if (column(below(owner, name[0] == '-' ? name.substr(1) : name)) == nullptr) return {};
    std::vector<std::optional<double>> values(ends->size());
    double begin = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const RatioRead grown = [&](const std::string& name) -> std::optional<double> {
            const ordered_json* all = column(below(owner, name));
            return i < all->size() ? plain_number(&all->at(i)) : std::nullopt;
        };
        const auto end = ends->at(i).get<double>();
        const double time = (end - begin) * (ratio.per == RatioPer::ns ? 1e6 / *clock_khz : 1.0);
        values[i] = value_of(ratio, sum_of(ratio.part_columns, grown),
                             ratio.per == RatioPer::whole ? sum_of(ratio.whole_columns, grown) : time);
        begin = end;
    }
    return values;
}

namespace {
ordered_json number_or_null(std::optional<double> value) { return value ? ordered_json(*value) : ordered_json(); }
} // namespace

ordered_json ratios_json(const RatioValues& values, const std::optional<std::string>& owner) {
    ordered_json out = ordered_json::object();
    for (const OwnedRatio& owned : values.all()) {
        if (!owner)
            out[owned.ratio.figure()] = number_or_null(values.together(owned));
        else if (std::find(owned.owners.begin(), owned.owners.end(), *owner) != owned.owners.end())
            out[owned.ratio.figure()] = number_or_null(values.of(owned, *owner));
    }
    return out;
}

ordered_json shown_ratios(const RatioValues& values) {
    ordered_json list = ordered_json::array();
    for (const OwnedRatio& owned : values.all()) {
        const Ratio& ratio = owned.ratio;
        ordered_json of = ordered_json::object(), intervals = ordered_json::object();
        for (const std::string& owner : owned.owners) {
            of[owner] = number_or_null(values.of(owned, owner));
            const std::vector<std::optional<double>> over_time = values.by_interval(owned, owner);
            if (over_time.empty()) continue;
            intervals[owner] = ordered_json::array();
            for (const std::optional<double>& value : over_time) intervals[owner].push_back(number_or_null(value));
        }
        list.push_back({{"name", ratio.name},
                        {"figure", ratio.figure()},
                        {"unit", ratio.unit},
                        {"doc", ratio.doc},
                        {"share", ratio.is_share()},
                        {"detail", is_detail(values.all(), ratio)},
                        {"all", number_or_null(values.together(owned))},
                        {"owners", std::move(of)},
                        {"intervals", std::move(intervals)}});
    }
    return list;
}

} // namespace numavp
