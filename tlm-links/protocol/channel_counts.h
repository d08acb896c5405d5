/// Counts of the traffic of a memory channel.
#pragma once

#include <cstdint>

#include "tlm-links/protocol/txn.h"

namespace numavp {

/// Bytes of a channel's bandwidth that a record takes: the sectors of its mask.
inline unsigned channel_bytes(const Txn& txn) { return txn.sectors() * kSectorBytes; }

struct ChannelCounts {
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;
    std::uint64_t read_bytes = 0;
    std::uint64_t write_bytes = 0;

    void add(const Txn& txn) { add(txn, channel_bytes(txn)); }
    void add(const Txn& txn, unsigned bytes) {
        (txn.is_write() ? writes : reads) += 1;
        (txn.is_write() ? write_bytes : read_bytes) += bytes;
    }
};

} // namespace numavp
