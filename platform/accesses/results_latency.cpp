#include "platform/accesses/results_latency.h"

#include <map>
#include <utility>

#include "base/stats/histogram.h"

namespace numavp {
namespace {

constexpr const char* kKinds[] = {"load", "store", "atomic"};
constexpr Kind kKindsOf[] = {Kind::load, Kind::store, Kind::atomic};
constexpr const char* kPercentiles[] = {"p50_ps", "p90_ps", "p99_ps", "p99_9_ps"};
constexpr unsigned kPerMille[] = {500, 900, 990, 999};
constexpr unsigned kFinerThanShown = 8; ///< buckets of the histogram in one of a quarter of a power of two

/// Counts by buckets that are coarse enough for a chart: {upper bound in ps, count}, those that hold something.
ordered_json buckets_of(const Histogram& histogram) {
    std::map<std::uint64_t, std::uint64_t> counts; // by upper bound
    const std::vector<std::uint64_t>& fine = histogram.counts();
    for (std::size_t i = 0; i < fine.size(); ++i)
        if (fine[i] != 0)
            counts[Histogram::upper_bound(i / kFinerThanShown * kFinerThanShown + kFinerThanShown - 1)] += fine[i];
    ordered_json buckets = ordered_json::array();
    for (const auto& [up_to, count] : counts) buckets.push_back({up_to, count});
    return buckets;
}

ordered_json class_of(const Histogram& histogram) {
    const std::uint64_t count = histogram.count();
    const auto known = [&](const ordered_json& value) { return count == 0 ? ordered_json() : value; };
    ordered_json out = {{"count", count}, {"sum_ps", histogram.sum()}};
    out["mean_ps"] = known(count == 0 ? 0.0 : static_cast<double>(histogram.sum()) / static_cast<double>(count));
    out["min_ps"] = known(histogram.min());
    out["max_ps"] = known(histogram.max());
    for (std::size_t i = 0; i < std::size(kPercentiles); ++i)
        out[kPercentiles[i]] = known(histogram.per_mille(kPerMille[i]));
    out["buckets"] = buckets_of(histogram);
    return out;
}

} // namespace

ordered_json access_latency_json(const System& system) {
    ordered_json classes;
    for (std::size_t kind = 0; kind < std::size(kKinds); ++kind) {
        for (const bool remote : {false, true}) {
            Histogram all;
            for (unsigned s = 0; s < system.config().sockets; ++s)
                all.merge(system.access_latency(s, kKindsOf[kind], remote));
            classes[kKinds[kind]][remote ? "remote" : "local"] = class_of(all);
        }
    }
    return classes;
}

ordered_json access_latency_schema() {
    const ordered_json count = {{"type", "integer"}, {"minimum", 0}};
    const ordered_json number = {{"type", ordered_json::array({"number", "null"})}, {"minimum", 0}};
    ordered_json one = {{"type", "object"},
                        {"description",
                         "Latencies of the accesses of a class; all but count, sum_ps and buckets are null if "
                         "there was none."},
                        {"additionalProperties", false}};
    ordered_json properties;
    properties["count"] = count;
    properties["count"]["description"] = "Accesses: lines that left an SM and were answered.";
    properties["sum_ps"] = count;
    properties["sum_ps"]["description"] = "Sum of the latencies.";
    for (const char* name : {"mean_ps", "min_ps", "max_ps"}) properties[name] = number;
    for (const char* name : kPercentiles) properties[name] = number;
    properties["buckets"] = {
        {"type", "array"},
        {"description", "Buckets of the histogram that hold something, ascending: the largest latency of a bucket in "
                        "ps, and the number of accesses that it holds. Four buckets to a power of two."},
        {"items", {{"type", "array"}, {"items", count}, {"minItems", 2}, {"maxItems", 2}}}};
    for (const auto& [name, ignored] : properties.items()) one["required"].push_back(name);
    one["properties"] = std::move(properties);
    ordered_json homes = {{"type", "object"},
                          {"description", "Latencies by the home of the line."},
                          {"properties", {{"local", one}, {"remote", one}}},
                          {"required", ordered_json::array({"local", "remote"})},
                          {"additionalProperties", false}};
    ordered_json kinds = {{"type", "object"},
                          {"description", "Latencies of accesses of all sockets, by class."},
                          {"additionalProperties", false}};
    for (const char* kind : kKinds) {
        kinds["properties"][kind] = homes;
        kinds["required"].push_back(kind);
    }
    return kinds;
}

} // namespace numavp
