/// What a person asks first of a kernel, from the member `kernels` of results.json: for timeline, report and studies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/base/config_file.h"

namespace numavp {

/// One number of each row.
struct KernelFigure {
    std::string name; ///< such as "l1_hit_rate"
    std::string unit; ///< empty: a ratio
    std::string doc;
    std::vector<ordered_json> values; ///< by row; null where nothing was counted
};

/// Rows of `kernels` that are taken together.
struct KernelGroups {
    std::vector<std::size_t> of_row; ///< the group of each row
    std::size_t count = 0;           ///< of groups
};

/// Sums are over all sockets, rates are of a row's own time. Always the same figures in the same order; one that the
/// system has no statistic for is null in all rows.
std::vector<KernelFigure> kernel_figures(const ordered_json& kernels, std::uint64_t clock_khz);
/// The same with a value for each group of rows. What does not add up, such as a percentile, is null.
std::vector<KernelFigure> kernel_figures(const ordered_json& kernels, std::uint64_t clock_khz,
                                         const KernelGroups& groups);

} // namespace numavp
