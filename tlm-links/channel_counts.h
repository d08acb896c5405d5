/// What went through a memory channel.
#pragma once

#include <cstdint>

#include "tlm-links/txn.h"

namespace numavp {

/// What a record occupies of a channel: a partial write its sectors, all others their line.
inline unsigned channel_bytes(const Txn& txn) {
    return txn.is_write() && !txn.mask.all() ? txn.mask.sectors() * kSectorBytes : kLineBytes;
}

struct ChannelCounts {
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;
    std::uint64_t read_bytes = 0;
    std::uint64_t write_bytes = 0;

    void add(const Txn& txn) {
        (txn.is_write() ? writes : reads) += 1;
        (txn.is_write() ? write_bytes : read_bytes) += channel_bytes(txn);
    }
};

} // namespace numavp
