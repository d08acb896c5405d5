#include "platform/results/unfinished_run.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "base/config/config_file.h"
#include "base/values/error.h"
#include "common/files/whole_file.h"
#include "platform/results/results.h"

namespace numavp {

namespace {

constexpr const char* kUnfinishedMark = "\"unfinished_run_of\": \"numavp\""; ///< in the first lines of the file

bool is_own_unfinished(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::string start(256, '\0');
    in.read(start.data(), static_cast<std::streamsize>(start.size()));
    return start.find(kUnfinishedMark) != std::string::npos;
}

} // namespace

std::string unfinished_path(const std::string& results) {
    std::string path = results;
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    return path + ".unfinished.json";
}

std::string write_unfinished(const System& system, const WorkloadRecord& workload, const std::string& results,
                             const std::string& why) {
    const Progress progress = system.progress();
    if (progress.kernels_done == 0) return "";
    const std::string path = unfinished_path(results);
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored) && !is_own_unfinished(path))
        throw ConfigError(path, "a file of another origin is in the place of the kernels that had ended");
    ordered_json left{{"unfinished_run_of", "numavp"},
                      {"fault", why},
                      {"system", system.config().name},
                      {"workload", workload.name},
                      {"cycles", progress.cycle},
                      {"time_ns", time_ns(progress.cycle, system.config().clock_khz)},
                      {"kernels_ended", progress.kernels_done},
                      {"kernels_all", progress.kernels_total},
                      {"kernels", system.kernels()}};
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    const bool there = folder.empty() || std::filesystem::exists(folder, ignored);
    try {
        WholeFile file(path, path);
        file.out() << left.dump(1, ' ', false, ordered_json::error_handler_t::replace) << "\n";
        file.keep();
    } catch (...) {
        if (!there) std::filesystem::remove(folder, ignored); // made for the file, and empty
        throw;
    }
    return fmt::format("the run ended early, and there are no results: statistics of the {} of {} kernels that had "
                       "ended are in {}",
                       progress.kernels_done, progress.kernels_total, path);
}

void remove_unfinished(const std::string& results) {
    std::error_code ignored;
    if (const std::string path = unfinished_path(results); is_own_unfinished(path))
        std::filesystem::remove(path, ignored);
}

} // namespace numavp
