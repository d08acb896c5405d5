/// One writer at a time to a results file, on this machine and on file systems that are shared.
#pragma once

#include <string>

namespace numavp {

/// Held as long as the object, or the process, lives. A file beside the results file, removed at the end.
class StudyLock {
  public:
    /// ConfigError that says who has it, if another has.
    explicit StudyLock(const std::string& results_file);
    ~StudyLock();
    StudyLock(const StudyLock&) = delete;
    StudyLock& operator=(const StudyLock&) = delete;

  private:
    std::string path_;
    int descriptor_ = -1;
};

} // namespace numavp
