#include "platform/results_folder.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <system_error>
#include <unistd.h>

#include "models/base/error.h"
#include "platform/descriptor.h"

namespace numavp {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
    std::error_code ignored;
    return fs::symlink_status(path, ignored).type() != fs::file_type::not_found;
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
    fs::path around = folder_of(destination_);
    while (!is_there(around) && around.has_parent_path() && around != around.root_path()) around = around.parent_path();
    if (!is_there(around)) around = ".";
    if (!fs::is_directory(around, ignored)) fail(around.string() + " is not a folder; a path of folders is expected");
    if (::access(around.c_str(), W_OK) != 0) fail("the folder " + around.string() + " can't be written to");
}

ResultsFolder::~ResultsFolder() = default;

void ResultsFolder::check_destination() const {
    std::error_code ignored;
    if (numbered_ || !is_there(destination_) || is_results_folder(destination_)) return;
    if (fs::is_directory(destination_, ignored) && fs::is_empty(destination_, ignored)) return;
    fail("it exists and is not a folder of results; a new folder, an empty one or earlier results are allowed");
}

void ResultsFolder::fail(const std::string& what) const { throw ConfigError("results folder " + destination_, what); }

void ResultsFolder::open() {
    if (!hidden_) hidden_ = std::make_unique<HiddenFolder>(destination_, "results folder " + destination_);
}

void ResultsFolder::write(const std::string& name, const std::string& content) {
    open();
    const Descriptor file(::open(hidden_->file(name).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    bool good = file.value() >= 0;
    for (std::size_t done = 0; good && done < content.size();) {
        const ssize_t n = ::write(file.value(), content.data() + done, content.size() - done);
        if (n < 0 && errno == EINTR) continue;
        good = n > 0;
        if (good) done += static_cast<std::size_t>(n);
    }
    if (!good || ::fsync(file.value()) != 0) fail("the file " + name + " can't be written: " + std::strerror(errno));
}

std::string ResultsFolder::commit() {
    open();
    check_destination();
    const std::string& hidden = hidden_->path();
    sync_folder(hidden);
    std::string place = destination_;
    bool moved = move_new(hidden, place);
    if (!moved && errno == EEXIST && numbered_) {
        for (unsigned n = 2; !moved && n < 100000; ++n) {
            place = destination_ + "-" + std::to_string(n);
            moved = move_new(hidden, place);
            if (!moved && errno != EEXIST) break;
        }
    } else if (!moved && errno == EEXIST) {
        moved = swap_folders(hidden, place);
    }
    if (!moved) fail(std::string("the results can't be moved there: ") + std::strerror(errno));
    hidden_.reset(); // with what was at the destination before
    sync_folder(folder_of(destination_));
    return place;
}

} // namespace numavp
