#include "common/words/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "base/values/utf8.h"

namespace numavp {

namespace {
bool is_number(const std::string& text) {
    char* end = nullptr;
    std::strtod(text.c_str(), &end);
    return end == text.c_str() + text.size();
}
} // namespace

std::string grouped(std::uint64_t number) {
    std::string digits = std::to_string(number);
    for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
    return digits;
}

std::string bytes_text(std::uint64_t bytes) {
    constexpr std::array<const char*, 5> kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
    double value = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; value >= 1024.0 && unit + 1 < kUnits.size(); ++unit) value /= 1024.0;
    return fmt::format("{:.4g} {}", value >= 1000.0 ? std::round(value) : value, kUnits[unit]);
}

std::string seconds_text(double seconds) {
    if (seconds < 9.95) return fmt::format("{:.2g} s", seconds);
    const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
    return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string rate_text(double per_second) {
    constexpr std::array<const char*, 4> kPrefixes = {"", " k", " M", " G"};
    std::size_t prefix = 0;
    for (; per_second >= 1000.0 && prefix + 1 < kPrefixes.size(); ++prefix) per_second /= 1000.0;
    return fmt::format("{:.3g}{}", per_second, kPrefixes[prefix]);
}

std::string file_name_of(const std::string& text) {
    std::string name = text.substr(0, 100);
    for (char& c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-' && c != '_' && c != '.') c = '-';
    if (name.empty() || name[0] == '.') name.insert(0, "_");
    return name;
}

std::string escaped(const std::string& text, bool lines) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : '\0');
        const bool c1 = c == 0xc2 && next >= 0x80 && next < 0xa0; // U+0080 to U+009F in UTF-8
        const std::size_t bytes = character_bytes(std::string_view(text).substr(i));
        if (c1) ++i;
        if (c1 || bytes == 0 || (c < ' ' && !(lines && c == '\n')) || c == 0x7f) {
            out += fmt::format("\\x{:02x}", c1 ? next : c);
        } else {
            out += text.substr(i, bytes);
            i += bytes - 1;
        }
    }
    return out;
}

std::string csv_field(const std::string& text) {
    // A spreadsheet computes what begins like a formula; behind an apostrophe it is a text.
    constexpr std::string_view kFormulas = "=+-@";
    if (text.size() > 1 && kFormulas.find(text[0]) != std::string_view::npos && !is_number(text))
        return csv_field("'" + text);
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + "\"";
}

std::string csv_line(const std::vector<std::string>& cells) {
    std::string line;
    for (const std::string& cell : cells) line += (&cell == &cells.front() ? "" : ",") + csv_field(cell);
    return line + "\n";
}

std::string Style::bold(const std::string& text) const { return colour ? "\033[1m" + text + "\033[0m" : text; }
std::string Style::dim(const std::string& text) const { return colour ? "\033[2m" + text + "\033[0m" : text; }

Style style_of(int descriptor) {
    const char* unwanted = std::getenv("NO_COLOR");
    const char* kind = std::getenv("TERM");
    const bool wanted =
        (unwanted == nullptr || *unwanted == '\0') && kind != nullptr && std::string_view(kind) != "dumb";
    return {wanted && isatty(descriptor) == 1};
}

TextTable::TextTable(std::vector<std::string> header, std::vector<bool> left)
    : header_(std::move(header)), left_(std::move(left)) {
    left_.resize(header_.size(), false);
    if (!left_.empty()) left_[0] = true;
}

void TextTable::row(std::vector<std::string> cells) {
    cells.resize(header_.size());
    rows_.push_back(std::move(cells));
}

std::string TextTable::text(const Style& style, unsigned indent) const {
    std::vector<std::size_t> width;
    for (const std::string& title : header_) width.push_back(title.size());
    for (const auto& row : rows_)
        for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], row[i].size());

    const auto line = [&](const std::vector<std::string>& cells) {
        std::string out(indent, ' ');
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::string gap(width[i] - cells[i].size(), ' ');
            out += (i == 0 ? "" : "  ") + (left_[i] ? cells[i] + gap : gap + cells[i]);
        }
        out.erase(out.find_last_not_of(' ') + 1);
        return out;
    };
    std::string text;
    if (std::any_of(header_.begin(), header_.end(), [](const std::string& title) { return !title.empty(); }))
        text = style.dim(line(header_)) + "\n";
    for (const auto& row : rows_) text += line(row) + "\n";
    return text;
}

} // namespace numavp
