/// RTL, firmware and placement policies of the user's that decide in a system in the place of ours: what `explain`,
/// run.json and reports name.
#pragma once

#include <string>
#include <vector>

#include "base/config/config_file.h"
#include "common/system/system_config.h"

namespace numavp {

struct OwnInput {
    std::string replaces; ///< "lane_balancer", "firmware" or "placement_policy"
    std::string path;
    std::string sha1; ///< of the file: of RTL when it was built, of others now; empty: it can't be read
};

/// Files of the user's that the system uses.
std::vector<OwnInput> own_inputs(const SystemConfig& config);
/// The same as a list of objects with these members.
ordered_json own_inputs_json(const SystemConfig& config);
/// "rtl/mine.sv (SHA-1 0123...)" and further ones of `replaces`; empty if there is none.
std::string own_text(const SystemConfig& config, const std::string& replaces);

} // namespace numavp
