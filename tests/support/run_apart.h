/// Runs pieces of a test in processes of their own, since a process can elaborate one system only.
#pragma once

#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include "platform/machine/system.h"

namespace numavp::test {

/// Calls `piece` in a forked process and returns what it returned. std::runtime_error if it threw or died. Only
/// before this process has made anything of SystemC.
nlohmann::json run_apart(const std::function<nlohmann::json()>& piece);

/// Cycles from the first blocks to the last answer of the kernel that ran under that name first.
Cycle kernel_cycles(const System& system, const std::string& kernel);

/// A statistic by its path, such as "socket0.l1.hits".
std::uint64_t stat(const nlohmann::json& values, const std::string& path);

} // namespace numavp::test
