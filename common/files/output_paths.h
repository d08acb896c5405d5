/// Checks paths of output files, as the user typed them: where they lead, and whether two of them collide.
#pragma once

#include <string>
#include <vector>

namespace numavp {

/// Follows symbolic links at the path's end, also to a file or folder that does not exist yet.
std::string behind_links(const std::string& path);
/// The path as absolute path without links, "." and "..".
std::string real_path(const std::string& path);
/// Path of `file` relative to `folder`; empty if it is not inside.
std::string path_inside(const std::string& folder, const std::string& file);

/// ConfigError, at `place`, if `path` is not a regular file, or its name is too long for that of a hidden file.
void refuse_no_file(const std::string& path, const std::string& place);
/// The same, and ConfigError if it is known now that a file can't be written there. Creates nothing; use before a run.
void refuse_unwritable(const std::string& path, const std::string& place);
/// ConfigError, at `place`, if the nearest existing folder above `path` is no folder or not writable.
void refuse_unwritable_folder(const std::string& path, const std::string& place);

/// What a run writes into its folder of results.
inline constexpr const char* kFilesOfARun[] = {"results.json", "timeline.json", "run.json"};

/// The path of an output, and the option that set it.
struct NamedOutput {
    std::string option, path;
};
/// ConfigError if two outputs are the same path, or one is a folder above the other. The first may be above the others
/// if `first_holds`.
void refuse_clashes(const std::vector<NamedOutput>& outputs, bool first_holds);
/// ConfigError if the output would replace one of the command's `inputs`, or a file of a run in one that is a folder.
/// They may be names of what is no file.
void refuse_to_replace(const NamedOutput& output, const std::vector<std::string>& inputs);
/// What refuse_clashes() and refuse_to_replace() say of those whose path is not empty, and ConfigError if one can't be
/// written.
void refuse_outputs(const std::vector<NamedOutput>& outputs, const std::vector<std::string>& inputs = {});

} // namespace numavp
