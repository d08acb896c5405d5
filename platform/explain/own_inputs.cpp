#include "platform/explain/own_inputs.h"

#include <algorithm>
#include <numavp_model_hash.h> // made by the build
#include <sstream>

#include <fmt/format.h>

#include "common/files/json_file.h"
#include "common/files/sha1.h"
#include "common/system/derived.h"
#include "common/system/driver_policy.h"

namespace numavp {

namespace {

bool asks_rtl_balancer(const SystemConfig& c) {
    const auto asks = [](const auto& link) { return link.balancer == LaneBalancerKind::dynamic_rtl; };
    bool asked = std::any_of(c.network.links.begin(), c.network.links.end(), asks);
    for (unsigned s = 0; c.sockets > 1 && s < c.sockets; ++s) asked |= asks(c.link_at(s));
    return asked;
}

/// Lines "SHA-1 path".
void add_own_rtl(std::vector<OwnInput>& all) {
    std::istringstream lines(NUMAVP_OWN_LANE_BALANCER);
    for (std::string hash, path; lines >> hash && std::getline(lines >> std::ws, path);)
        all.push_back({"lane_balancer", path, hash});
}

} // namespace

std::vector<OwnInput> own_inputs(const SystemConfig& config) {
    std::vector<OwnInput> all;
    if (asks_rtl_balancer(config)) add_own_rtl(all);
    const std::string& firmware = config.driver.riscv.firmware;
    if (config.driver.execution == DriverExecution::riscv && !firmware.empty())
        all.push_back({"firmware", firmware, sha1_of_file(firmware)});
    const std::string& policy = config.driver.policy;
    if (has_driver(config) && is_policy_object(policy))
        all.push_back({"placement_policy", policy, sha1_of_file(policy)});
    return all;
}

ordered_json own_inputs_json(const SystemConfig& config) {
    ordered_json list = ordered_json::array();
    for (const OwnInput& one : own_inputs(config))
        list.push_back({{"replaces", one.replaces}, {"path", printable(one.path)}, {"sha1", one.sha1}});
    return list;
}

std::string own_text(const SystemConfig& config, const std::string& replaces) {
    std::vector<std::string> texts;
    for (const OwnInput& one : own_inputs(config))
        if (one.replaces == replaces) texts.push_back(fmt::format("{} (SHA-1 {})", printable(one.path), one.sha1));
    return fmt::format("{}", fmt::join(texts, ", "));
}

} // namespace numavp
