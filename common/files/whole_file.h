/// A file that is written completely or not at all.
#pragma once

#include <fstream>
#include <string>

#include "common/files/descriptor.h"

namespace numavp {

/// Writes a hidden file beside the destination; keep() moves it there, and only then replaces an earlier file. Makes
/// parent folders; a link at the destination stays, and its target is replaced. Removes hidden files that killed runs
/// left for the same destination. ConfigError, at `place`, if the file can't be written, or the destination is not a
/// regular file.
class WholeFile {
  public:
    WholeFile(const std::string& path, std::string place);
    ~WholeFile(); ///< Deletes the hidden file unless keep() was called.
    WholeFile(const WholeFile&) = delete;
    WholeFile& operator=(const WholeFile&) = delete;
    std::ostream& out() { return out_; }
    /// Path of the hidden file, which is empty at first, for code that opens it by name.
    const std::string& hidden() const { return hidden_; }
    /// Flushes the file to disk and moves it to its destination.
    void keep();

  private:
    [[noreturn]] void fail(const std::string& why) const;
    std::string path_, place_, hidden_;
    std::ofstream out_;
    Descriptor lock_; ///< held as long as the writer lives
};

} // namespace numavp
