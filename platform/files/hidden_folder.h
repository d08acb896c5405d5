/// A folder with a hidden name beside a destination, in which is written what is moved there once it is whole.
#pragma once

#include <string>

namespace numavp {

/// Folders on the way are made. What a killed run left for the same destination is removed by the next one.
class HiddenFolder {
  public:
    /// ConfigError, at `place`, if it can't be made.
    HiddenFolder(const std::string& destination, const std::string& place);
    ~HiddenFolder(); ///< with what is still in it
    HiddenFolder(const HiddenFolder&) = delete;
    HiddenFolder& operator=(const HiddenFolder&) = delete;

    const std::string& path() const { return path_; }
    /// The file's place in it.
    std::string file(const std::string& name) const { return path_ + "/" + name; }

  private:
    std::string path_;
    int lock_ = -1; ///< held as long as the writer lives
};

/// The folder in which `path` lies.
std::string folder_of(const std::string& path);
/// What was made, moved or removed in it is so on the disk.
void sync_folder(const std::string& folder);

} // namespace numavp
