#include "platform/compare/comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "platform/compare/headline.h"
#include "platform/compare/kernel_differences.h"
#include "platform/compare/section_differences.h"
#include "platform/study/study_store.h"

namespace numavp {
namespace {

using Flat = std::vector<std::pair<std::string, ordered_json>>;

std::vector<std::string> names_along(const std::string& path) {
    std::vector<std::string> steps;
    for (std::size_t at = 0; at <= path.size();) {
        const std::size_t dot = std::min(path.find('.', at), path.size());
        steps.push_back(path.substr(at, dot - at));
        at = dot + 1;
    }
    return steps;
}

/// The key made of `before` and the steps from `at` on, some of which end with * for their digits ("l1" does not).
std::string find_key(const ordered_json& units, const std::string& before, const std::vector<std::string>& steps,
                     std::size_t at) {
    if (at == steps.size()) return units.contains(before) ? before : "";
    const std::string dot = before.empty() ? "" : ".";
    const std::string& step = steps[at];
    if (std::string key = find_key(units, before + dot + step, steps, at + 1); !key.empty()) return key;
    const std::size_t digits = step.find_last_not_of("0123456789") + 1;
    if (digits == 0 || digits == step.size()) return "";
    return find_key(units, before + dot + step.substr(0, digits) + "*", steps, at + 1);
}

/// How the numbers of several instances become one.
enum class Combine { sum, mean, min, max };

/// By the name of the number: extremes stay such, percentiles and levels are no parts of a whole.
Combine combine_of(const std::string& leaf, const std::string& unit) {
    const auto begins = [&](const char* word) { return leaf.rfind(word, 0) == 0; };
    if (begins("min")) return Combine::min;
    if (begins("max")) return Combine::max;
    const bool percentile = leaf.size() > 1 && leaf[0] == 'p' && leaf[1] >= '0' && leaf[1] <= '9';
    const bool level = unit.empty() || unit == "lanes" || unit == "ways";
    return percentile || begins("mean") || level ? Combine::mean : Combine::sum;
}

const char* name_of(Combine combine) {
    switch (combine) {
    case Combine::sum: return "sum";
    case Combine::mean: return "mean";
    case Combine::min: return "least";
    case Combine::max: return "most";
    }
    return "";
}

struct Gathered {
    Combine combine = Combine::sum;
    std::string unit, doc;
    bool whole = true; ///< all numbers are integers: what happened was counted
    std::vector<std::optional<double>> values;
    std::vector<std::size_t> counts; ///< numbers in each value
};

void add_number(Gathered& into, std::size_t run, double value) {
    std::optional<double>& at = into.values[run];
    const std::size_t before = into.counts[run]++;
    if (!at)
        at = value;
    else if (into.combine == Combine::min)
        at = std::min(*at, value);
    else if (into.combine == Combine::max)
        at = std::max(*at, value);
    else if (into.combine == Combine::sum)
        *at += value;
    else
        *at += (value - *at) / static_cast<double>(before + 1);
}

/// Statistics in the order in which the runs have them, instances together unless `each`.
class Gatherer {
  public:
    Gatherer(std::size_t runs, bool each) : runs_(runs), each_(each) {}

    void add(std::size_t run, const ordered_json& results) {
        const ordered_json& units = results.at("units");
        Flat flat;
        flatten(results.at("statistics"), "", flat);
        for (const auto& [path, value] : flat)
            if (value.is_number()) add(run, units, path, value);
    }

    const std::vector<std::pair<std::string, Gathered>>& all() const { return all_; }

  private:
    void add(std::size_t run, const ordered_json& units, const std::string& path, const ordered_json& value) {
        const std::string leaf = path.substr(path.rfind('.') + 1);
        const std::string key = unit_key(units, path);
        std::string name = path;
        if (!each_ && !key.empty()) {
            const auto steps_in = [](const std::string& p) { return std::count(p.begin(), p.end(), '.'); };
            name = steps_in(key) == steps_in(path) ? key : key + "." + leaf; // a part of a histogram
        }
        Gathered& gathered = place(name, key, leaf, units);
        gathered.whole = gathered.whole && value.is_number_integer();
        add_number(gathered, run, value.get<double>());
    }

    Gathered& place(const std::string& name, const std::string& key, const std::string& leaf,
                    const ordered_json& units) {
        const auto [found, fresh] = index_.emplace(name, all_.size());
        if (fresh) {
            Gathered made;
            if (!key.empty()) {
                made.unit = units.at(key).value("unit", "");
                made.doc = units.at(key).value("doc", "");
                if (leaf == "count" && units.at(key).value("kind", "") == "histogram") made.unit = "events";
            }
            made.combine = combine_of(leaf, made.unit);
            made.values.resize(runs_);
            made.counts.resize(runs_);
            all_.emplace_back(name, std::move(made));
        }
        return all_[found->second].second;
    }

