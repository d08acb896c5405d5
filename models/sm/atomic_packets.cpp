#include "models/sm/atomic_packets.h"

#include <algorithm>

namespace numavp {

namespace {
/// Puts bytes of one lane in one sector into the first transaction of that sector that has none of them yet.
unsigned add_to_packets(std::uint64_t address, unsigned bytes, LineAccess* out, unsigned count) {
    const auto offset = static_cast<unsigned>(address % kLineBytes);
    const std::uint64_t line = address - offset;
    const ByteMask lane = ByteMask::range(offset, bytes);
    const ByteMask sector = ByteMask::range(offset / kSectorBytes * kSectorBytes, kSectorBytes);
    for (unsigned i = 0; i < count; ++i) {
        if (out[i].line_address != line || !sector.covers(out[i].mask) || (out[i].mask & lane).any()) continue;
        out[i].mask |= lane;
        return count;
    }
    out[count] = {line, lane};
    return count + 1;
}
} // namespace

unsigned serialise_atomic(const Inst& inst, LineAccess out[kMaxLinesPerInst]) {
    unsigned count = 0;
    for (std::uint32_t mask = inst.mask; mask != 0; mask &= mask - 1) {
        std::uint64_t address = inst.address(static_cast<unsigned>(__builtin_ctz(mask)));
        for (unsigned left = inst.width; left != 0;) { // an access that is not aligned may lie in two sectors
            const unsigned part = std::min(left, kSectorBytes - static_cast<unsigned>(address % kSectorBytes));
            count = add_to_packets(address, part, out, count);
            address += part;
            left -= part;
        }
    }
    return count;
}

} // namespace numavp
