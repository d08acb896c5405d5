#include "platform/files/whole_file.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>
#include <utility>

#include <sys/stat.h>

#include "models/base/error.h"
#include "platform/files/output_paths.h"

namespace numavp {

namespace fs = std::filesystem;

WholeFile::WholeFile(const std::string& path, std::string place) : path_(behind_links(path)), place_(std::move(place)) {
    refuse_no_file(path, place_);
    const fs::path file = path_;
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    std::error_code fault;
    fs::create_directories(folder, fault);
    std::string name = (folder / ("." + file.filename().string() + ".partial-XXXXXX")).string();
    const int made = ::mkstemp(name.data());
    if (made < 0) fail(std::strerror(errno));
    hidden_ = name;
    ::fchmod(made, 0644);
    ::close(made);
    out_.open(hidden_, std::ios::binary | std::ios::trunc);
}

WholeFile::~WholeFile() {
    if (!hidden_.empty()) ::unlink(hidden_.c_str());
}

void WholeFile::keep() {
    out_.close();
    if (!out_) fail(std::strerror(errno));
    const int file = ::open(hidden_.c_str(), O_RDONLY | O_CLOEXEC);
    const bool synced = file >= 0 && ::fsync(file) == 0;
    const std::string why = std::strerror(errno);
    if (file >= 0) ::close(file);
    if (!synced) fail(why);
    if (::rename(hidden_.c_str(), path_.c_str()) != 0) fail(std::strerror(errno));
    hidden_.clear();
}

void WholeFile::fail(const std::string& why) const {
    throw ConfigError(place_, "it can't be written: " + why + "; a path that can be written to is expected");
}

} // namespace numavp
