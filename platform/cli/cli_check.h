/// `numavp check`: reads a file whole, says what kind of file it is and reports the first error in it.
#pragma once

#include <string>
#include <vector>

namespace numavp {

/// The files that stand for what was asked: those of a folder of systems, workloads or graphs, in the order of their
/// names; itself otherwise. A folder of studies is one study.
std::vector<std::string> files_to_check(const std::string& asked);

/// One sentence about a system, a workload, a study, results, a .traceg[.xz] or a kernelslist.g, all of which was read
/// (every line of a trace). Settings are those of a system or a network. ConfigError with what is wrong.
std::string check_file(const std::string& path, const std::vector<std::string>& settings = {});

} // namespace numavp
