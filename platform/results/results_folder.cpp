#include "platform/results/results_folder.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <set>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/file.h>

#include "base/config/config_file.h"
#include "base/values/error.h"
#include "common/files/descriptor.h"
#include "common/files/output_paths.h"

namespace numavp {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOfAnyRun[] = {"results.json", "timeline.json", "run.json"}; ///< in the folder of any run
constexpr const char* kReport = "report.html";
constexpr const char* kReportMark = "content=\"numavp "; ///< in the head of every report
constexpr const char* kHiddenName = "results";           ///< hidden folders inside are called after it
constexpr const char* kHiddenPrefix = ".results.";
constexpr const char* kComplete = ".results.complete"; ///< new files, on their way to their places

bool is_there(const fs::path& path) {
    std::error_code ignored;
    return fs::symlink_status(path, ignored).type() != fs::file_type::not_found;
}
bool is_plain_file(const fs::path& path) {
    std::error_code ignored;
    return fs::symlink_status(path, ignored).type() == fs::file_type::regular;
}
bool is_hidden_name(const std::string& name) {
    return name == kComplete || name.rfind(std::string(kHiddenPrefix) + "partial-", 0) == 0;
}

/// One step, which fails if `to` exists.
bool move_new(const fs::path& from, const fs::path& to) {
    if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
    if (errno != EINVAL) return false;
    if (!is_there(to)) return ::rename(from.c_str(), to.c_str()) == 0; // a file system without it: two steps
    errno = EEXIST;
    return false;
}

/// Files below `folder`, as seen from it, sorted, except hidden ones of ours.
std::vector<std::string> files_in(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code fault;
    for (fs::recursive_directory_iterator at(folder, fault), end; !fault && at != end; at.increment(fault)) {
        std::error_code ignored;
        if (at->symlink_status(ignored).type() != fs::file_type::directory)
            names.push_back(at->path().lexically_relative(folder).string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

bool begins_with(const fs::path& file, const std::string& mark) {
    constexpr std::size_t kLooked = 1024;
    std::string start(kLooked, '\0');
    std::ifstream in(file, std::ios::binary);
    in.read(start.data(), static_cast<std::streamsize>(start.size()));
    return start.find(mark) != std::string::npos;
}

bool is_own_report(const fs::path& path) { return is_plain_file(path) && begins_with(path, kReportMark); }

/// Content of run.json; null if the file is missing or not one of numavp's.
json run_of(const fs::path& folder) {
    if (!is_plain_file(folder / "run.json")) return nullptr;
    std::ifstream in(folder / "run.json", std::ios::binary);
    json run = json::parse(in, nullptr, false);
    return run.is_object() && run.value("program", json()) == "numavp" ? run : json();
}

/// True for results that numavp wrote, which a new run may replace. False for a link.
bool holds_own_results(const fs::path& folder) {
    return run_of(folder).is_object() && is_plain_file(folder / "results.json") &&
           begins_with(folder / "results.json", "\"format\"") &&
           (!is_there(folder / "timeline.json") || is_plain_file(folder / "timeline.json"));
}

/// Names of the files that the run wrote besides those of every run. Names that lead out of the folder are ignored.
std::set<std::string> listed_files(const fs::path& folder) {
    std::set<std::string> names;
    const json run = run_of(folder);
    if (!run.is_object() || !run.contains("files") || !run["files"].is_array()) return names;
    for (const json& name : run["files"]) {
        if (!name.is_string()) continue;
        const fs::path path = name.get<std::string>();
        if (path.is_relative() && std::find(path.begin(), path.end(), "..") == path.end()) names.insert(path.string());
    }
    return names;
}

/// What the earlier run wrote and the new one did not would seem to be of the new one.
void remove_stale(const fs::path& folder, const std::set<std::string>& fresh) {
    std::set<std::string> earlier = listed_files(folder);
    if (is_own_report(folder / kReport)) earlier.insert(kReport); // numavp report adds it
    for (const char* const name : kOfAnyRun) earlier.erase(name);
    std::error_code ignored;
    for (const std::string& name : earlier) {
        if (fresh.count(name) != 0 || !is_plain_file(folder / name)) continue;
        fs::remove(folder / name, ignored);
        for (fs::path above = fs::path(name).parent_path(); !above.empty(); above = above.parent_path())
            if (!fs::is_empty(folder / above, ignored) || !fs::remove(folder / above, ignored)) break;
    }
}

/// False if a file can't take its place. run.json comes last: as long as it is there, the earlier one is in its place.
bool move_complete(const fs::path& folder) {
    const fs::path complete = folder / kComplete;
    std::vector<std::string> names = files_in(complete);
    std::stable_partition(names.begin(), names.end(), [](const std::string& name) { return name != "run.json"; });
    if (is_plain_file(complete / "run.json")) remove_stale(folder, listed_files(complete));
    std::error_code fault;
    for (const std::string& name : names) {
        fs::create_directories((folder / name).parent_path(), fault);
        if (::rename((complete / name).c_str(), (folder / name).c_str()) != 0 && errno != ENOENT) return false;
    }
    fs::remove_all(complete, fault);
    sync_folder(folder.string());
    return true;
}

bool finish(const fs::path& folder) {
    if (!is_there(folder / kComplete)) return true;
    const Descriptor lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (lock.value() >= 0) ::flock(lock.value(), LOCK_EX); // two that finish the same
    return !is_there(folder / kComplete) || move_complete(folder);
}

} // namespace

bool is_results_folder(const std::string& folder) {
    std::error_code ignored;
    return fs::is_regular_file(fs::path(folder) / "results.json", ignored) &&
           fs::is_regular_file(fs::path(folder) / "run.json", ignored);
}

void refuse_foreign_report(const std::string& path) {
    std::error_code ignored;
    if (fs::exists(path, ignored) && !(fs::is_regular_file(path, ignored) && begins_with(path, kReportMark)))
        throw ConfigError("report " + path, "this file is no report of numavp; --out with another name is expected");
}

void finish_replacing(const std::string& folder) { finish(folder); }

ResultsFolder::ResultsFolder(std::string destination, bool numbered, const std::vector<std::string>& companions)
    : destination_(std::move(destination)), numbered_(numbered) {
    while (destination_.size() > 1 && destination_.back() == '/') destination_.pop_back();
    const std::string last = fs::path(destination_).filename().string();
    if (last.empty() || last == "." || last == "..")
        throw ConfigError("--out '" + destination_ + "'",
                          "this does not name a new folder; a folder's name is expected");
    target_ = behind_links(destination_);
    if (!numbered_ || !is_there(target_))
        for (const std::string& path : companions)
            if (const std::string name = path_inside(target_, path); !name.empty()) companions_.push_back(name);
    for (const std::string& name : companions_)
        if (std::find(std::begin(kOfAnyRun), std::end(kOfAnyRun), name) != std::end(kOfAnyRun) || name == kReport)
            fail("the results have a file " + name + "; another name is expected for what else is written there");
    const bool into = !numbered_ && is_there(target_);
    if (into) finish(target_);
    check_destination();
    refuse_unwritable_folder(into ? target_ + "/." : target_, "results folder " + destination_);
}

ResultsFolder::~ResultsFolder() = default;

/// True if nothing but a run's files would be replaced.
bool ResultsFolder::is_free() const {
    if (!is_there(target_)) return true;
    std::error_code fault;
    if (!fs::is_directory(target_, fault)) return false;
    if (holds_own_results(target_)) return true;
    for (const auto& entry : fs::directory_iterator(target_, fault)) {
        const std::string name = entry.path().filename().string();
        const auto ours = [&name](const std::string& file) { return *fs::path(file).begin() == name; };
        if (!is_hidden_name(name) && std::none_of(companions_.begin(), companions_.end(), ours)) return false;
    }
    return !fault;
}

void ResultsFolder::check_destination() const {
    if (!numbered_ && !is_free())
        fail("it exists and is not a folder of results; a new folder, an empty one or earlier results are allowed");
}

void ResultsFolder::fail(const std::string& what) const { throw ConfigError("results folder " + destination_, what); }

void ResultsFolder::open() {
    if (hidden_) return;
    const bool inside = !numbered_ && is_there(target_);
    hidden_ = std::make_unique<HiddenFolder>(inside ? target_ + "/" + kHiddenName : target_,
                                             "results folder " + destination_);
}

std::string ResultsFolder::place_of(const std::string& path) {
    const std::string name = path_inside(target_, path);
    if (std::find(companions_.begin(), companions_.end(), name) == companions_.end()) return path;
    open();
    return hidden_->file(name);
}

void ResultsFolder::refuse_foreign(const std::string& name, const std::string& option) const {
    const fs::path path = fs::path(target_) / name;
    if (numbered_ || !is_there(path)) return;
    const bool ours = name == kReport ? is_own_report(path) : listed_files(target_).count(name) != 0;
    if (!ours)
        throw ConfigError(option, fmt::format("the folder {} has a file {} that no run wrote; another name is expected",
                                              destination_, name));
}

std::string ResultsFolder::place_of_own(const std::string& name, const std::string& option) {
    refuse_foreign(name, option);
    open();
    return hidden_->file(name);
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

std::vector<std::string> ResultsFolder::files() const {
    return hidden_ ? files_in(hidden_->path()) : std::vector<std::string>();
}

/// False if the destination has become something else.
bool ResultsFolder::into_existing() {
    constexpr int kMostOthers = 100; // runs that end at the same time in the same place
    for (int i = 0; i < kMostOthers; ++i) {
        if (!finish(target_)) fail(std::string("earlier files can't be replaced: ") + std::strerror(errno));
        if (!is_free()) return false;
        if (::rename(hidden_->path().c_str(), (fs::path(target_) / kComplete).c_str()) == 0) {
            sync_folder(target_);
            if (!finish(target_)) fail(std::string("the results can't be moved there: ") + std::strerror(errno));
            return true;
        }
        if (errno != EEXIST && errno != ENOTEMPTY) break;
    }
    return false;
}

std::string ResultsFolder::commit() {
    open();
    sync_folder(hidden_->path());
    std::string place = destination_;
    bool moved = move_new(hidden_->path(), target_);
    if (!moved && errno == EEXIST) {
        moved = !numbered_ && into_existing();
        for (unsigned n = 2; !moved && n < 100000; ++n) {
            const std::string number = "-" + std::to_string(n);
            place = destination_ + number;
            moved = move_new(hidden_->path(), target_ + number);
            if (!moved && errno != EEXIST) break;
        }
    }
    if (!moved) fail(std::string("the results can't be moved there: ") + std::strerror(errno));
    hidden_.reset();
    sync_folder(folder_of(target_));
    return place;
}

} // namespace numavp
