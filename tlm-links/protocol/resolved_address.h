/// Sets the members of a record that follow from its address: home, slice and sizes of its packets.
#pragma once

#include <cstdint>

#include "tlm-links/protocol/address_map.h"
#include "tlm-links/protocol/txn.h"

namespace numavp {

inline void PacketSizes::apply(Txn& txn) const {
    unsigned request = header_bytes, response = header_bytes;
    switch (txn.kind) {
    case Kind::load:
    case Kind::fill:
    case Kind::walk: response = with_data(sectored ? txn.mask : ByteMask::full()); break;
    case Kind::store:
    case Kind::write: request = with_data(txn.mask); break;
    case Kind::atomic:
        request = with_data(txn.mask);
        if (!txn.no_return) response = request;
        break;
    case Kind::recall: break;
    }
    if (flit_bytes != 1) {
        request = padded(request);
        response = padded(response);
    }
    txn.request_bytes = static_cast<std::uint16_t>(request);
    txn.response_bytes = static_cast<std::uint16_t>(response);
}

inline unsigned AddressMap::slice_in(SocketId socket, const Txn& txn) const {
    return of_sockets.empty() || socket == txn.home ? txn.slice : of_sockets[socket.value].slice_of(txn.line);
}

inline void AddressMap::resolve(Txn& txn) const {
    txn.home = home_of(txn.line);
    txn.slice = static_cast<std::uint16_t>(slice_of(txn.line, txn.home));
    packets.apply(txn);
}

} // namespace numavp