    std::size_t runs_;
    bool each_;
    std::map<std::string, std::size_t> index_;
    std::vector<std::pair<std::string, Gathered>> all_;
};

double size_of(const Gathered& gathered) {
    const bool counted = gathered.whole && gathered.combine == Combine::sum;
    double size = 0.0;
    if (!gathered.values.front()) return size;
    for (const std::optional<double>& value : gathered.values)
        if (value) size = std::max(size, size_of_change(*gathered.values.front(), *value, counted));
    return size;
}

/// "sum of 4", or "sum of 1 to 16" if runs have different numbers of instances; "" if all have one.
std::string over_of(const Gathered& gathered) {
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    std::size_t most = 0;
    for (const std::size_t count : gathered.counts) {
        if (count == 0) continue;
        fewest = std::min(fewest, count);
        most = std::max(most, count);
    }
    if (most <= 1) return "";
    return fewest == most ? fmt::format("{} of {}", name_of(gathered.combine), most)
                          : fmt::format("{} of {} to {}", name_of(gathered.combine), fewest, most);
}

void compare_statistics(const std::vector<ComparedRun>& runs, bool each, Comparison& out) {
    Gatherer gatherer(runs.size(), each);
    for (std::size_t r = 0; r < runs.size(); ++r) gatherer.add(r, runs[r].results);
    for (const auto& [path, gathered] : gatherer.all()) {
        NumberDifference number;
        number.path = path;
        number.unit = gathered.unit;
        number.doc = gathered.doc;
        number.over = over_of(gathered);
        number.values = gathered.values;
        number.size = size_of(gathered);
        if (number.differs())
            out.statistics.push_back(std::move(number));
        else
            ++out.same;
    }
    std::stable_sort(out.statistics.begin(), out.statistics.end(),
                     [](const auto& a, const auto& b) { return a.size > b.size; });
}

double size_of_setting(const std::vector<ordered_json>& values) {
    constexpr double kMost = std::numeric_limits<double>::infinity();
    double low = kMost;
    double high = 0.0;
    for (const ordered_json& value : values) {
        if (!value.is_number() || value.get<double>() <= 0.0) return kMost;
        low = std::min(low, value.get<double>());
        high = std::max(high, value.get<double>());
    }
    return std::log(high / low);
}

/// Settings of system and workload. Names and descriptions are in the head of what is shown.
Flat settings_of(const ordered_json& results) {
    ordered_json system = results.at("configuration"), workload = results.at("workload");
    system.erase("name");
    system.erase("description");
    workload.erase("description");
    Flat settings;
    flatten_settings(system, "", settings);
    flatten(workload, "workload", settings);
    return settings;
}

/// Of a setting of one instance ("gpu[2].sms") what a run without it has: that of all of the name, or of all sockets.
ordered_json value_of_all(const std::string& path, const std::map<std::string, ordered_json>& known) {
    const std::size_t open = path.find('['), close = path.find("].");
    if (open == std::string::npos || close == std::string::npos || path.find('.') < open) return {};
    for (const std::string& name : {path.substr(0, open), std::string("socket")})
        if (const auto found = known.find(name + path.substr(close + 1)); found != known.end()) return found->second;
    return {};
}

void compare_settings(const std::vector<ComparedRun>& runs, Comparison& out) {
    std::map<std::string, std::size_t> index;
    std::vector<SettingDifference> all;
    std::vector<std::map<std::string, ordered_json>> known(runs.size());
    for (std::size_t r = 0; r < runs.size(); ++r) {
        Flat flat = settings_of(runs[r].results);
        known[r].insert(flat.begin(), flat.end());
        for (auto& [path, value] : flat) {
            const auto [found, fresh] = index.emplace(path, all.size());
            if (fresh) all.push_back({path, std::vector<ordered_json>(runs.size()), 0.0});
            all[found->second].values[r] = std::move(value);
        }
    }
    for (SettingDifference& setting : all) {
        for (std::size_t r = 0; r < runs.size(); ++r)
            if (setting.values[r].is_null()) setting.values[r] = value_of_all(setting.path, known[r]);
        const auto equal = [&](const ordered_json& value) { return value == setting.values.front(); };
        if (std::all_of(setting.values.begin(), setting.values.end(), equal)) continue;
        setting.size = size_of_setting(setting.values);
        out.settings.push_back(std::move(setting));
    }
    std::stable_sort(out.settings.begin(), out.settings.end(),
                     [](const auto& a, const auto& b) { return a.size > b.size; });
}

} // namespace

std::optional<double> NumberDifference::change(std::size_t run) const {
    const std::optional<double>& first = values.front();
    if (!first || !values[run] || *first == 0.0) return std::nullopt;
    return *values[run] / *first - 1.0;
}

/// So that three stalls instead of one do not stand before a million reads more.
double size_of_change(double a, double b, bool counted) {
    const double most = std::max(std::abs(a), std::abs(b));
    if (a == b || most == 0.0) return 0.0;
    const double doubt = counted ? 10.0 * std::sqrt(most) : 0.0;
    return std::min(1.0, std::abs(b - a) / (most + doubt));
}

bool NumberDifference::differs() const {
    return std::any_of(values.begin(), values.end(), [&](const auto& value) { return value != values.front(); });
}

std::string unit_key(const ordered_json& units, const std::string& path) {
    const std::vector<std::string> steps = names_along(path);
    if (std::string key = find_key(units, "", steps, 0); !key.empty()) return key;
    return find_key(units, "", {steps.begin(), steps.end() - 1}, 0);
}

Comparison compare_runs(const std::vector<ComparedRun>& runs, bool each) {
    Comparison out;
    for (const ComparedRun& run : runs)
        out.runs.push_back({run.name, run.results.at("configuration").value("name", ""),
                            run.results.at("workload").value("name", "")});
    compare_settings(runs, out);
    out.headline = headline_of(runs);
    out.kernels = kernel_differences(runs);
    out.slots = slot_differences(runs, each);
    out.access_latency = access_latency_differences(runs);
    compare_statistics(runs, each, out);
    out.attributions = attribute(runs);
    return out;
}

} // namespace numavp
