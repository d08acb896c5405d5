/// `numavp study`.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "platform/cli/cli_study_words.h"
#include "platform/study/study_process.h"

namespace numavp {

/// Text to print, and exit status of the program.
struct StudyEnd {
    std::string text;
    int status = 0;
};

/// Executes the command. Throws ConfigError and Interrupted.
StudyEnd study_command(const StudyWords& words, const std::vector<std::string>& command_line);

/// Makes workers to be used in place of local processes; the program for MPI ranks sets it before it parses.
using WorkersFactory = std::function<std::unique_ptr<PointWorkers>()>;
void set_workers_factory(WorkersFactory factory);

} // namespace numavp
