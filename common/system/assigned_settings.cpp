#include "common/system/assigned_settings.h"

#include <algorithm>

#include <fmt/format.h>

#include "common/system/idle_setting.h"

namespace numavp {
namespace {

/// A member that describes sockets.
struct Member {
    std::string key;
    IndexRange range;
};

/// Where a value was set, and the members that can override it.
struct Assigned {
    Member member;                    ///< without a key: none that describes sockets
    std::vector<Member> narrower;     ///< the widest first
    const char* inside_narrower = ""; ///< before the setting's name there
};

Assigned assigned(const SystemConfig& config, const std::string& path) {
    const auto is_in = [&path](const std::string& key) {
        return path.compare(0, key.size() + 3, "$." + key + ".") == 0;
    };
    const IndexRange every = {0, config.sockets - 1};
    Assigned found;
    if (is_in("link")) found = {{"link", every}, {{"socket", every}}, "link."};
    if (is_in("socket")) found.member = {"socket", every};
    for (const auto& one : config.own_sockets.all) {
        found.narrower.push_back({one.key, one.range});
        if (is_in(one.key)) found = {found.narrower.back(), {}, ""};
    }
    return found;
}

std::vector<std::string> steps_of(const std::string& setting) {
    std::vector<std::string> steps;
    for (std::size_t begin = 0; begin < setting.size();) {
        const std::size_t end = std::min(setting.find('.', begin), setting.size());
        steps.push_back(setting.substr(begin, end - begin));
        begin = end + 1;
    }
    return steps;
}

json::json_pointer pointer_of(const std::string& setting) {
    json::json_pointer pointer;
    for (const std::string& step : steps_of(setting)) pointer /= step;
    return pointer;
}

/// True if the member has a value there. Of a socket's own link 0 and "none" stand for the common one's.
bool has(const json& document, const std::string& key, const std::string& setting) {
    const json::json_pointer pointer = pointer_of(setting);
    if (!document.contains(key) || !document.at(key).contains(pointer)) return false;
    const json& value = document.at(key).at(pointer);
    return setting.compare(0, 5, "link.") != 0 || (value != 0 && value != "none");
}

/// Why no socket that the path names has the value, or uses it; empty if one does.
std::string why_no_socket(const ConfigDocument& document, const SystemConfig& config, const Assigned& to,
                          const std::string& setting) {
    std::string other, idle;
    const std::string there = to.inside_narrower + setting;
    for (unsigned s = to.member.range.first; s <= to.member.range.last; ++s) {
        bool reached = true;
        for (const Member& one : to.narrower) {
            if (!one.range.contains(s) || !has(document.value, one.key, there)) continue;
            reached = false;
            other = one.key;
        }
        if (!reached) continue;
        const std::string why = why_idle(config.socket_at(s), there);
        if (why.empty()) return "";
        if (idle.empty()) idle = why;
    }
    if (other.empty()) return fmt::format("this changes nothing: {}", idle);
    return fmt::format("this changes no socket, since each has another value for it{}; {}.{} is one to set instead",
                       idle.empty() ? "" : ", or no use", other, there);
}

/// ConfigError if the value set at `path` changes nothing.
void refuse_useless(const ConfigDocument& document, const SystemConfig& config, const std::string& path) {
    const Assigned to = assigned(config, path);
    const std::string& key = to.member.key;
    const std::string setting = path.substr(key.empty() ? 2 : key.size() + 3);
    if (setting.find('[') != std::string::npos) return;
    const json& member = key.empty() ? document.value : document.value.at(key);
    const json::json_pointer pointer = pointer_of(setting);
    if (!member.contains(pointer) || member.at(pointer).is_structured()) return;
    std::string why = key.empty() ? why_idle(config, setting) : why_no_socket(document, config, to, setting);
    const bool common = key.empty() || (why.empty() && key == "link"); // to all sockets
    if (common && !key.empty()) why = why_idle(config, key + "." + setting);
    if (why.empty()) return;
    if (common) why = "this changes nothing: " + why;
    Place place = key.empty() ? document.place() : document.place().at(key);
    for (const std::string& step : steps_of(setting)) place = place.at(step);
    throw ConfigError(place, why);
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

SystemConfig read_assigned_system(const ConfigDocument& document, const std::vector<std::string>& paths) {
    refuse_bare_network_settings(document);
    auto config = read_config<SystemConfig>(document);
    for (const std::string& path : paths) refuse_useless(document, config, path);
    return config;
}

} // namespace numavp
