/// Times of kernels in the results of a run: what numavp's own machine, with its SMs, takes for them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/config/config_file.h"

namespace numavp {

class RunTimes {
  public:
    /// Reads a results.json, or that of a folder; empty: no times. ConfigError if it has no rows of kernels.
    explicit RunTimes(const std::string& path);

    /// Microseconds of a launch where it has a row of its own, else the mean of its name; negative if there is none.
    double of(std::uint64_t launch, const std::string& name) const;
    /// The mean of all launches of a name; negative if there is none.
    double of(const std::string& name) const;
    /// All names, sorted.
    std::vector<std::string> names() const;

    const std::string& path() const { return path_; } ///< of the file
    const std::string& system() const { return system_; }
    unsigned gpus() const { return gpus_; } ///< packages with SMs, over which each kernel spread
    double memory_gbytes_per_s() const { return memory_gbytes_per_s_; } ///< of one GPU, in 1e9 bytes/s

  private:
    void read(const json& results);

    std::string path_, system_;
    unsigned gpus_ = 0;
    double memory_gbytes_per_s_ = 0;
    std::map<std::pair<std::uint64_t, std::string>, double> by_launch_; ///< by number and name
    std::map<std::string, std::pair<double, double>> by_name_;          ///< microseconds, launches
};

} // namespace numavp
