/// Runs a point of the bench in a process of its own, on a given core.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace numavp {

/// The core on which all points run: the one that this process is on now.
int bench_core();
/// Pins this process to a core; without effect where that is not allowed.
void pin_to(int core);

/// Starts this program again as `--point CORE POINT...`, which measures and prints one line of JSON. Adds "peak_mib",
/// the most memory that the process had. ModelError with the point's name if it fails.
nlohmann::ordered_json run_point(const std::vector<std::string>& point, int core);
/// The same with another program, which gets the words and prints such a line.
nlohmann::ordered_json run_program(const std::string& path, const std::vector<std::string>& words, int core);
/// A program in the folder of this one, if it has been built.
std::optional<std::string> neighbour_program(const std::string& name);

} // namespace numavp
