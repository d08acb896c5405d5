#include "sw/traces/kernelslist.h"

#include <charconv>
#include <filesystem>
#include <fstream>

#include "base/config/file_kind.h"
#include "base/values/error.h"
#include "sw/traces/trace_kernel.h"

namespace numavp {
namespace {

namespace fs = std::filesystem;

Launch launch_of(const std::string& path) {
    const auto kernel = std::make_shared<TraceKernel>(path);
    Launch launch;
    launch.stream = kernel->header().stream;
    launch.kernel = kernel;
    return launch;
}

std::string trace_file(const fs::path& folder, const std::string& name, const std::string& place) {
    const fs::path file = folder / name;
    const fs::path compressed = folder / (name + ".xz");
    const fs::path binary = fs::path(file).replace_extension(".tracez");
    std::error_code ignored;
    for (const fs::path& path : {file, compressed, binary})
        if (fs::exists(path, ignored)) return path.string();
    throw ConfigError(place, "the trace '" + file.string() + "' does not exist; neither does it as .xz or .tracez");
}

/// "MemcpyHtoD,0x<address>,<bytes>"
Launch copy_of(const std::string& line, const std::string& place) {
    constexpr const char* kAllowed = "'MemcpyHtoD,0x<address>,<bytes>' is allowed";
    const std::size_t first = line.find(',');
    const std::size_t second = first == std::string::npos ? first : line.find(',', first + 1);
    if (second == std::string::npos || line.compare(first + 1, 2, "0x") != 0)
        throw ConfigError(place, "'" + line + "' is not a copy; " + kAllowed);
    Launch launch;
    launch.what = Launch::What::copy_to_device;
    const char* text = line.data();
    const auto address = std::from_chars(text + first + 3, text + second, launch.address, 16);
    const auto bytes = std::from_chars(text + second + 1, text + line.size(), launch.bytes, 10);
    if (address.ec != std::errc() || address.ptr != text + second || bytes.ec != std::errc() ||
        bytes.ptr != text + line.size())
        throw ConfigError(place, "'" + line + "' is not a copy; " + kAllowed);
    if (launch.bytes != 0 && launch.bytes - 1 > ~launch.address)
        throw ConfigError(place, "'" + line + "' ends beyond the last 64-bit address");
    return launch;
}

std::string stem_of(const fs::path& path) {
    const std::string folder = fs::absolute(path).parent_path().filename().string();
    return folder.empty() ? path.filename().string() : folder;
}

} // namespace

Workload read_kernelslist(const std::string& path) {
    refuse_odd_file(path, "a kernelslist.g of Accel-Sim");
    std::ifstream list(path);
    if (!list) throw ConfigError(path, "can't be opened; a kernelslist.g of Accel-Sim is expected");
    Workload workload;
    workload.name = stem_of(path);
    workload.description = "SASS traces listed in " + path;
    const fs::path folder = fs::path(path).parent_path();
    std::string line;
    for (unsigned number = 1; std::getline(list, line); ++number) {
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
        const std::string place = path + ": line " + std::to_string(number);
        if (line.compare(0, 10, "MemcpyHtoD") == 0)
            workload.launches.push_back(copy_of(line, place));
        else if (line.compare(0, 6, "kernel") == 0)
            workload.launches.push_back(launch_of(trace_file(folder, line, place)));
    }
    if (workload.total_blocks() == 0)
        throw ConfigError(path, "names no kernel; lines that begin with 'kernel' name trace files");
    return workload;
}

Workload read_single_trace(const std::string& path) {
    Workload workload;
    workload.name = fs::path(path).filename().string();
    workload.description = "the SASS trace " + path;
    workload.launches.push_back(launch_of(path));
    return workload;
}

} // namespace numavp
