/// What a user did wrong, in one sentence with its place. The program exits with status 2 on it.
#pragma once

#include <stdexcept>
#include <string>

namespace numavp {

/// A user's fault: bad configuration, workload, trace or command line.
/// `what()` is one sentence: "<file>: <JSON path or line>: <what is wrong>; <what is allowed>".
class ConfigError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
    /// `place` is a file, a JSON path, a line or several of them joined by ": ".
    ConfigError(const std::string& place, const std::string& what) : std::runtime_error(place + ": " + what) {}
};

/// The model broke a promise of its own (a deadlock, a lost transaction): a defect of numavp, exit status 3.
class ModelError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

} // namespace numavp
