#include "common/files/whole_file.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>
#include <utility>

#include <sys/file.h>
#include <sys/stat.h>

#include "base/values/error.h"
#include "common/files/hidden_folder.h"
#include "common/files/output_paths.h"

namespace numavp {

namespace fs = std::filesystem;

namespace {
/// True if an open file has no name any more.
bool is_removed(int file) {
    struct stat open = {};
    return ::fstat(file, &open) == 0 && open.st_nlink == 0;
}
} // namespace

WholeFile::WholeFile(const std::string& path, std::string place) : path_(behind_links(path)), place_(std::move(place)) {
    refuse_no_file(path, place_);
    const fs::path file = path_;
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    std::error_code fault;
    fs::create_directories(folder, fault);
    const std::string prefix = "." + file.filename().string() + ".partial-";
    remove_leftovers(folder.string(), prefix, Leftovers::files);
    do {
        hidden_ = (folder / (prefix + "XXXXXX")).string();
        lock_ = Descriptor(::mkostemp(hidden_.data(), O_CLOEXEC));
        if (lock_.value() < 0) {
            hidden_.clear();
            fail(std::strerror(errno));
        }
        ::flock(lock_.value(), LOCK_EX | LOCK_NB);
    } while (is_removed(lock_.value())); // who looked for leftovers in between may have removed it
    ::fchmod(lock_.value(), 0644);
    out_.open(hidden_, std::ios::binary | std::ios::in | std::ios::out); // made above, and nowhere else
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
