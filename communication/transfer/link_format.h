/// Overhead of a link for data: packets, their headers, requests in the other direction.
#pragma once

#include <cstdint>

namespace numavp {

/// Operation of a copy engine on memory behind a link; reads and writes use different packets.
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
    double efficiency = 1;                ///< share of the link that packets may fill: acknowledgements, credits

    const PacketFormat& of(BulkOperation operation) const { return operation == BulkOperation::read ? read : write; }
    /// Bytes on the link per byte of data, in the direction of the data.
    double data_weight(BulkOperation operation) const {
        const PacketFormat& packet = of(operation);
        return (1 + packet.overhead_bytes / packet.payload_bytes) / efficiency;
    }
    /// Bytes of requests on the link per byte of data, in their direction; 0 if there are none.
    double request_weight(BulkOperation operation) const {
        return operation == BulkOperation::read ? request_bytes / request_payload_bytes / efficiency : 0;
    }
    /// Exact bytes on the link for `data` bytes, without `efficiency`.
    std::uint64_t packets(std::uint64_t data, BulkOperation operation) const {
        const unsigned payload = of(operation).payload_bytes;
        return (data + payload - 1) / payload;
    }
};

} // namespace numavp
