/// Arithmetic of instructions as the manual defines it, where C++ does not: words, shifts, quotients.
#pragma once

#include <cstdint>

namespace numavp::rv64 {

constexpr std::int64_t as_signed(std::uint64_t v) { return static_cast<std::int64_t>(v); }
constexpr std::uint64_t as_unsigned(std::int64_t v) { return static_cast<std::uint64_t>(v); }
constexpr std::int32_t signed_word(std::uint64_t v) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(v)); }
/// The low 32 bits, sign-extended.
constexpr std::uint64_t word(std::uint64_t v) { return as_unsigned(signed_word(v)); }

constexpr std::uint64_t shift_arithmetic(std::uint64_t v, unsigned by) { return as_unsigned(as_signed(v) >> by); }
constexpr std::uint64_t shift_word(std::uint64_t v, unsigned by) { return as_unsigned(signed_word(v) >> by); }

__extension__ using Wide = __int128;

constexpr std::uint64_t high_ss(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint64_t>(Wide{as_signed(a)} * as_signed(b) >> 64);
}
constexpr std::uint64_t high_su(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint64_t>(Wide{as_signed(a)} * static_cast<Wide>(b) >> 64);
}
constexpr std::uint64_t high_uu(std::uint64_t a, std::uint64_t b) {
    __extension__ using UnsignedWide = unsigned __int128;
    return static_cast<std::uint64_t>(UnsignedWide{a} * b >> 64);
}

/// Division by zero gives all ones and the dividend as remainder; the one overflow gives the dividend and zero.
template <class Signed> constexpr Signed divide(Signed a, Signed b) {
    if (b == 0) return -1;
    if (b == -1) return static_cast<Signed>(0 - static_cast<std::uint64_t>(a));
    return static_cast<Signed>(a / b);
}
template <class Signed> constexpr Signed remainder(Signed a, Signed b) {
    if (b == 0) return a;
    return b == -1 ? Signed{0} : static_cast<Signed>(a % b);
}
template <class Unsigned> constexpr Unsigned divide_unsigned(Unsigned a, Unsigned b) {
    return b == 0 ? static_cast<Unsigned>(-1) : a / b;
}
template <class Unsigned> constexpr Unsigned remainder_unsigned(Unsigned a, Unsigned b) { return b == 0 ? a : a % b; }

} // namespace numavp::rv64
