/// A set of a router's ports: a bit each of two words, for switches of up to 128 ports (NVSwitch of the fourth
/// generation has 72).
#pragma once

#include <cstdint>

namespace numavp {

__extension__ using PortSet = unsigned __int128;

inline constexpr unsigned kPortSetSize = 128;

constexpr PortSet port_bit(unsigned port) { return PortSet{1} << port; }
constexpr bool has_port(PortSet ports, unsigned port) { return (ports >> port & 1U) != 0; }
/// The lowest port of a set that has one.
inline unsigned first_port(PortSet ports) {
    const auto low = static_cast<std::uint64_t>(ports);
    return low != 0 ? static_cast<unsigned>(__builtin_ctzll(low))
                    : 64U + static_cast<unsigned>(__builtin_ctzll(static_cast<std::uint64_t>(ports >> 64)));
}
/// The first port of a set at or after `turn`, else the first of all; the set is not empty.
inline unsigned port_in_turn(PortSet ports, unsigned turn) {
    const PortSet later = ports & (~PortSet{0} << turn);
    return first_port(later != 0 ? later : ports);
}

} // namespace numavp
