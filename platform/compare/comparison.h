/// What differs between runs: settings, and results by the size of their change.
///
/// Plain functions over the content of results.json. The first run is the one that the others are held against.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/base/config_file.h"

namespace numavp {

struct ComparedRun {
    std::string name; ///< as the user named it: a folder, a configuration of a study
    ordered_json results;
};

/// A setting that is not the same in all runs.
struct SettingDifference {
    std::string path;
    std::vector<ordered_json> values; ///< by run; null: it has no such setting
    double size = 0.0;                ///< of numbers: the logarithm of the largest ratio; of names infinite
};

/// A number of the results.
struct NumberDifference {
    std::string path; ///< with * for an index if it stands for all instances: socket*.l2.fills
    std::string unit, doc;
    std::string over; ///< what was made of the instances: "sum of 4", "mean of 1 to 16"; "" if it is one
    std::vector<std::optional<double>> values; ///< by run; none: it has no such number

    /// Value of run `run` over that of the first, less 1; none if the first is 0 or either is missing.
    std::optional<double> change(std::size_t run) const;
    bool differs() const;
    double size = 0.0; ///< orders: 0 is no change of what the first run has, 1 that from 0 to many
};

struct Comparison {
    struct Run {
        std::string name, system, workload;
    };
    std::vector<Run> runs;
    std::vector<SettingDifference> settings;  ///< by size
    std::vector<NumberDifference> headline;   ///< what a person asks first, whether it differs or not
    std::vector<NumberDifference> statistics; ///< those that differ, by size
    std::size_t same = 0;                     ///< statistics that do not differ
};

/// With `each`, every instance (socket, slice, channel) has its own numbers; without, they are summed up.
Comparison compare_runs(const std::vector<ComparedRun>& runs, bool each);

/// The entry of `units` (results.json) for the path of a statistic: its key, with * for indices; "" if there is none. A
/// member of a histogram finds the histogram's.
std::string unit_key(const ordered_json& units, const std::string& path);

} // namespace numavp
