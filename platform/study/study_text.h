/// Text about studies for a person: the end of a run, the state of the points, the results.
#pragma once

#include <string>

#include "common/words/text.h"
#include "platform/study/study_rows.h"
#include "platform/study/study_runner.h"

namespace numavp {

std::string run_report_text(const StudyRunReport& report, const std::string& study, const std::string& file,
                            std::size_t slots);
ordered_json run_report_json(const StudyRunReport& report, const std::string& file);

/// Points by figure: done, failed, missing; and the reasons of failures.
std::string status_text(const StudyPlan& plan, const StudyStore& store, const Style& style);
ordered_json status_json(const StudyPlan& plan, const StudyStore& store);

/// Each figure's means and the paper's numbers with their verdicts; with `workloads` the values of each workload too.
std::string show_text(const StudyPlan& plan, const StudyStore& store, bool workloads, const Style& style);

} // namespace numavp
