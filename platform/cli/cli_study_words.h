/// The words of `numavp study`.
#pragma once

#include <string>
#include <vector>

#include <CLI/App.hpp>

namespace numavp {

struct StudyWords {
    std::string action; ///< run, status, show, export, report; point and beginning are for the program itself
    std::string file;
    std::string jobs, scale, db, time_limit, out, live; ///< empty: not given
    std::vector<std::string> figures;
    bool retry_failed = false, no_branches = false, json = false, csv = false, workloads = false, quiet = false;
};

void add_study(CLI::App& app, StudyWords& words);

/// ConfigError if the action does not exist, or an option belongs to another action.
void check_study_words(const StudyWords& words);

/// Words that may follow "study", for completion.
extern const char* const kStudyActions;

} // namespace numavp
