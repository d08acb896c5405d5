/// A placement policy of the user's in a shared object, for drivers that run as code of the simulating machine.
///
/// The object defines `numavp_policy`, a `struct Policy` of sw/driver/policy.h, and keeps nothing in globals: a process
/// may simulate several machines, and the driver keeps the policy's state.
#pragma once

#include <memory>
#include <string>

#include "sw/driver/policy.h"

namespace numavp {

class PolicyObject {
  public:
    /// Loads a file. ConfigError at `place` if it is not there, is no shared object of this machine, has no such symbol
    /// or another version of the interface, or the policy can't be used.
    PolicyObject(const std::string& place, const std::string& path);

    const Policy& policy() const { return *policy_; }

  private:
    std::unique_ptr<void, void (*)(void*)> object_;
    const Policy* policy_ = nullptr;
};

} // namespace numavp
