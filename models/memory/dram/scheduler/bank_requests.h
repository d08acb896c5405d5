/// The queued requests of a bank as a memory scheduler sees them.
#pragma once

#include <cstdint>

namespace numavp {

/// Index of a request in the controller's table.
using MemorySlot = std::uint16_t;
inline constexpr MemorySlot kNoSlot = 0xffff;

/// The requests of one bank and one direction, as a scheduler sees them. There is at least one.
struct BankRequests {
    MemorySlot oldest = kNoSlot;
    MemorySlot oldest_hit = kNoSlot; ///< the oldest one to the open row; kNoSlot if none, or the bank is closed
    unsigned overtakes = 0;          ///< column accesses since the bank's last activate that were not the oldest's
};

} // namespace numavp
