/// The main figures of each kernel, from the member `kernels` of results.json: for timeline, report and studies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/config/config_file.h"

namespace numavp {

/// One figure, with its value in each row.
struct KernelFigure {
    std::string name; ///< such as "l1_hit_rate"
    std::string unit; ///< empty: a ratio
    std::string doc;
    std::vector<ordered_json> values; ///< by row; null where nothing was counted
};

/// Groups of rows in `kernels` that are summed.
struct KernelGroups {
    std::vector<std::size_t> of_row; ///< the group of each row
    std::size_t count = 0;           ///< of groups
};

/// Sums are over all sockets; rates are over the time of a row. The figures and their order are always the same; one
/// for which the system has no statistic is null in all rows.
std::vector<KernelFigure> kernel_figures(const ordered_json& kernels, std::uint64_t clock_khz);
/// The same with a value for each group of rows. A figure that does not add up, such as a percentile, is null.
std::vector<KernelFigure> kernel_figures(const ordered_json& kernels, std::uint64_t clock_khz,
                                         const KernelGroups& groups);

} // namespace numavp
