/// A file that is there whole or not at all.
#pragma once

#include <fstream>
#include <string>

namespace numavp {

/// Written under a hidden name beside its place, then moved there: an earlier file is replaced by keep() only. Folders
/// on the way are made; a link stays one, and the file it leads to is replaced. ConfigError, at `place`, if it can't be
/// written, or what is there is no file.
class WholeFile {
  public:
    WholeFile(const std::string& path, std::string place);
    ~WholeFile(); ///< Deletes the hidden file unless keep() was called.
    WholeFile(const WholeFile&) = delete;
    WholeFile& operator=(const WholeFile&) = delete;
    std::ostream& out() { return out_; }
    /// An empty file, for those who write it by its name.
    const std::string& hidden() const { return hidden_; }
    /// On the disk, and in its place.
    void keep();

  private:
    [[noreturn]] void fail(const std::string& why) const;
    std::string path_, place_, hidden_;
    std::ofstream out_;
};

} // namespace numavp
