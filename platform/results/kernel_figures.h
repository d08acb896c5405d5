/// The main figures of each kernel, from the member `kernels` of results.json: for timeline, report and studies.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/config/config_file.h"

namespace numavp {

/// One figure, with its value in each row.
struct KernelFigure {
    std::string name; ///< such as "l1_hit_rate"
    std::string unit; ///< empty: a share
    std::string doc;
    bool detail = false;              ///< a part of what another is of
    std::vector<ordered_json> values; ///< by row; null where nothing was counted
};

/// Groups of rows in `kernels` that are summed.
struct KernelGroups {
    std::vector<std::size_t> of_row; ///< the group of each row
    std::size_t count = 0;           ///< of groups
};

/// Of a results.json with `kernels`. Sums are over all sockets; rates are over the time of a row. The first figures and
/// their order are always the same; one for which the system has no statistic is null in all rows. The other ratios
/// that the run registered follow.
std::vector<KernelFigure> kernel_figures(const ordered_json& results);
/// The same with a value for each group of rows. A figure that does not add up, such as a percentile, is null.
std::vector<KernelFigure> kernel_figures(const ordered_json& results, const KernelGroups& groups);

} // namespace numavp
