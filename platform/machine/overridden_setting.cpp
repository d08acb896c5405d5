#include "platform/machine/overridden_setting.h"

#include <algorithm>

#include <fmt/format.h>

namespace numavp {
namespace {

bool begins_with(const std::string& text, const std::string& head) { return text.compare(0, head.size(), head) == 0; }

/// A member that describes sockets.
struct Member {
    std::string key; ///< empty: the path is that of no such member
    IndexRange range = {};
    std::size_t narrower = 0; ///< first index in `own_sockets.all` of members that can override it
};

Member member_of(const SystemConfig& config, const std::string& path) {
    Member found;
    if (begins_with(path, "$.socket.")) found = {"socket", {0, config.sockets - 1}, 0};
    const auto& all = config.own_sockets.all;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (begins_with(path, "$." + all[i].key + ".")) found = {all[i].key, all[i].range, i + 1};
    return found;
}

} // namespace

void refuse_overridden(const ConfigDocument& document, const SystemConfig& config, const std::string& path) {
    const Member member = member_of(config, path);
    if (member.key.empty()) return;
    const std::string setting = path.substr(member.key.size() + 3);
    if (setting.find('[') != std::string::npos) return;
    json::json_pointer within;
    Place place = document.place().at(member.key);
    for (std::size_t begin = 0; begin < setting.size();) {
        const std::size_t end = std::min(setting.find('.', begin), setting.size());
        within /= setting.substr(begin, end - begin);
        place = place.at(setting.substr(begin, end - begin));
        begin = end + 1;
    }

    const json& value = document.value.at(member.key);
    if (!value.contains(within) || value.at(within).is_structured()) return;

    const auto& all = config.own_sockets.all;
    std::string other;
    for (unsigned s = member.range.first; s <= member.range.last; ++s) {
        bool reached = true;
        for (std::size_t i = member.narrower; i < all.size(); ++i) {
            if (!all[i].range.contains(s) || !document.value.at(all[i].key).contains(within)) continue;
            reached = false;
            other = all[i].key;
        }
        if (reached) return;
    }
    throw ConfigError(place, fmt::format("this changes no socket, since each has another value for it; {}.{} is "
                                         "one to set instead",
                                         other, setting));
}

} // namespace numavp
