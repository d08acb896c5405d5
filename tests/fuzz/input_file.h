/// Inputs of fuzz targets as files, for readers that open them by name.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <unistd.h>

namespace numavp::test {

/// Writes a file into a folder of this process, which is removed at its end; returns its path.
inline std::string input_file(const std::string& name, const std::string& bytes) {
    namespace fs = std::filesystem;
    static const fs::path folder = [] {
        const auto place = [] { return fs::temp_directory_path() / ("numavp-fuzz-" + std::to_string(getpid())); };
        fs::create_directories(place());
        std::atexit([] {
            std::error_code ignored;
            fs::remove_all(fs::temp_directory_path() / ("numavp-fuzz-" + std::to_string(getpid())), ignored);
        });
        return place();
    }();
    std::string path = (folder / name).string();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
}

} // namespace numavp::test
