#include "platform/results_folder.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <system_error>
#include <unistd.h>

#include <sys/file.h>
#include <sys/stat.h>

#include "models/base/error.h"

namespace numavp {
namespace {

namespace fs = std::filesystem;

/// A descriptor that closes itself.
struct Descriptor {
    explicit Descriptor(int d) : value(d) {}
    ~Descriptor() {
        if (value >= 0) ::close(value);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int value;
};

bool is_there(const fs::path& path) {
    std::error_code ignored;
    return fs::symlink_status(path, ignored).type() != fs::file_type::not_found;
}

fs::path parent_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

/// ".name.partial-": a hidden folder's name begins so.
std::string hidden_prefix(const fs::path& destination) { return "." + destination.filename().string() + ".partial-"; }

void sync_folder(const fs::path& folder) {
    const Descriptor d(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (d.value >= 0) ::fsync(d.value);
}

/// One step, which fails if `to` exists.
bool move_new(const fs::path& from, const fs::path& to) {
    if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
    if (errno != EINVAL) return false;
    if (!is_there(to)) return ::rename(from.c_str(), to.c_str()) == 0; // a file system without it: two steps
    errno = EEXIST;
    return false;
}

/// One step, after which `from` is what `to` was.
bool swap_folders(const fs::path& from, const fs::path& to) {
    if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_EXCHANGE) == 0) return true;
    if (errno != EINVAL) return false; // a file system without it: two steps
    const fs::path old = from.string() + ".old";
    if (::rename(to.c_str(), old.c_str()) != 0) return false;
    if (::rename(from.c_str(), to.c_str()) != 0) return false;
    return ::rename(old.c_str(), from.c_str()) == 0;
}

} // namespace

bool is_results_folder(const std::string& folder) {
    std::error_code ignored;
    return fs::is_regular_file(fs::path(folder) / "results.json", ignored) &&
           fs::is_regular_file(fs::path(folder) / "run.json", ignored);
}

ResultsFolder::ResultsFolder(std::string destination, bool numbered)
    : destination_(std::move(destination)), numbered_(numbered) {
    while (destination_.size() > 1 && destination_.back() == '/') destination_.pop_back();
    const std::string last = fs::path(destination_).filename().string();
    if (last.empty() || last == "." || last == "..")
        throw ConfigError("--out '" + destination_ + "'",
                          "this does not name a new folder; a folder's name is expected");
    check_destination();
    std::error_code ignored;
    fs::path around = parent_of(destination_);
    while (!is_there(around) && around.has_parent_path() && around != around.root_path()) around = around.parent_path();
    if (!is_there(around)) around = ".";
    if (!fs::is_directory(around, ignored)) fail(around.string() + " is not a folder; a path of folders is expected");
    if (::access(around.c_str(), W_OK) != 0) fail("the folder " + around.string() + " can't be written to");
}

ResultsFolder::~ResultsFolder() {
    std::error_code ignored;
    if (!hidden_.empty()) fs::remove_all(hidden_, ignored);
    if (lock_ >= 0) ::close(lock_);
}

void ResultsFolder::check_destination() const {
    std::error_code ignored;
    if (numbered_ || !is_there(destination_) || is_results_folder(destination_)) return;
    if (fs::is_directory(destination_, ignored) && fs::is_empty(destination_, ignored)) return;
    fail("it exists and is not a folder of results; a new folder, an empty one or earlier results are allowed");
}

void ResultsFolder::fail(const std::string& what) const { throw ConfigError("results folder " + destination_, what); }

void ResultsFolder::open() {
    const fs::path parent = parent_of(destination_);
    std::error_code fault;
    fs::create_directories(parent, fault);
    if (fault) fail("it can't be made: " + fault.message() + "; a path that can be written to is expected");
    remove_leftovers();
    std::string name = (parent / (hidden_prefix(destination_) + "XXXXXX")).string();
    if (::mkdtemp(name.data()) == nullptr)
        fail(std::string("nothing can be written beside it: ") + std::strerror(errno));
    hidden_ = name;
    ::chmod(hidden_.c_str(), 0755);
    lock_ = ::open(hidden_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock_ >= 0) ::flock(lock_, LOCK_EX | LOCK_NB);
}

void ResultsFolder::remove_leftovers() const {
    const std::string prefix = hidden_prefix(destination_);
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(parent_of(destination_), ignored)) {
        if (entry.path().filename().string().compare(0, prefix.size(), prefix) != 0) continue;
        const Descriptor folder(::open(entry.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (folder.value < 0 || ::flock(folder.value, LOCK_EX | LOCK_NB) != 0) continue; // its writer lives
        fs::remove_all(entry.path(), ignored);
    }
}

void ResultsFolder::write(const std::string& name, const std::string& content) {
    if (hidden_.empty()) open();
    const std::string path = (fs::path(hidden_) / name).string();
    const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    bool good = file.value >= 0;
    for (std::size_t done = 0; good && done < content.size();) {
        const ssize_t n = ::write(file.value, content.data() + done, content.size() - done);
        if (n < 0 && errno == EINTR) continue;
        good = n > 0;
        if (good) done += static_cast<std::size_t>(n);
    }
    if (!good || ::fsync(file.value) != 0) fail("the file " + name + " can't be written: " + std::strerror(errno));
}

std::string ResultsFolder::commit() {
    if (hidden_.empty()) open();
    check_destination();
    sync_folder(hidden_);
    std::string place = destination_;
    bool moved = move_new(hidden_, place);
    if (!moved && errno == EEXIST && numbered_) {
        for (unsigned n = 2; !moved && n < 100000; ++n) {
            place = destination_ + "-" + std::to_string(n);
            moved = move_new(hidden_, place);
            if (!moved && errno != EEXIST) break;
        }
    } else if (!moved && errno == EEXIST) {
        moved = swap_folders(hidden_, place);
        std::error_code ignored;
        if (moved) fs::remove_all(hidden_, ignored);
    }
    if (!moved) fail(std::string("the results can't be moved there: ") + std::strerror(errno));
    hidden_.clear();
    sync_folder(parent_of(destination_));
    return place;
}

} // namespace numavp
