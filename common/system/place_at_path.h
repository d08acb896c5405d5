/// Places of a configuration by dotted paths.
#pragma once

#include <string_view>

#include "base/config/config.h"

namespace numavp {

/// The place of a field by its dotted path.
inline Place at_path(Place place, std::string_view path) {
    while (!path.empty()) {
        const std::size_t dot = path.find('.');
        place = place.at(path.substr(0, dot));
        path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
    }
    return place;
}

} // namespace numavp
