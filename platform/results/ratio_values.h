/// Values of the ratios that a run registered: of the run, of each owner, of intervals, and of rows of its kernels.
///
/// The definitions are the member `ratios` of results.json. Nothing that shows a share or a rate divides by itself.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/config/config_file.h"
#include "base/stats/ratio.h"

namespace numavp {

/// The definitions in natural order of their names, from results.json; those of a run of an earlier version, which
/// wrote none, are those of this version for the groups that it has.
std::vector<OwnedRatio> ratios_of(const ordered_json& results);

/// The first of that name ("l2.hit_rate"); null if there is none.
const OwnedRatio* find_ratio(const std::vector<OwnedRatio>& ratios, const std::string& name);
/// True for a ratio of a part of what another is of: "l2.local.hit_rate" beside "l2.hit_rate".
bool is_detail(const std::vector<OwnedRatio>& ratios, const Ratio& ratio);

class RatioValues {
  public:
    /// `results` must outlive this object; members that are missing give no values.
    explicit RatioValues(const ordered_json& results);

    const std::vector<OwnedRatio>& all() const { return ratios_; }
    /// Over the run, of one owner ("socket0"). A rate takes what had passed by the last kernel's end, if the series
    /// have it.
    std::optional<double> of(const OwnedRatio& ratio, const std::string& owner) const;
    std::optional<double> of(const std::string& name, const std::string& owner) const;
    /// Over the run, of all owners: sums over sums.
    std::optional<double> together(const OwnedRatio& ratio) const;
    std::optional<double> together(const std::string& name) const;
    /// Of one owner in each interval; empty if the series lack its columns.
    std::vector<std::optional<double>> by_interval(const OwnedRatio& ratio, const std::string& owner) const;

  private:
    struct Sums {
        std::optional<double> part, whole;
    };
    Sums sums(const OwnedRatio& ratio, const std::string& owner) const;
    std::optional<double> statistic(const std::string& path) const;
    const ordered_json* column(const std::string& name) const;
    std::optional<double> time(const Ratio& ratio) const;

    const ordered_json& results_;
    std::vector<OwnedRatio> ratios_;
};

/// {"l2_hit_rate": 0.25, ...}: values of one owner, or of all owners together without one; null where nothing counted.
ordered_json ratios_json(const RatioValues& values, const std::optional<std::string>& owner = std::nullopt);
/// What a page draws: a list of {"name", "figure", "unit", "doc", "share", "detail", "all", "owners": {"socket0":
/// 0.25}, "intervals": {"socket0": [0.2, null]}}.
ordered_json shown_ratios(const RatioValues& values);

} // namespace numavp
