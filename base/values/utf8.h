/// Characters of UTF-8 in bytes that may be anything.
#pragma once

#include <cstddef>
#include <string_view>

namespace numavp {

/// Bytes of the well-formed character at the beginning of `text`, 1 to 4; 0 if there is none.
inline std::size_t character_bytes(std::string_view text) {
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (text.empty()) return 0;
    const unsigned first = byte(0);
    if (first < 0x80) return 1;
    const std::size_t size = first >= 0xc2 && first < 0xe0   ? 2
                             : (first & 0xf0) == 0xe0        ? 3
                             : first >= 0xf0 && first < 0xf5 ? 4
                                                             : 0;
    if (size == 0 || text.size() < size) return 0;
    for (std::size_t i = 1; i < size; ++i)
        if ((byte(i) & 0xc0) != 0x80) return 0;
    // Longer forms of shorter characters, halves of pairs of UTF-16, beyond U+10FFFF.
    const unsigned second = byte(1);
    const bool odd = (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
                     (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90);
    return odd ? 0 : size;
}

} // namespace numavp
