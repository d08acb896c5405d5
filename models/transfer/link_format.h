/// What a byte of data costs on a link: packets, their headers, requests the other way.
#pragma once

#include <cstdint>

namespace numavp {

/// A copy engine writes to memory behind a link, or reads from it: the packets differ.
enum class BulkOperation : std::uint8_t { read, write };

/// Packets of one operation.
struct PacketFormat {
    unsigned payload_bytes = 128;
    double overhead_bytes = 0; ///< header, framing, checks, commands; of each packet
};

struct LinkFormat {
    PacketFormat read, write;
    unsigned request_payload_bytes = 512; ///< data that one read request asks for
    double request_bytes = 0;             ///< of it, on the way there
    double efficiency = 1;                ///< of what packets may fill: acknowledgements, credits

    const PacketFormat& of(BulkOperation operation) const { return operation == BulkOperation::read ? read : write; }
    /// Bytes of the link for a byte of data, where the data goes.
    double data_weight(BulkOperation operation) const {
        const PacketFormat& packet = of(operation);
        return (1 + packet.overhead_bytes / packet.payload_bytes) / efficiency;
    }
    /// The same where requests go; 0 if there are none.
    double request_weight(BulkOperation operation) const {
        return operation == BulkOperation::read ? request_bytes / request_payload_bytes / efficiency : 0;
    }
    /// Exact bytes on the link of `data` bytes, without what efficiency stands for.
    std::uint64_t packets(std::uint64_t data, BulkOperation operation) const {
        const unsigned payload = of(operation).payload_bytes;
        return (data + payload - 1) / payload;
    }
};

} // namespace numavp
