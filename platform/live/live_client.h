/// Asks a live run for its state.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "platform/live/live_address.h"

namespace numavp {

/// The state as JSON text; none if nothing answers there, or not within `patience`. ConfigError if what answers refuses
/// the token, or is no run.
std::optional<std::string> live_state_at(const LiveAddress& address, std::chrono::milliseconds patience);

} // namespace numavp
