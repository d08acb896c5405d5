/// The networks of configs/systems/networks, for tests.
#pragma once

#include <string>
#include <vector>

#include "common/system/network_alone.h"
#include "tests/support/places.h"

namespace numavp::test {

inline std::vector<std::string> network_names() {
    return {"ddfly-4g16h",     "dfbfly-4g16h",       "dfbfly-4g16h-random-entry", "flatfly-64",      "mesh-8x8",
            "ring-4g16h",      "sfbfly-4g16h",       "ring-4g16h-random-entry",   "sfbfly-16g64h",   "smesh-1x4-4g16h",
            "smesh-2x2-4g16h", "smesh-1x4-4g16h-2x", "smesh-2x2-4g16h-2x",        "storus-4g16h-2x", "storus-4g16h",
            "torus-8x8"};
}

inline NetworkSystem network(const std::string& name, const std::vector<std::string>& settings = {}) {
    return load_network(source_dir() + "/configs/systems/networks/" + name + ".json", settings);
}

} // namespace numavp::test
