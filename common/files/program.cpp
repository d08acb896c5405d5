#include "common/files/program.h"

#include <array>
#include <dlfcn.h>
#include <filesystem>
#include <link.h>
#include <unistd.h>

#include <sys/resource.h>

namespace numavp {

namespace fs = std::filesystem;

std::string host_name() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

std::string program_version() { return NUMAVP_VERSION; }

std::string compiler_name() {
#if defined(__clang__)
    return "clang " __clang_version__;
#else
    return "g++ " __VERSION__;
#endif
}

std::uint64_t peak_memory_bytes() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

std::string program_path() {
    std::error_code ignored;
    Dl_info info{};
    link_map* map = nullptr; // of what this function is in; the program's own has no name
    if (dladdr1(reinterpret_cast<const void*>(&program_path), &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) &&
        map && *map->l_name)
        return fs::canonical(map->l_name, ignored).string();
    return fs::read_symlink("/proc/self/exe", ignored).string();
}

} // namespace numavp
