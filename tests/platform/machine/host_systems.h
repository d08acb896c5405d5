/// Systems with a host core, and kernels beside it.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "common/system/load_system.h"
#include "platform/machine/system.h"

namespace numavp::test {

/// With few SMs, all checkers, and values.
inline SystemConfig small_with_core(const std::string& name, const std::vector<std::string>& more) {
    std::vector<std::string> settings = {"socket.sms=2", "cpu.sms=0", "dispatch.launch_cycles=50"};
    settings.insert(settings.end(), more.begin(), more.end());
    SystemConfig c = load_system(name, settings);
    c.checks.protocol = true;
    c.checks.functional = true;
    return c;
}

/// Reads an array `a` of so many bytes.
inline nlohmann::json read_kernel(std::uint64_t bytes) {
    return {{"pattern", "element_loop"},
            {"parameters", {{"items", bytes / 4}, {"per_block", 1024}, {"accesses", {{{"array", "a"}}}}}},
            {"arrays", {{"a", "a"}}}};
}

} // namespace numavp::test
