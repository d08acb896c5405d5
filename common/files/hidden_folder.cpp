#include "common/files/hidden_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <system_error>
#include <unistd.h>

#include <sys/file.h>
#include <sys/stat.h>

#include "base/values/error.h"
#include "common/files/descriptor.h"

namespace numavp {

namespace fs = std::filesystem;

void remove_leftovers(const std::string& folder, const std::string& prefix, Leftovers what) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        if (entry.path().filename().string().compare(0, prefix.size(), prefix) != 0) continue;
        if (entry.is_directory(ignored) != (what == Leftovers::folders)) continue;
        const Descriptor left(::open(entry.path().c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
        if (left.value() < 0 || ::flock(left.value(), LOCK_EX | LOCK_NB) != 0) continue; // its writer lives
        fs::remove_all(entry.path(), ignored);
    }
}

std::string folder_of(const std::string& path) {
    const fs::path file = path;
    return file.has_parent_path() ? file.parent_path().string() : ".";
}

void sync_folder(const std::string& folder) {
    const Descriptor d(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (d.value() >= 0) ::fsync(d.value());
}

HiddenFolder::HiddenFolder(const std::string& destination, const std::string& place) {
    const fs::path parent = folder_of(destination);
    std::error_code fault;
    fs::create_directories(parent, fault);
    if (fault)
        throw ConfigError(place,
                          "it can't be made: " + fault.message() + "; a path that can be written to is expected");
    const std::string prefix = "." + fs::path(destination).filename().string() + ".partial-";
    remove_leftovers(parent.string(), prefix, Leftovers::folders);
    std::string name = (parent / (prefix + "XXXXXX")).string();
    if (::mkdtemp(name.data()) == nullptr)
        throw ConfigError(place, std::string("nothing can be written beside it: ") + std::strerror(errno));
    path_ = name;
    ::chmod(path_.c_str(), 0755);
    lock_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock_ >= 0) ::flock(lock_, LOCK_EX | LOCK_NB);
}

HiddenFolder::~HiddenFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    if (lock_ >= 0) ::close(lock_);
}

} // namespace numavp
