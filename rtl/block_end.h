/// How an RTL block ends a simulation: by $finish, $stop, $error, $fatal or a failed assertion of its own.
///
/// A block's end is reported as an SC_REPORT_ERROR, which passes through the SystemC kernel to the caller of
/// sc_start().
#pragma once

#include <string>

namespace numavp::rtl {

/// Message type of that report, whose message is a sentence for the user.
inline constexpr const char* kBlockEnd = "numavp/rtl/end";

/// True for a report's message type if a block has ended the simulation.
inline bool is_block_end(const std::string& type) { return type == kBlockEnd; }

/// Throws the report; builds with Verilator have it. `place`: file and line, or the block's name; `how`: the statement.
[[noreturn]] void end_by_block(const std::string& place, const std::string& how);

} // namespace numavp::rtl
