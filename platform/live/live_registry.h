/// The live runs of this user on this machine, so that `numavp attach` finds them without their addresses.
///
/// Each run has a file with its address in a folder that only its user can read: numavp/ in XDG_RUNTIME_DIR, or else
/// numavp-<user number> in the folder for temporary files. A run that is killed leaves its file, which is removed when
/// the list is read next. Without such a folder runs are not listed; their addresses work all the same.
#pragma once

#include <string>
#include <vector>

namespace numavp {

struct LiveEntry {
    long process = 0;
    std::string address, system, workload;
};

/// Lists a run while it lives.
class LiveRegistration {
  public:
    explicit LiveRegistration(const LiveEntry& entry);
    ~LiveRegistration();
    LiveRegistration(const LiveRegistration&) = delete;
    LiveRegistration& operator=(const LiveRegistration&) = delete;

  private:
    std::string path_; ///< empty: not listed
};

/// The runs whose processes are alive, by their numbers.
std::vector<LiveEntry> live_runs();

} // namespace numavp
