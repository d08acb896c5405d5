/// `numavp study`.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "platform/cli/cli_study_words.h"
#include "platform/study/study_process.h"

namespace numavp {

/// What a study says and how the program ends.
struct StudyEnd {
    std::string text;
    int status = 0;
};

/// Does what the words say. ConfigError, Interrupted.
StudyEnd study_command(const StudyWords& words, const std::vector<std::string>& command_line);

/// Where points run instead of processes of this machine: set by the program of the ranks before it parses.
using WorkersFactory = std::function<std::unique_ptr<PointWorkers>()>;
void set_workers_factory(WorkersFactory factory);

} // namespace numavp
