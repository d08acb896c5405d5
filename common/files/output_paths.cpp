#include "common/files/output_paths.h"

#include <climits>
#include <filesystem>
#include <system_error>
#include <unistd.h>

#include <fmt/format.h>

#include "base/config/file_kind.h"
#include "base/values/error.h"

namespace numavp {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHiddenCharacters = sizeof("..partial-XXXXXX") - 1; ///< that a hidden name has more

} // namespace

std::string behind_links(const std::string& path) {
    constexpr int kMostLinks = 40; // as Linux
    fs::path here = path;
    std::error_code fault;
    for (int i = 0; i < kMostLinks && fs::is_symlink(here, fault); ++i) {
        const fs::path target = fs::read_symlink(here, fault);
        if (fault) break;
        here = target.is_absolute() ? target : here.parent_path() / target;
    }
    return here.string();
}

std::string real_path(const std::string& path) {
    std::error_code fault;
    const fs::path there = fs::absolute(behind_links(path), fault);
    const fs::path real = fs::weakly_canonical(there, fault);
    fs::path plain = (fault ? there : real).lexically_normal();
    if (!plain.has_filename() && plain.has_relative_path()) plain = plain.parent_path(); // ends with a slash
    return plain.string();
}

std::string path_inside(const std::string& folder, const std::string& file) {
    std::string above = real_path(folder);
    const std::string real = real_path(file);
    if (above.back() != '/') above += '/';
    return real.compare(0, above.size(), above) == 0 ? real.substr(above.size()) : "";
}

void refuse_no_file(const std::string& path, const std::string& place) {
    const fs::path name = fs::path(behind_links(path)).filename();
    const bool folder = name.empty() || name == "." || name == "..";
    const std::string kind = folder ? "folder" : odd_file_kind(path);
    if (!kind.empty()) throw ConfigError(place, "this is a " + kind + "; a file is expected");
    if (name.string().size() + kHiddenCharacters > NAME_MAX)
        throw ConfigError(place, fmt::format("the name has {} characters; at most {} are allowed", name.string().size(),
                                             NAME_MAX - kHiddenCharacters));
}

void refuse_unwritable_folder(const std::string& path, const std::string& place) {
    std::error_code ignored;
    fs::path around = fs::path(path).has_parent_path() ? fs::path(path).parent_path() : fs::path(".");
    while (fs::symlink_status(around, ignored).type() == fs::file_type::not_found && around.has_parent_path() &&
           around != around.root_path())
        around = around.parent_path();
    if (fs::symlink_status(around, ignored).type() == fs::file_type::not_found) around = ".";
    if (!fs::is_directory(around, ignored))
        throw ConfigError(place, around.string() + " is not a folder; a path of folders is expected");
    if (::access(around.c_str(), W_OK | X_OK) != 0)
        throw ConfigError(place, "the folder " + around.string() +
                                     " can't be written to; a path that can be written to is expected");
}

void refuse_unwritable(const std::string& path, const std::string& place) {
    refuse_no_file(path, place);
    refuse_unwritable_folder(behind_links(path), place);
}

void refuse_clashes(const std::vector<NamedOutput>& outputs, bool first_holds) {
    for (std::size_t b = 1; b < outputs.size(); ++b) {
        for (std::size_t a = 0; a < b; ++a) {
            const bool same = real_path(outputs[a].path) == real_path(outputs[b].path);
            const bool a_holds = !path_inside(outputs[a].path, outputs[b].path).empty() && !(first_holds && a == 0);
            if (same || a_holds || !path_inside(outputs[b].path, outputs[a].path).empty())
                throw ConfigError(outputs[b].option, fmt::format("'{}' gets in the way of {} '{}'; another path is "
                                                                 "expected",
                                                                 outputs[b].path, outputs[a].option, outputs[a].path));
        }
    }
}

void refuse_to_replace(const NamedOutput& output, const std::vector<std::string>& inputs) {
    std::error_code ignored;
    const auto is = [&](const fs::path& input) { return fs::equivalent(output.path, input, ignored); };
    for (const std::string& input : inputs) {
        bool read = is(input);
        for (const char* of_a_run : kFilesOfARun) read |= is(fs::path(input) / of_a_run);
        if (read)
            throw ConfigError(output.option,
                              fmt::format("'{}' is what this command reads; another path is expected", output.path));
    }
}

void refuse_outputs(const std::vector<NamedOutput>& outputs, const std::vector<std::string>& inputs) {
    std::vector<NamedOutput> given;
    for (const NamedOutput& output : outputs) {
        if (output.path.empty()) continue;
        refuse_unwritable(output.path, output.option);
        refuse_to_replace(output, inputs);
        given.push_back(output);
    }
    refuse_clashes(given, false);
}

} // namespace numavp
