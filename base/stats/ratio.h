/// Definition of a number that follows from statistics: a share, a rate, a mean.
///
/// A module registers it once beside its counters (StatGroup::ratio). From the definition it exists for each owner and
/// for all together, for the run, each kernel and each interval of the series: nobody else divides.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace numavp {

/// What the sum of a ratio's part is divided by.
enum class RatioPer : std::uint8_t {
    whole, ///< the sum of `whole`
    ns,    ///< simulated time: bytes become GB/s
    cycle  ///< cycles of the core clock
};

/// True if `word` names one of them, as written in results.json.
bool is_ratio_per(const std::string& word);

/// Paths are relative to the owner (a socket, the system). Those of a list are added up; one that begins with '-' is
/// taken away. They name statistics that add up over time.
struct Ratio {
    std::string name; ///< path below the owner, such as "l2.hit_rate"
    std::vector<std::string> part;
    std::vector<std::string> whole; ///< empty: time
    std::string unit;               ///< empty: a share of the whole, shown in %
    std::string doc;
    RatioPer per = RatioPer::whole;
    double factor = 1.0; ///< of the quotient: 0.001 makes ns of ps
    /// Columns of the time series that grow as `part` and `whole` do; without them it does not exist by interval.
    std::vector<std::string> part_columns{}, whole_columns{};

    bool is_share() const { return per == RatioPer::whole && unit.empty(); }
    /// Name in tables: "l2_hit_rate".
    std::string figure() const;
    bool operator==(const Ratio& other) const;
};

/// Share of `whole`, of which `part` is a part. For a chain of calls: by_interval(share_of(...), ...).
Ratio share_of(std::string name, std::vector<std::string> part, std::vector<std::string> whole, std::string doc);
/// `part` over simulated time.
Ratio rate_of(std::string name, std::vector<std::string> part, RatioPer per, std::string unit, std::string doc);
/// The same ratio with columns of the time series.
Ratio by_interval(Ratio ratio, std::vector<std::string> part_columns, std::vector<std::string> whole_columns = {});

/// A ratio and the groups that registered it: {"socket0", "socket1"}; "" is the root.
struct OwnedRatio {
    Ratio ratio;
    std::vector<std::string> owners;
};

/// Reads a number by its path below an owner; none if there is none.
using RatioRead = std::function<std::optional<double>(const std::string& path)>;
/// Sum of `paths`, not below 0; none if a number is missing.
std::optional<double> sum_of(const std::vector<std::string>& paths, const RatioRead& read);
/// `part` over `whole` times the factor; none if either is missing, or if `whole` is not above 0.
std::optional<double> value_of(const Ratio& ratio, std::optional<double> part, std::optional<double> whole);

/// Members of results.json: {"name", "owners", "part", "whole", "per", "factor", "unit", "doc", "part_columns",
/// "whole_columns"}; the last two only if there are columns.
nlohmann::ordered_json json_of(const OwnedRatio& ratio);
/// Reads what json_of() wrote; throws the exceptions of the JSON library if a member is missing or of another kind.
OwnedRatio owned_ratio_of(const nlohmann::ordered_json& json);

} // namespace numavp
