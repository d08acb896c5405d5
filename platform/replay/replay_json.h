/// The result of a replay as JSON.
#pragma once

#include "base/config/config_file.h"
#include "platform/replay/fault_replay.h"

namespace numavp {

ordered_json replay_json(const SystemConfig& config, FaultReplay& replay);
/// A digest as text: 16 hexadecimal digits, since JSON's numbers do not hold 64 bits everywhere.
std::string digest_text(std::uint64_t digest);

} // namespace numavp
