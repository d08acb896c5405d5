#include "platform/live/live_registry.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <optional>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/stat.h>

#include "common/files/json_file.h"
#include "common/files/whole_file.h"

namespace numavp {
namespace {

namespace fs = std::filesystem;

constexpr ::mode_t kOwnerAlone = 0700;

/// Folder of the files; none if there is no folder that this user alone can read.
std::optional<fs::path> live_folder() {
    std::error_code fault;
    const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
    const fs::path folder = runtime != nullptr && *runtime != '\0'
                                ? fs::path(runtime) / "numavp"
                                : fs::temp_directory_path(fault) / fmt::format("numavp-{}", ::geteuid());
    if (fault) return std::nullopt;
    if (::mkdir(folder.c_str(), kOwnerAlone) != 0 && errno != EEXIST) return std::nullopt;
    struct ::stat found {};
    if (::lstat(folder.c_str(), &found) != 0) return std::nullopt;
    const bool own = S_ISDIR(found.st_mode) && found.st_uid == ::geteuid() && (found.st_mode & 077U) == 0;
    return own ? std::optional(folder) : std::nullopt;
}

bool is_alive(long process) { return process > 0 && (::kill(static_cast<::pid_t>(process), 0) == 0 || errno == EPERM); }

/// None if the file is another's, or broken.
std::optional<LiveEntry> live_entry_of(const fs::path& path) {
    try {
        const ordered_json file = read_ordered_json(path.string());
        return LiveEntry{file.at("process").get<long>(), file.at("address").get<std::string>(),
                         file.at("shows").get<std::string>(), file.at("owner").get<long>()};
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

} // namespace

LiveRegistration::LiveRegistration(const LiveEntry& entry) {
    const std::optional<fs::path> folder = live_folder();
    if (!folder) return;
    const std::string path = (*folder / fmt::format("live-{}.json", entry.process)).string();
    const ordered_json content = {
        {"process", entry.process}, {"address", entry.address}, {"shows", entry.shows}, {"owner", entry.owner}};
    try {
        WholeFile file(path, path);
        file.out() << content.dump() << "\n";
        file.keep();
        path_ = path;
    } catch (const std::exception&) {} // a run must not end for want of an entry in a list
}

LiveRegistration::~LiveRegistration() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove(path_, ignored);
}

std::vector<LiveEntry> live_entries() {
    std::vector<LiveEntry> runs;
    const std::optional<fs::path> folder = live_folder();
    if (!folder) return runs;
    std::error_code fault;
    for (const auto& file : fs::directory_iterator(*folder, fault)) {
        if (file.path().extension() != ".json") continue;
        const std::optional<LiveEntry> entry = live_entry_of(file.path());
        if (entry && is_alive(entry->process))
            runs.push_back(*entry);
        else
            fs::remove(file.path(), fault);
    }
    std::sort(runs.begin(), runs.end(), [](const LiveEntry& a, const LiveEntry& b) { return a.process < b.process; });
    return runs;
}

std::vector<LiveEntry> live_roots(const std::vector<LiveEntry>& entries) {
    std::vector<LiveEntry> roots;
    std::copy_if(entries.begin(), entries.end(), std::back_inserter(roots), [&](const LiveEntry& entry) {
        return std::none_of(entries.begin(), entries.end(),
                            [&](const LiveEntry& other) { return other.process == entry.owner; });
    });
    return roots;
}

} // namespace numavp
