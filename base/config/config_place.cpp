#include "base/config/config_place.h"

#include <algorithm>
#include <iterator>

#include "base/config/instances.h"

namespace numavp {
namespace {

constexpr std::string_view kSetPrefix = "--set ";

bool is_inside(std::string_view path, std::string_view outer) {
    return path.size() > outer.size() && path.compare(0, outer.size(), outer) == 0 &&
           (path[outer.size()] == '.' || path[outer.size()] == '[');
}

bool is_plain_key(std::string_view key) {
    return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    });
}

/// Such as socket[2] or socket[4..19]: read as it is written.
bool is_instance_key(std::string_view key) {
    const std::size_t bracket = key.find('[');
    return bracket != std::string_view::npos && is_plain_key(key.substr(0, bracket)) &&
           index_range(key.substr(bracket));
}

} // namespace

void Origins::record(const std::string& path, const std::string& source) {
    // The values inside were replaced. In the map, paths that begin with `path` follow it in order.
    for (auto it = sources_.upper_bound(path); it != sources_.end() && it->first.compare(0, path.size(), path) == 0;)
        it = is_inside(it->first, path) ? sources_.erase(it) : std::next(it);
    sources_[path] = source;
}

std::string Origins::source(const std::string& path) const {
    const std::pair<const std::string, std::string>* around = nullptr;
    for (const auto& entry : sources_) {
        if (entry.first != path && !is_inside(path, entry.first)) continue;
        if (around == nullptr || entry.first.size() > around->first.size()) around = &entry;
    }
    if (around != nullptr) return around->second;

    std::string common;
    for (const auto& [inner, source] : sources_) {
        if (!is_inside(inner, path)) continue;
        if (!common.empty() && common != source) return "";
        common = source;
    }
    return common;
}

Place Place::at(std::string_view key) const {
    const bool bare = is_plain_key(key) || is_instance_key(key);
    const std::string step = bare ? "." + std::string(key) : "[\"" + std::string(key) + "\"]";
    return {file_, path_ + step, origins_};
}

Place Place::at(std::size_t index) const { return {file_, path_ + "[" + std::to_string(index) + "]", origins_}; }

std::string Place::str() const {
    std::string source = origins_ == nullptr ? "" : origins_->source(path_);
    if (source.compare(0, kSetPrefix.size(), kSetPrefix) == 0 && path_ == "$." + source.substr(kSetPrefix.size()))
        return source;
    std::string text = (source.empty() ? file_ : source) + ": " + path_;
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 127; }, '?'); // keys may hold anything
    return text;
}

} // namespace numavp
