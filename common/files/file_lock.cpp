#include "common/files/file_lock.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

#include <sys/file.h>
#include <sys/stat.h>

#include "base/values/error.h"
#include "common/files/program.h"

namespace numavp {
namespace {

std::string owner_in(int descriptor) {
    std::array<char, 300> text{};
    const ssize_t size = ::pread(descriptor, text.data(), text.size() - 1, 0);
    return size > 0 ? std::string(text.data(), static_cast<std::size_t>(size)) : "another process";
}

int lock(int descriptor) {
    int locked = -1;
    do locked = ::flock(descriptor, LOCK_EX | LOCK_NB);
    while (locked != 0 && errno == EINTR);
    return locked;
}

/// The file may have been removed by its last owner between our opening and our locking it.
bool is_still(int descriptor, const std::string& path) {
    struct stat ours {};
    struct stat there {};
    return ::fstat(descriptor, &ours) == 0 && ::stat(path.c_str(), &there) == 0 && ours.st_ino == there.st_ino &&
           ours.st_dev == there.st_dev;
}

} // namespace

StudyLock::StudyLock(const std::string& results_file) : path_(results_file + ".lock") {
    const std::string place = "results file " + results_file;
    std::error_code fault;
    const std::filesystem::path folder = std::filesystem::path(results_file).parent_path();
    if (!folder.empty()) std::filesystem::create_directories(folder, fault);
    if (fault) throw ConfigError(place, "its folder can't be made: " + fault.message() + "; another path is expected");
    for (;;) {
        descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
        if (descriptor_ < 0)
            throw ConfigError(place, std::string("nothing can be written beside it: ") + std::strerror(errno) +
                                         "; a folder that can be written to is expected");
        if (lock(descriptor_) != 0) {
            const int fault_code = errno;
            const std::string owner = owner_in(descriptor_);
            ::close(descriptor_);
            if (fault_code != EWOULDBLOCK)
                throw ConfigError(place, std::string("it can't be locked: ") + std::strerror(fault_code) +
                                             "; a file system with locks is expected, --db names a file on another");
            throw ConfigError(place, "another run of a study writes to it (" + owner +
                                         "); wait for its end, or give another file with --db");
        }
        if (is_still(descriptor_, path_)) break;
        ::close(descriptor_);
    }
    const std::string owner = "process " + std::to_string(::getpid()) + " on " + host_name();
    // Only for the sentence above: a disk that is too full for it has no say in who holds the lock.
    if (::ftruncate(descriptor_, 0) == 0)
        if (::pwrite(descriptor_, owner.data(), owner.size(), 0) < 0) errno = 0;
}

StudyLock::~StudyLock() {
    ::unlink(path_.c_str());
    ::close(descriptor_);
}

} // namespace numavp
