#include "common/system/moved_settings.h"

#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "common/system/system_config.h"

namespace numavp {
namespace {

struct MovedSetting {
    std::string_view was; ///< '*' is any name or number
    std::string_view now;
};
constexpr MovedSetting kMoved[] = {
    {"network.routing", "routing"},
    // of files of networks alone, which are systems now
    {"networks.*.topology", "network.topology"},
    {"networks.*.routers_per_terminal", "network.cubes_per_gpu"},
    {"networks.*.channels_per_router", "network.channels_per_cube"},
    {"networks.*.concentration", "network.concentration"},
    {"networks.*.parallel_channels", "network.parallel_channels"},
    {"networks.*.dimensions", "network.dimensions"},
    {"networks", "network"},
    {"links.*.latency_ns", "network.channel_ns"},
    {"links.*.flit_bytes", "network.flit_bytes"},
    {"links.*.virtual_channels", "network.virtual_channels"},
    {"links.*.buffer_bytes", "network.buffer_bytes"},
    {"links.*.energy_pj_per_bit", "network.energy_pj_per_bit"},
    {"links.*.idle_pj_per_bit", "network.idle_pj_per_bit"},
    {"links", "network.links"},
    {"parts.*.terminal_ns", "network.cube_ns"},
    {"noc_khz", "network.noc_khz"},
    {"entry", "network.entry"},
    {"ugal_threshold", "network.ugal_threshold"},
};

/// Finds the place of `path` in a value; --set writes "links[0]" as one key.
std::optional<Place> find_moved(const json& value, std::string_view path, const Place& place) {
    const std::size_t dot = path.find('.');
    const std::string_view first = path.substr(0, dot);
    const auto below = [&](const json& inside, const Place& there) -> std::optional<Place> {
        if (dot == std::string_view::npos) return there;
        return find_moved(inside, path.substr(dot + 1), there);
    };
    if (value.is_array() && first == "*")
        for (std::size_t i = 0; i < value.size(); ++i)
            if (auto found = below(value[i], place.at(i))) return found;
    if (!value.is_object()) return std::nullopt;
    for (const auto& [key, inside] : value.items()) {
        const std::size_t bracket = key.find('[');
        std::optional<Place> found;
        if (first == "*" || key == first)
            found = below(inside, place.at(key));
        else if (key.substr(0, bracket) == first && path.substr(dot + 1, 2) == "*.") // its number is inside the key
            found = find_moved(inside, path.substr(dot + 3), place.at(key));
        else if (key.substr(0, bracket) == first && dot == std::string_view::npos)
            found = place.at(key);
        if (found) return found;
    }
    return std::nullopt;
}

/// A setting of the network where those of the system stand.
void refuse_bare_network_settings(const ConfigDocument& system) {
    if (!system.value.is_object()) return;
    const ordered_json known = dump_config(SystemConfig{});
    for (const auto& [key, unused] : system.value.items())
        if (!known.contains(key) && known.at("network").contains(key))
            throw ConfigError(system.place().at(key),
                              fmt::format("unknown key '{}'; 'network.{}' is meant?", key, key));
}

} // namespace

void refuse_moved_settings(const ConfigDocument& system) {
    const auto links = system.value.is_object() ? system.value.find("links") : system.value.end();
    if (links != system.value.end() && links->is_array())
        throw ConfigError(system.place().at("links"), "it is called network.links now");
    for (const MovedSetting& moved : kMoved)
        if (const auto place = find_moved(system.value, moved.was, system.place()))
            throw ConfigError(*place, fmt::format("it is called {} now", moved.now));
    refuse_bare_network_settings(system);
}

ConfigDocument resolved_document(const json& configuration, const std::string& file) {
    ConfigDocument document{file, configuration, {}};
    json& value = document.value;
    if (!value.is_object()) return document;
    const auto network = value.find("network");
    if (network != value.end() && network->is_object() && network->contains("routing")) { // of earlier versions
        value["routing"] = (*network)["routing"];
        network->erase("routing");
    }
    const auto parts = value.find("parts");
    if (parts != value.end() && parts->is_array() && !parts->empty()) value.erase("sockets"); // follows from them
    return document;
}

SystemConfig recorded_config(const json& configuration, const Place& place) {
    return read_config<SystemConfig>(resolved_document(configuration, "").value, place);
}

} // namespace numavp
