#include "models/fault_server/policy_object.h"

#include <algorithm>
#include <dlfcn.h>
#include <filesystem>

#include <fmt/format.h>

#include "base/values/error.h"

namespace numavp {

namespace {

constexpr const char* kSymbol = "numavp_policy";

/// The loader's own words, as a part of a sentence.
std::string loader_words() {
    const char* const words = dlerror();
    std::string text = words != nullptr ? words : "no reason is given";
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

void close_object(void* object) {
    if (object != nullptr) dlclose(object);
}

} // namespace

PolicyObject::PolicyObject(const std::string& place, const std::string& path) : object_(nullptr, &close_object) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored))
        throw ConfigError(
            place, fmt::format("'{}' is no file; a shared object with the symbol {} is expected", path, kSymbol));
    // An absolute path: without a slash the loader would look in its own folders.
    object_.reset(dlopen(std::filesystem::absolute(path).c_str(), RTLD_NOW | RTLD_LOCAL));
    if (!object_)
        throw ConfigError(place, fmt::format("'{}' can't be loaded ({}); a shared object of this machine is expected",
                                             path, loader_words()));
    policy_ = static_cast<const Policy*>(dlsym(object_.get(), kSymbol));
    if (policy_ == nullptr)
        throw ConfigError(place, fmt::format("'{}' has no symbol {}; a struct Policy of sw/driver/policy.h is expected",
                                             path, kSymbol));
    if (policy_->version != kPolicyVersion)
        throw ConfigError(place, fmt::format("'{}' has a policy for version {} of the interface; version {} is "
                                             "expected (sw/driver/policy.h)",
                                             path, policy_->version, static_cast<unsigned>(kPolicyVersion)));
    if (const char* const fault = policy_fault(policy_); fault != nullptr)
        throw ConfigError(place, fmt::format("'{}' has a policy that can't be used: {}", path, fault));
}

} // namespace numavp
