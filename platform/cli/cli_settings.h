/// Lists every setting of a system by walking the field lists of its configuration.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/config/config_file.h"

namespace numavp {

struct Setting {
    std::string path;    ///< as --set takes it: socket.l2.ways
    std::string allowed; ///< "1 to 16 ways", "true, false", names
    std::string doc;
    ordered_json value; ///< the default
    /// Name and sentence of each value, if the values are names.
    std::vector<std::pair<std::string, std::string>> choices;
};

std::vector<Setting> system_settings();

} // namespace numavp
