#include "base/config/instances.h"

#include <charconv>

namespace numavp {

std::string IndexRange::text() const {
    return "[" + std::to_string(first) + (last == first ? "" : ".." + std::to_string(last)) + "]";
}

std::optional<IndexRange> index_range(std::string_view text) {
    if (text.size() < 3 || text.front() != '[' || text.back() != ']') return std::nullopt;
    const char* const end = text.data() + text.size() - 1;
    IndexRange range;
    auto [at, wrong] = std::from_chars(text.data() + 1, end, range.first);
    if (wrong != std::errc()) return std::nullopt;
    range.last = range.first;
    if (at != end) {
        if (end - at < 3 || at[0] != '.' || at[1] != '.') return std::nullopt;
        const auto [stop, bad] = std::from_chars(at + 2, end, range.last);
        if (bad != std::errc() || stop != end) return std::nullopt;
    }
    if (range.last < range.first) return std::nullopt;
    return range;
}

} // namespace numavp
