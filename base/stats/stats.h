/// Statistics: a tree of named counters that the modules own and increment; read once, at the end.
///
/// Values and meaning are kept apart: values() has bare numbers; units() has unit and description, once for all
/// sockets, SMs and channels. Both are in natural order of the names, independent of the order of registration.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/stats/histogram_figure.h"
#include "base/stats/ratio.h"
#include "base/values/natural_order.h"

namespace numavp {

/// How a statistic is reported for a part of a run, such as a kernel.
enum class Growth : std::uint8_t {
    sum,   ///< how much it has grown; that of all parts adds up to the statistic
    level, ///< its value at the part's end: a state, a constant, an extreme so far
    whole  ///< nothing: it is of the whole run
};

/// A node of the tree. Names are lower_case; a dot in a statistic's name opens sub-groups ("l2.hits"). A name that is
/// registered twice or is empty, or that both a group and a statistic have, is a ModelError. Values are registered by
/// reference: they must live until the last dump.
class StatGroup {
  public:
    StatGroup() = default;
    StatGroup(const StatGroup&) = delete;
    StatGroup& operator=(const StatGroup&) = delete;

    /// The sub-group of that name, made at the first call; dots open sub-groups of it.
    StatGroup& group(const std::string& name);
    /// The group of one of several equal parts: "socket" and 2 make "socket2", which units() calls "socket*".
    StatGroup& group(const std::string& name, unsigned index);

    /// Registers a count that a module keeps.
    void counter(const std::string& name, const std::uint64_t& value, std::string unit, std::string doc) {
        add(name, {"counter", std::move(unit), std::move(doc), &value, Growth::sum});
    }
    /// Registers a count that is the largest so far (`level`) or that describes the run as a whole (`whole`).
    void counter(const std::string& name, const std::uint64_t& value, std::string unit, std::string doc,
                 Growth growth) {
        add(name, {"counter", std::move(unit), std::move(doc), &value, growth});
    }
    /// Registers a value that `read` computes at the dump: an unsigned integer, or a double, which is written as null
    /// if it is not finite (a rate of nothing). For a state, or any other value that does not add up over time.
    template <class Read> void value(const std::string& name, Read read, std::string unit, std::string doc) {
        add(name, {"value", std::move(unit), std::move(doc), reader(std::move(read)), Growth::level});
    }
    /// The same for a value that only grows: each part of a run has a share of it.
    template <class Read> void sum(const std::string& name, Read read, std::string unit, std::string doc) {
        add(name, {"value", std::move(unit), std::move(doc), reader(std::move(read)), Growth::sum});
    }
    /// Registers one number of a histogram, without the others.
    void figure(const std::string& name, const Histogram& values, HistogramFigure figure, std::string unit,
                std::string doc) {
        add(name, {"value", std::move(unit), std::move(doc), OneFigure{&values, figure},
                   is_sum(figure) ? Growth::sum : Growth::level});
    }
    /// Registers a part's share of a count that several parts keep: all register it under the same name, and the
    /// statistic is the sum. ModelError if unit or description differ, or if the name belongs to another statistic.
    void total(const std::string& name, const std::uint64_t& part, std::string_view unit, std::string_view doc);
    /// Written as {count, sum, mean, min, max, p50, p90, p99}; all but count and sum are null if there is no value.
    void histogram(const std::string& name, const Histogram& values, std::string unit, std::string doc) {
        add(name, {"histogram", std::move(unit), std::move(doc), &values, Growth::sum});
    }

    /// Registers a share, rate or mean of this group's statistics. Parts that share the group may all register it, as
    /// they do a total(); a ModelError if their definitions differ.
    void ratio(const Ratio& ratio);
    void all_ratios(const std::vector<Ratio>& ratios) {
        for (const Ratio& each : ratios) ratio(each);
    }

    /// {"socket0": {"l2": {"hits": 12, ...}, ...}, ...}
    nlohmann::ordered_json values() const;
    /// {"socket*.l2.hits": {"kind": "counter", "unit": "accesses", "doc": "..."}, ...}; a ModelError if the same
    /// statistic of two indexed groups differs in any of these.
    nlohmann::ordered_json units() const;
    /// Registered ratios by name as units() has statistics: "socket*.l2.hit_rate", with the groups that have it. A
    /// ModelError if one names a statistic that is not there or does not add up over time, or if groups of one name
    /// define it differently.
    std::map<std::string, OwnedRatio, NaturalLess> ratios() const;

    struct OneFigure {
        const Histogram* values;
        HistogramFigure figure;
    };
    using Parts = std::vector<const std::uint64_t*>; ///< of a total
    using Source = std::variant<const std::uint64_t*, const Histogram*, std::function<std::uint64_t()>,
                                std::function<double()>, Parts, OneFigure>;
    /// Calls `see` for each statistic with its path, in the order of values(). Sources stay where they are.
    void visit(const std::function<void(const std::string& path, Growth growth, const Source& source)>& see) const;

  private:
    struct Stat {
        std::string_view kind;
        std::string unit;
        std::string doc;
        Source source;
        Growth growth;
    };
    template <class Read> static Source reader(Read read) {
        if constexpr (std::is_floating_point_v<std::invoke_result_t<Read>>)
            return std::function<double()>(std::move(read));
        else
            return std::function<std::uint64_t()>(std::move(read));
    }
    struct Item {
        std::unique_ptr<StatGroup> group; ///< else it is a statistic
        std::unique_ptr<Stat> stat;
    };
    using Meanings = std::map<std::string, const Stat*, NaturalLess>;

    StatGroup& child(const std::string& name, const std::string& pattern);
    void add(const std::string& name, Stat stat);
    void collect(Meanings& meanings) const;
    const Stat* find(const std::string& path) const;
    void collect(std::map<std::string, OwnedRatio, NaturalLess>& ratios) const;
    void check(const Ratio& ratio) const;
    static nlohmann::ordered_json read(const Stat& stat);

    std::string path_;    ///< with a trailing dot, "" at the root
    std::string pattern_; ///< the same with * for indices
    std::map<std::string, Item, NaturalLess> items_;
    std::map<std::string, Ratio, NaturalLess> ratios_;
};

} // namespace numavp
