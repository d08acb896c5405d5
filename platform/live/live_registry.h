/// What this user has live on this machine, so that `numavp attach` finds it without an address: runs, studies with
/// their points, branches.
///
/// Each has a file with its address in a folder that only its user can read: numavp/ in XDG_RUNTIME_DIR, or else
/// numavp-<user number> in the folder for temporary files. A run that is killed leaves its file, which is removed when
/// the list is read next. Without such a folder runs are not listed; their addresses work all the same.
#pragma once

#include <string>
#include <vector>

namespace numavp {

struct LiveEntry {
    long process = 0;
    std::string address;
    std::string shows; ///< such as "spmv-mesh on numa-4"
    long owner = 0;    ///< process of the study, or of the run before its branches, that lists it too; 0: none
};

/// Lists a process while it lives.
class LiveRegistration {
  public:
    explicit LiveRegistration(const LiveEntry& entry);
    ~LiveRegistration();
    /// Leaves the entry to another process: to be called in a fork of the one that made it.
    void leave() { path_.clear(); }
    LiveRegistration(const LiveRegistration&) = delete;
    LiveRegistration& operator=(const LiveRegistration&) = delete;

  private:
    std::string path_; ///< empty: not listed
};

/// The entries whose processes are alive, by their numbers.
std::vector<LiveEntry> live_entries();
/// Those of them that no other one lists.
std::vector<LiveEntry> live_roots(const std::vector<LiveEntry>& entries);

} // namespace numavp
