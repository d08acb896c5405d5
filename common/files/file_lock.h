/// Allows one writer at a time to a results file, on this machine and on shared file systems.
#pragma once

#include <string>

namespace numavp {

/// A lock file beside the results file. Held until the object or the process ends; the destructor removes the file.
class StudyLock {
  public:
    /// ConfigError that names the holder, if another program has the lock.
    explicit StudyLock(const std::string& results_file);
    ~StudyLock();
    StudyLock(const StudyLock&) = delete;
    StudyLock& operator=(const StudyLock&) = delete;

  private:
    std::string path_;
    int descriptor_ = -1;
};

} // namespace numavp
