/// Fast scanning of the words of a trace line.
///
/// A scanner is used only on text that is known to be followed by a newline: every loop stops at a character that is
/// not part of its word, so no loop checks for the end of the text.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace numavp {

/// Value of a hexadecimal digit by its character, or -1.
inline constexpr std::array<int, 256> kHexDigit = [] {
    std::array<int, 256> table{};
    for (auto& entry : table) entry = -1;
    for (unsigned i = 0; i < 10; ++i) table['0' + i] = static_cast<int>(i);
    for (unsigned i = 0; i < 6; ++i) {
        table['a' + i] = static_cast<int>(10 + i);
        table['A' + i] = static_cast<int>(10 + i);
    }
    return table;
}();

/// A position in a line. The functions skip blanks, read a word and move `at` behind it; false if it is malformed.
struct Scanner {
    const char* at;

    void skip_blanks() {
        while (*at == ' ' || *at == '\t' || *at == '\r') ++at;
    }
    bool at_word_end() const { return *at == ' ' || *at == '\n' || *at == '\t' || *at == '\r'; }
    bool at_line_end() {
        skip_blanks();
        return *at == '\n';
    }
    void skip_line() {
        while (*at != '\n') ++at;
        ++at;
    }
    /// Reads hexadecimal digits, with or without "0x".
    bool hex(std::uint64_t& value) {
        skip_blanks();
        if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) at += 2;
        const char* first = at;
        std::uint64_t v = 0;
        for (int digit = 0; (digit = kHexDigit[static_cast<unsigned char>(*at)]) >= 0; ++at)
            v = (v << 4) | static_cast<unsigned>(digit);
        value = v;
        return at != first && (at - first <= 16 || only_zeros(first)) && at_word_end();
    }
    /// Reads decimal digits.
    bool decimal(std::uint64_t& value) {
        skip_blanks();
        const char* first = at;
        std::uint64_t v = 0;
        for (unsigned digit = 0; (digit = static_cast<unsigned char>(*at) - unsigned{'0'}) < 10; ++at)
            v = v * 10 + digit;
        value = v;
        return at != first && at - first <= 19 && at_word_end();
    }
    bool signed_decimal(std::int64_t& value) {
        skip_blanks();
        const bool negative = *at == '-';
        if (negative) ++at;
        std::uint64_t magnitude = 0;
        if (*at == ' ' || !decimal(magnitude) || magnitude > kMostSigned + (negative ? 1 : 0)) return false;
        value = static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
        return true;
    }
    std::string_view word() {
        skip_blanks();
        const char* first = at;
        while (!at_word_end()) ++at;
        return {first, static_cast<std::size_t>(at - first)};
    }

  private:
    static constexpr std::uint64_t kMostSigned = ~std::uint64_t{0} >> 1;
    bool only_zeros(const char* first) const {
        for (const char* p = first; p + 16 < at; ++p)
            if (*p != '0') return false;
        return true;
    }
};

} // namespace numavp
