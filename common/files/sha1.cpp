#include "common/files/sha1.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

namespace numavp {

namespace {

// FIPS 180-4, section 6.1.
constexpr std::size_t kBlockBytes = 64, kLengthBytes = 8;

std::uint32_t rotated(std::uint32_t word, unsigned bits) { return word << bits | word >> (32 - bits); }

void add_block(std::array<std::uint32_t, 5>& hash, const unsigned char* block) {
    std::array<std::uint32_t, 80> words{};
    for (std::size_t t = 0; t < 16; ++t)
        for (std::size_t i = 0; i < 4; ++i) words[t] = words[t] << 8 | block[4 * t + i];
    for (std::size_t t = 16; t < words.size(); ++t)
        words[t] = rotated(words[t - 3] ^ words[t - 8] ^ words[t - 14] ^ words[t - 16], 1);
    auto [a, b, c, d, e] = hash;
    for (std::size_t t = 0; t < words.size(); ++t) {
        const std::uint32_t mixed = t < 20   ? ((b & c) | (~b & d)) + 0x5a827999
                                    : t < 40 ? (b ^ c ^ d) + 0x6ed9eba1
                                    : t < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
                                             : (b ^ c ^ d) + 0xca62c1d6;
        const std::uint32_t next = rotated(a, 5) + mixed + e + words[t];
        e = d;
        d = c;
        c = rotated(b, 30);
        b = a;
        a = next;
    }
    hash = {hash[0] + a, hash[1] + b, hash[2] + c, hash[3] + d, hash[4] + e};
}

} // namespace

std::string sha1_of(const std::string& text) {
    std::string padded = text + '\x80';
    padded.resize((padded.size() + kLengthBytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes - kLengthBytes);
    const std::uint64_t bits = std::uint64_t{8} * text.size();
    for (unsigned i = kLengthBytes; i-- > 0;) padded.push_back(static_cast<char>(bits >> (8 * i)));
    std::array<std::uint32_t, 5> hash{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    for (std::size_t at = 0; at < padded.size(); at += kBlockBytes)
        add_block(hash, reinterpret_cast<const unsigned char*>(padded.data()) + at);
    return fmt::format("{:08x}{:08x}{:08x}{:08x}{:08x}", hash[0], hash[1], hash[2], hash[3], hash[4]);
}

std::string sha1_of_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) return "";
    return sha1_of({std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()});
}

} // namespace numavp
