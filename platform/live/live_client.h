/// Asks a live run for its state.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "platform/live/live_address.h"

namespace numavp {

/// The state as JSON text, made when `rest` has passed, or at the end of the run before; none if nothing answers there,
/// or not within `patience`. ConfigError if what answers refuses the token, or is no run.
std::optional<std::string> live_state_at(const LiveAddress& address, std::chrono::milliseconds patience,
                                         std::chrono::milliseconds rest = std::chrono::milliseconds(0));

} // namespace numavp
