/// Describes the packets that a part holds, for the report of a simulation that is stuck.
#pragma once

#include <string>

#include <fmt/format.h>

#include "tlm-links/protocol/txn.h"

namespace numavp {

/// Text such as "3 packets, one of line 0x80 from socket 2"; empty if `count` is 0. `one` may be null if it is not
/// known.
inline std::string held_packets(unsigned count, const Txn* one) {
    if (count == 0) return "";
    if (one == nullptr) return fmt::format("{} packets", count);
    return fmt::format("{} packets, one of line {:#x} from socket {}", count, one->line, one->requester.value);
}

} // namespace numavp
