/// The exceptions for a user's mistake and for a defect of the model, each with one sentence and an exit status.
#pragma once

#include <stdexcept>
#include <string>

namespace numavp {

/// A user's mistake: bad configuration, workload, trace or command line; exit status 2. `what()` is one sentence:
/// "<file>: <JSON path or line>: <what is wrong>; <what is allowed>".
class ConfigError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
    /// `place` is a file, a JSON path, a line or several of them joined by ": ".
    ConfigError(const std::string& place, const std::string& what) : std::runtime_error(place + ": " + what) {}
};

/// A contract inside the model is broken (a deadlock, a lost transaction): a defect of numavp, exit status 3.
class ModelError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

} // namespace numavp
