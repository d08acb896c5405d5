/// Paths of what a program writes, as the user typed them: where they lead, and whether two get in each other's way.
#pragma once

#include <string>
#include <vector>

namespace numavp {

/// The file or folder itself: symbolic links at the path's end are followed, also if nothing is there yet.
std::string behind_links(const std::string& path);
/// Absolute, without links, "." and "..".
std::string real_path(const std::string& path);
/// `file` as seen from `folder`; empty if it does not lie in it.
std::string path_inside(const std::string& folder, const std::string& file);

/// ConfigError, at `place`, if what is at the path is not a file, or its name leaves no room for a hidden one.
void refuse_no_file(const std::string& path, const std::string& place);
/// The same, and if it can be known now that a file can't be written there. Makes nothing: for checks before a run.
void refuse_unwritable(const std::string& path, const std::string& place);
/// The next folder above `path` that exists; ConfigError, at `place`, if it is no folder or can't be written to.
void refuse_unwritable_folder(const std::string& path, const std::string& place);

/// An output and the option that asked for it.
struct NamedOutput {
    std::string option, path;
};
/// ConfigError if two are the same, or one would be a folder on the way to the other. The first may hold the others
/// if `first_holds`.
void refuse_clashes(const std::vector<NamedOutput>& outputs, bool first_holds);

} // namespace numavp
