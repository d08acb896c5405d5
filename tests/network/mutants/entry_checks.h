/// Checks of how GPUs choose terminals in networks of cubes; each says what is wrong, or nothing.
#pragma once

#include <string>

namespace numavp::test {

/// All packets of a line go the same way, or they could overtake each other.
std::string one_way_a_line();
std::string enters_where_least_waits();
std::string equal_entries_alike();
std::string follows_a_line();
std::string free_behind_the_response();

} // namespace numavp::test
