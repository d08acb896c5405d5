#include "base/stats/stats.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/values/error.h"
#include "base/values/json_members.h"

namespace numavp {

using Json = nlohmann::ordered_json;

namespace {

Json summary(const Histogram& h) {
    Json out = Json::object();
    for (unsigned i = 0; i < kHistogramFigures; ++i) {
        const auto figure = static_cast<HistogramFigure>(i);
        Json& value = out[name_of(figure)];
        if (!is_sum(figure) && h.count() == 0) continue;
        value = figure == HistogramFigure::mean ? Json(mean_of(h)) : Json(figure_of(h, figure));
    }
    return out;
}

} // namespace

StatGroup& StatGroup::child(const std::string& name, const std::string& pattern) {
    if (name.empty()) throw ModelError("a group of statistics without a name in '" + path_ + "'");
    Item& item = items_[name];
    if (item.stat) throw ModelError("'" + path_ + name + "' is both a statistic and a group of statistics");
    if (!item.group) {
        item.group = std::make_unique<StatGroup>();
        item.group->path_ = path_ + name + ".";
        item.group->pattern_ = pattern_ + pattern + ".";
    }
    return *item.group;
}

StatGroup& StatGroup::group(const std::string& name) {
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos) return child(name, name);
    const std::string first = name.substr(0, dot);
    return child(first, first).group(name.substr(dot + 1));
}

StatGroup& StatGroup::group(const std::string& name, unsigned index) {
    const std::size_t dot = name.rfind('.');
    if (dot != std::string::npos) return group(name.substr(0, dot)).group(name.substr(dot + 1), index);
    return child(name + std::to_string(index), name + "*");
}

void StatGroup::add(const std::string& name, Stat stat) {
    const std::size_t dot = name.rfind('.');
    if (dot != std::string::npos) return group(name.substr(0, dot)).add(name.substr(dot + 1), std::move(stat));
    if (name.empty()) throw ModelError("a statistic without a name in '" + path_ + "'");
    const auto [place, is_new] = items_.try_emplace(name);
    if (!is_new) throw ModelError("statistic '" + path_ + name + "' is registered twice");
    place->second.stat = std::make_unique<Stat>(std::move(stat));
}

void StatGroup::total(const std::string& name, const std::uint64_t& part, std::string_view unit, std::string_view doc) {
    const std::size_t dot = name.rfind('.');
    if (dot != std::string::npos) return group(name.substr(0, dot)).total(name.substr(dot + 1), part, unit, doc);
    const auto known = items_.find(name);
    Parts* const parts =
        known != items_.end() && known->second.stat ? std::get_if<Parts>(&known->second.stat->source) : nullptr;
    if (!parts) return add(name, {"value", std::string(unit), std::string(doc), Parts{&part}, Growth::sum});
    if (known->second.stat->unit != unit || known->second.stat->doc != doc)
        throw ModelError(fmt::format("statistic '{}{}' does not mean the same in all parts", path_, name));
    parts->push_back(&part);
}

void StatGroup::ratio(const Ratio& ratio) {
    if (ratio.name.empty() || ratio.part.empty() || (ratio.per == RatioPer::whole) == ratio.whole.empty())
        throw ModelError("a ratio in '" + path_ + "' without a name, a part or what it is divided by");
    const auto [known, is_new] = ratios_.try_emplace(ratio.name, ratio);
    if (!is_new && !(known->second == ratio))
        throw ModelError(fmt::format("ratio '{}{}' does not mean the same in all parts", path_, ratio.name));
}

const StatGroup::Stat* StatGroup::find(const std::string& path) const {
    const std::size_t dot = path.find('.');
    const auto item = items_.find(path.substr(0, dot));
    if (item == items_.end()) return nullptr;
    if (dot == std::string::npos) return item->second.stat.get();
    return item->second.group ? item->second.group->find(path.substr(dot + 1)) : nullptr;
}

void StatGroup::check(const Ratio& ratio) const {
    if (find(ratio.name)) throw ModelError(fmt::format("'{}{}' is both a statistic and a ratio", path_, ratio.name));
    for (const auto* paths : {&ratio.part, &ratio.whole})
        for (const std::string& path : *paths) {
            const Stat* stat = find(path[0] == '-' ? path.substr(1) : path);
            if (stat == nullptr || stat->growth != Growth::sum || stat->kind == "histogram")
                throw ModelError(fmt::format("ratio '{}{}' is of '{}', which is no statistic that adds up over time",
                                             path_, ratio.name, path));
        }
}

void StatGroup::collect(std::map<std::string, OwnedRatio, NaturalLess>& ratios) const {
    for (const auto& [name, ratio] : ratios_) {
        check(ratio);
        OwnedRatio& known = ratios.try_emplace(pattern_ + name, OwnedRatio{ratio, {}}).first->second;
        if (!(known.ratio == ratio))
            throw ModelError(fmt::format("ratio '{}{}' does not mean what the others called '{}{}' do", path_, name,
                                         pattern_, name));
        known.owners.push_back(path_.substr(0, path_.empty() ? 0 : path_.size() - 1));
    }
    for (const auto& [name, item] : items_)
        if (item.group) item.group->collect(ratios);
}

std::map<std::string, OwnedRatio, NaturalLess> StatGroup::ratios() const {
    std::map<std::string, OwnedRatio, NaturalLess> found;
    collect(found);
    return found;
}

Json StatGroup::read(const Stat& stat) {
    if (const auto* counter = std::get_if<const std::uint64_t*>(&stat.source)) return **counter;
    if (const auto* parts = std::get_if<Parts>(&stat.source)) {
        std::uint64_t sum = 0;
        for (const std::uint64_t* part : *parts) sum += *part;
        return sum;
    }
    if (const auto* histogram = std::get_if<const Histogram*>(&stat.source)) return summary(**histogram);
    if (const auto* integer = std::get_if<std::function<std::uint64_t()>>(&stat.source)) return (*integer)();
    if (const auto* one = std::get_if<OneFigure>(&stat.source)) return figure_of(*one->values, one->figure);
    const double real = std::get<std::function<double()>>(stat.source)();
    return std::isfinite(real) ? Json(real) : Json();
}

Json StatGroup::values() const {
    Json out = Json::object();
    for (const auto& [name, item] : items_)
        append_member(out, name, item.group ? item.group->values() : read(*item.stat));
    return out;
}

void StatGroup::visit(const std::function<void(const std::string&, Growth, const Source&)>& see) const {
    for (const auto& [name, item] : items_) {
        if (item.group)
            item.group->visit(see);
        else
            see(path_ + name, item.stat->growth, item.stat->source);
    }
}

void StatGroup::collect(Meanings& meanings) const {
    for (const auto& [name, item] : items_) {
        if (item.group) {
            item.group->collect(meanings);
            continue;
        }
        const Stat& stat = *item.stat;
        const Stat& known = *meanings.try_emplace(pattern_ + name, &stat).first->second;
        if (known.kind != stat.kind || known.unit != stat.unit || known.doc != stat.doc)
            throw ModelError(fmt::format("statistic '{}{}' does not mean what the others called '{}{}' do", path_, name,
                                         pattern_, name));
    }
}

Json StatGroup::units() const {
    Meanings meanings;
    collect(meanings);
    Json out = Json::object();
    for (const auto& [pattern, stat] : meanings)
        out[pattern] = {{"kind", stat->kind}, {"unit", stat->unit}, {"doc", stat->doc}};
    return out;
}

} // namespace numavp
