/// The sockets of a machine as rows of a summary's tables.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/system/system_config.h"

namespace numavp {

struct PartNames {
    /// Consecutive sockets of one kind.
    struct Kind {
        std::string name; ///< "cube[0..15]"
        std::size_t first = 0, count = 0;
    };
    bool named = false;            ///< by the file's parts
    std::string what = "socket";   ///< title of their column
    std::vector<std::string> each; ///< "0", or "gpu[0]"
    std::vector<Kind> kinds;
};
PartNames part_names(const SystemConfig& config);

/// One socket, or the mean of several.
struct PartRow {
    std::string name;
    std::size_t first = 0, count = 1;

    /// Mean of the values that there are; none if there are none.
    std::optional<double> mean(const std::function<std::optional<double>(std::size_t)>& value) const;
};
/// A row for each socket; of a large machine, one for each kind that has many.
std::vector<PartRow> part_rows(const PartNames& names);

} // namespace numavp
