/// Random packets, and whether two are the same.
#pragma once

#include "base/values/rng.h"
#include "tlm-links/flits/packet.h"

namespace numavp::test {

inline Packet random_packet(Rng& random) {
    Packet packet;
    packet.kind = static_cast<PacketKind>(random.below(4));
    packet.status = static_cast<std::uint8_t>(random.next());
    packet.id = static_cast<std::uint16_t>(random.next());
    packet.address = random.next();
    packet.length = static_cast<std::uint32_t>(1 + random.below(random.chance(1, 8) ? 500 : 140));
    if (random.chance(1, 3)) packet.set_enables([&](std::size_t) { return random.chance(1, 2); });
    if (random.chance(2, 3)) packet.bytes.resize(packet.length);
    for (auto& byte : packet.bytes) byte = static_cast<unsigned char>(random.next());
    return packet;
}

inline bool same_packet(const Packet& a, const Packet& b) {
    return a.kind == b.kind && a.status == b.status && a.id == b.id && a.address == b.address && a.length == b.length &&
           a.enables == b.enables && a.bytes == b.bytes;
}

} // namespace numavp::test
