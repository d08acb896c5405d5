#include "common/system/driver_policy.h"

#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "sw/driver/policy.h"

namespace numavp {

namespace {

constexpr std::string_view kOwnPolicy = "own", kObjectEnd = ".so";

std::vector<std::string_view> names_of_table() {
    std::vector<std::string_view> names;
    for (std::uint32_t i = 0; i < policy_count(); ++i) names.emplace_back(policy_at(i)->name);
    return names;
}

bool runs_c(const DriverConfig& driver) {
    return driver.execution == DriverExecution::ideal || driver.execution == DriverExecution::native;
}

} // namespace

bool is_policy_object(const std::string& policy) {
    const std::size_t size = policy.size(), end = kObjectEnd.size();
    return policy.find('/') != std::string::npos || (size > end && policy.compare(size - end, end, kObjectEnd) == 0);
}

bool has_own_policy(const DriverConfig& driver) {
    return driver.execution != DriverExecution::none &&
           (driver.policy == kOwnPolicy || is_policy_object(driver.policy));
}

std::uint64_t policy_register(const std::string& policy) {
    const Policy* const of_table = policy_named(policy.c_str());
    if (of_table == nullptr) return kPolicyOwn;
    return policy_index(of_table);
}

void check_driver_policy(const DriverConfig& driver, const Place& place) {
    const Place at = place.at("policy");
    const bool none = driver.execution == DriverExecution::none;
    if (is_policy_object(driver.policy)) {
        if (!none && !runs_c(driver))
            throw ConfigError(at.str(),
                              fmt::format("'{}' is code of this machine, and the {} execution has other code; "
                                          "native and ideal are allowed, or own with a firmware image that "
                                          "has the policy",
                                          driver.policy, kDriverExecutions.name(driver.execution)));
    } else if (driver.policy == kOwnPolicy) {
        if (!none && (runs_c(driver) || (driver.execution == DriverExecution::riscv && driver.riscv.firmware.empty())))
            throw ConfigError(at.str(),
                              "own is the policy of a firmware image of yours (driver.riscv.firmware), and "
                              "there is none; the path of a shared object is allowed in the native execution, "
                              "such as ./policy.so");
    } else if (policy_named(driver.policy.c_str()) == nullptr) {
        throw ConfigError(at.str(), unknown_name("driver policy", driver.policy, names_of_table()));
    }
}

} // namespace numavp
