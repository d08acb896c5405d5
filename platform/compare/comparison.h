/// Differences between runs: settings, and results in the order of their change.
///
/// Plain functions over the content of results.json. The first run is the reference for the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/config/config_file.h"
#include "platform/compare/attribution.h"

namespace numavp {

struct ComparedRun {
    std::string name; ///< as the user named it: a folder, a configuration of a study
    ordered_json results;
};

/// A setting whose values differ between runs.
struct SettingDifference {
    std::string path;
    std::vector<ordered_json> values; ///< by run; null: it has no such setting
    double size = 0.0;                ///< of numbers: the logarithm of the largest ratio; of names infinite
};

/// A number of the results, of all runs.
struct NumberDifference {
    std::string path; ///< with * for an index if it stands for all instances: socket*.l2.fills
    std::string unit, doc;
    std::string over; ///< reduction of the instances: "sum of 4", "mean of 1 to 16"; "" if it is one
    std::vector<std::optional<double>> values; ///< by run; none: it has no such number

    /// Value of run `run` over that of the first, less 1; none if the first is 0 or either is missing.
    std::optional<double> change(std::size_t run) const;
    bool differs() const;
    double size = 0.0; ///< sort key: 0 is no change from the first run, 1 a change from 0 to many
};

/// A row of the runs' statistics by kernel: a launch, launches side by side, or the time outside kernels.
struct KernelDifference {
    std::string kind, name;                ///< as `rows` of results.json have them
    std::optional<std::uint64_t> launch;   ///< its number
    std::vector<NumberDifference> numbers; ///< its cycles, then the main figures of a kernel
    std::size_t most = 0;                  ///< which of the numbers differs most besides the cycles; 0: none does
    double cycles_apart = 0.0;             ///< sort key: the largest difference of cycles from the first run

    bool differs() const;
};

struct Comparison {
    struct Run {
        std::string name, system, workload;
    };
    std::vector<Run> runs;
    std::vector<SettingDifference> settings;             ///< by size
    std::vector<NumberDifference> headline;              ///< the main numbers, whether they differ or not
    std::vector<KernelDifference> kernels;               ///< by the change of their cycles, whether they differ or not
    std::vector<NumberDifference> slots, access_latency; ///< whether they differ or not
    std::vector<NumberDifference> statistics;            ///< those that differ, by size
    std::size_t same = 0;                                ///< statistics that do not differ
    std::vector<Attribution> attributions;               ///< of each run but the first; empty: not known
};

/// Compares runs. With `each`, all instances (socket, slice, channel) have their own numbers; else these are reduced.
Comparison compare_runs(const std::vector<ComparedRun>& runs, bool each);

/// Size of a change, from 0 to 1: |b - a| over the larger of both. A `counted` n has an uncertainty of 10 sqrt(n).
double size_of_change(double a, double b, bool counted);

/// Key of the entry of `units` (results.json) for the path of a statistic, with * for indices; "" if there is none. The
/// path of a histogram's member gives the histogram's key.
std::string unit_key(const ordered_json& units, const std::string& path);

} // namespace numavp
