/// What a part says of the packets that it holds, for the report of a machine that is stuck.
#pragma once

#include <string>

#include <fmt/format.h>

#include "tlm-links/txn.h"

namespace numavp {

/// "3 packets, one of line 0x80 from socket 2"; empty without one.
inline std::string held_packets(unsigned count, const Txn* one) {
    if (one == nullptr) return "";
    return fmt::format("{} packets, one of line {:#x} from socket {}", count, one->line, one->requester.value);
}

} // namespace numavp
