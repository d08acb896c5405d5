#include "base/values/name_table.h"

#include <algorithm>

#include "base/values/utf8.h"

namespace numavp {
namespace {

/// Longer words are not compared: nobody means them, and the cost is the product of the lengths.
constexpr std::size_t kLongestName = 64;

/// More names than these are counted: a list of them hides the sentence around it.
constexpr std::size_t kMostListed = 40;

/// Edit distance of insertion, deletion, substitution and the swap of two neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substituted = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({substituted, last[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before.swap(last);
        last.swap(row);
    }
    return last[b.size()];
}

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; } // UTF-8

} // namespace

std::string quotable(std::string_view text) {
    std::size_t end = text.size();
    if (end > kLongestName)
        for (end = kLongestName; end > 0 && continues_character(text[end]);) --end;
    std::string quoted;
    for (std::size_t at = 0; at < end;) {
        const auto c = static_cast<unsigned char>(text[at]);
        const std::size_t bytes = character_bytes(text.substr(at, end - at));
        const bool c1 = bytes == 2 && c == 0xc2 && static_cast<unsigned char>(text[at + 1]) < 0xa0;
        if (bytes == 0 || c1 || c < ' ' || c == 127)
            quoted += '?';
        else
            quoted += text.substr(at, bytes);
        at += std::max<std::size_t>(bytes, 1);
    }
    return end < text.size() ? quoted + "..." : quoted;
}

std::string nearest_name(std::string_view name, const std::vector<std::string_view>& known) {
    std::string_view best;
    std::size_t best_distance = std::max<std::size_t>(2, name.size() / 3) + 1;
    for (std::string_view candidate : known) {
        if (name.size() > kLongestName || candidate.size() > kLongestName) continue;
        // A word that is contained in the other is an abbreviation, however many letters are missing.
        const bool part = name.size() >= 3 && candidate.find(name) != std::string_view::npos;
        const std::size_t distance = part ? 1 : edit_distance(name, candidate);
        if (distance < best_distance && distance < candidate.size()) {
            best_distance = distance;
            best = candidate;
        }
    }
    return std::string(best);
}

std::string unknown_name(std::string_view what, std::string_view name, const std::vector<std::string_view>& known) {
    std::string text = "unknown " + std::string(what) + " '" + quotable(name) + "'";
    const std::string nearest = nearest_name(name, known);
    if (!nearest.empty()) text += ", the nearest is '" + nearest + "'";
    text += known.empty() ? "; none exists here" : "; allowed are ";
    if (known.size() > kMostListed) return text + std::to_string(known.size()) + " names";
    for (std::size_t i = 0; i < known.size(); ++i) {
        if (i > 0) text += ", ";
        text += "'" + std::string(known[i]) + "'";
    }
    return text;
}

} // namespace numavp
