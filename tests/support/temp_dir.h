/// A folder that lives as long as the test that asked for it.
#pragma once

#include <filesystem>
#include <string>

namespace numavp::test {

class TempDir {
  public:
    TempDir();
    ~TempDir();
    TempDir(const TempDir&) = delete;
    TempDir& operator=(const TempDir&) = delete;

    /// Path of `name` in the folder.
    std::string path(const std::string& name) const { return (root_ / name).string(); }

    /// Writes a file, with the folders that it needs, and returns its path.
    std::string write(const std::string& name, const std::string& content) const;

  private:
    std::filesystem::path root_;
};

} // namespace numavp::test
