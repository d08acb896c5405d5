/// Settings that change during a run, at the launch of a kernel: the section `changes` of a system's file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/config/config.h"

namespace numavp {

/// Bound on numbers of launches.
inline constexpr std::uint64_t kMostLaunches = 1'000'000'000'000;

struct SettingChange {
    std::uint64_t kernel = 1; ///< number of the launch
    std::string set;          ///< "link.sample_cycles=2000"
};

struct ChangesConfig {
    std::vector<SettingChange> at; ///< in the order in which they are made, if several belong to one launch

    bool given() const { return !at.empty(); }
};

template <class V> void describe(V& v, SettingChange& c) {
    v.integer("kernel", c.kernel, 1, kMostLaunches, "",
              "Launch of a kernel, numbered from 1, at which the setting changes: before its first block.");
    v.text("set", c.set, "Setting and its new value, as --set takes them; 'numavp list changes' has those that may.");
}
template <class V> void describe(V& v, ChangesConfig& c) { v.list("at", c.at, "Changes at launches of kernels."); }

} // namespace numavp
