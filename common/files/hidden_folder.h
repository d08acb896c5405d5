/// A folder with a hidden name beside a destination: files are written there, and moved to it when they are complete.
#pragma once

#include <string>

namespace numavp {

/// Makes parent folders if needed. Removes hidden folders that killed runs left for the same destination.
class HiddenFolder {
  public:
    /// ConfigError, at `place`, if the folder can't be made.
    HiddenFolder(const std::string& destination, const std::string& place);
    ~HiddenFolder(); ///< removes the folder with the files still in it
    HiddenFolder(const HiddenFolder&) = delete;
    HiddenFolder& operator=(const HiddenFolder&) = delete;

    const std::string& path() const { return path_; }
    /// Path of a file in the hidden folder.
    std::string file(const std::string& name) const { return path_ + "/" + name; }

  private:
    std::string path_;
    int lock_ = -1; ///< held as long as the writer lives
};

/// Removes the hidden folders or files of a folder, of names that begin with `prefix`, that killed runs left: nobody
/// holds a lock on them.
enum class Leftovers { folders, files };
void remove_leftovers(const std::string& folder, const std::string& prefix, Leftovers what);

/// The folder in which `path` lies.
std::string folder_of(const std::string& path);
/// Flushes a folder to disk, so that files created, moved or removed in it stay so after a crash.
void sync_folder(const std::string& folder);

} // namespace numavp
