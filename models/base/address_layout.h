/// Layout of physical addresses: the socket in the upper bits, the offset in that socket's memory below.
#pragma once

#include <cstdint>

#include "models/base/types.h"

namespace numavp {

/// Physical byte address: socket << socket_shift | offset, where 2^socket_shift is the smallest power of two that
/// holds one socket's memory. Offsets from the capacity up to it are unused.
using PhysicalAddress = std::uint64_t;

/// Bits that `count` values need: the smallest b with 2^b >= count.
constexpr unsigned bits_for(std::uint64_t count) {
    unsigned bits = 0;
    while (bits < 64 && (std::uint64_t{1} << bits) < count) ++bits;
    return bits;
}

/// The layout of a system with equal memories. Line interleaving puts line i of the whole memory (i = offset of
/// the byte / 128, all sockets taken together) into socket i mod n at line i div n; the inverse is
/// i = line * n + socket. Both ways are exact for every n, and i < n * lines of a socket on one side if and only
/// if line < lines of a socket on the other.
class AddressLayout {
  public:
    AddressLayout(unsigned sockets, std::uint64_t capacity_bytes)
        : sockets_(sockets), socket_bits_(bits_for(sockets)), socket_shift_(bits_for(capacity_bytes)) {}

    unsigned sockets() const { return sockets_; }
    unsigned socket_shift() const { return socket_shift_; }
    /// Width of the widest physical address.
    unsigned address_bits() const { return socket_shift_ + socket_bits_; }

    PhysicalAddress address(SocketId socket, std::uint64_t offset) const {
        return (PhysicalAddress{socket.value} << socket_shift_) | offset;
    }
    SocketId home(PhysicalAddress address) const { return SocketId(address >> socket_shift_); }
    std::uint64_t offset(PhysicalAddress address) const {
        return address & ((PhysicalAddress{1} << socket_shift_) - 1);
    }

    /// Address of the first byte of line `index` of the interleaved memory.
    PhysicalAddress interleaved(std::uint64_t index) const {
        if ((sockets_ & (sockets_ - 1)) == 0)
            return address(SocketId(index & (sockets_ - 1)), (index >> socket_bits_) << kLineShift);
        return address(SocketId(index % sockets_), (index / sockets_) << kLineShift);
    }
    /// The inverse: index of the line that `address` lies in.
    std::uint64_t interleaved_index(PhysicalAddress address) const {
        return (offset(address) >> kLineShift) * sockets_ + home(address).value;
    }

  private:
    unsigned sockets_;
    unsigned socket_bits_;
    unsigned socket_shift_;
};

} // namespace numavp
