#include "platform/machine/moved_settings.h"

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "platform/machine/place_at_path.h"

namespace numavp {
namespace {

struct MovedSetting {
    std::string_view was, now;
};
constexpr MovedSetting kMoved[] = {
    {"network.routing", "routing"},
    // files of networks alone: a network is part of a system
    {"networks", "network"},
    {"links", "network.links"},
    {"noc_khz", "network.noc_khz"},
    {"entry", "network.entry"},
    {"ugal_threshold", "network.ugal_threshold"},
};

/// The path as the file has it, also of an element, as in "links[0]"; empty if it has none.
std::string found(const json& value, std::string_view path) {
    if (!value.is_object()) return "";
    const std::size_t dot = path.find('.');
    const std::string_view first = path.substr(0, dot);
    for (const auto& [key, inside] : value.items()) {
        if (key.substr(0, key.find('[')) != first) continue;
        if (dot == std::string_view::npos) return key;
        const std::string rest = found(inside, path.substr(dot + 1));
        if (!rest.empty()) return key + "." + rest;
    }
    return "";
}

} // namespace

void refuse_moved_settings(const ConfigDocument& system) {
    for (const MovedSetting& moved : kMoved)
        if (const std::string path = found(system.value, moved.was); !path.empty())
            throw ConfigError(at_path(system.place(), path), fmt::format("it is called {} now", moved.now));
}

} // namespace numavp
