#include "communication/import/id_set.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

namespace numavp {

namespace {
std::vector<std::string_view> comma_parts(std::string_view text) {
    std::vector<std::string_view> parts;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t comma = std::min(text.find(',', from), text.size());
        parts.push_back(text.substr(from, comma - from));
        from = comma + 1;
    }
    return parts;
}
} // namespace

bool IdSet::meets(const IdSet& other) const {
    if (rest && other.rest) return true;
    return std::any_of(ids.begin(), ids.end(), [&](unsigned id) { return other.ids.count(id) != 0; });
}

bool IdSet::holds(const IdSet& other) const {
    if (other.rest && !rest) return false;
    return std::includes(ids.begin(), ids.end(), other.ids.begin(), other.ids.end());
}

std::string IdSet::text() const {
    std::string out;
    for (auto id = ids.begin(); id != ids.end();) {
        const unsigned first = *id;
        unsigned last = first;
        for (++id; id != ids.end() && *id == last + 1; ++id) last = *id;
        out +=
            (out.empty() ? "" : ",") + (first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last));
    }
    return rest ? out + "..." : out;
}

std::optional<unsigned> small_number(std::string_view text, unsigned most) {
    unsigned value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || fault != std::errc() || end != text.data() + text.size() || value > most) return std::nullopt;
    return value;
}

std::optional<IdSet> id_set_of_mask(std::string_view text) {
    constexpr std::string_view kRest = "0xf...f";
    IdSet set;
    std::vector<std::string_view> words = comma_parts(text);
    if (words.front() == kRest) {
        set.rest = true;
        words.erase(words.begin());
    }
    if (words.size() > kMostIds / 32) return std::nullopt;
    for (std::size_t w = 0; w < words.size(); ++w) {
        std::string_view word = words[w];
        if (word.empty()) continue; // stands for 0
        if (word.substr(0, 2) == "0x") word.remove_prefix(2);
        std::uint32_t bits = 0;
        const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), bits, 16);
        if (word.empty() || fault != std::errc() || end != word.data() + word.size()) return std::nullopt;
        const auto base = static_cast<unsigned>((words.size() - 1 - w) * 32);
        for (unsigned bit = 0; bit < 32; ++bit)
            if ((bits >> bit & 1) != 0) set.ids.insert(base + bit);
    }
    return set;
}

std::optional<IdSet> id_set_of_list(std::string_view text) {
    IdSet set;
    for (const std::string_view part : comma_parts(text)) {
        const std::size_t dash = std::min(part.find('-'), part.size());
        const auto first = small_number(part.substr(0, dash));
        const auto last = dash == part.size() ? first : small_number(part.substr(dash + 1));
        if (!first || !last || *last < *first) return std::nullopt;
        for (unsigned id = *first; id <= *last; ++id) set.ids.insert(id);
    }
    return set;
}

} // namespace numavp
