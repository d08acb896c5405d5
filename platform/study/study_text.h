/// Studies told to a person: how a run ended, what is there, what was found.
#pragma once

#include <string>

#include "platform/cli/cli_text.h"
#include "platform/study/study_rows.h"
#include "platform/study/study_runner.h"

namespace numavp {

std::string run_report_text(const StudyRunReport& report, const std::string& study, const std::string& file,
                            std::size_t slots);
ordered_json run_report_json(const StudyRunReport& report, const std::string& file);

/// Points by figure: done, failed, missing; and why those that failed did.
std::string status_text(const StudyPlan& plan, const StudyStore& store, const Style& style);
ordered_json status_json(const StudyPlan& plan, const StudyStore& store);

/// Each figure's means and the paper's numbers with their verdicts; with `workloads` each workload's values too.
std::string show_text(const StudyPlan& plan, const StudyStore& store, bool workloads, const Style& style);

} // namespace numavp
