/// The files of a run that has ended: results.json, timeline.json, run.json and report.html.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "common/inputs/named_workload.h"
#include "platform/accesses/access_timeline.h"
#include "platform/machine/system.h"
#include "platform/report/run_report.h"
#include "platform/results/results_folder.h"
#include "platform/results/results_host.h"
#include "platform/summary/summary.h"

namespace numavp {

/// What only run.json and the timeline have.
struct RunFacts {
    RunCost cost; ///< without the number of transactions, which the results have
    std::vector<std::string> command_line;
    ordered_json own;                                  ///< files of the user (own_inputs_json); may be empty
    const std::vector<KeptAccess>* followed = nullptr; ///< null: no access was followed
};

struct RunOutput {
    ordered_json results, timeline, run;
    RunSummary summary;
    RunCost cost;
};

/// To be called after the run.
RunOutput run_output(const System& system, const NamedWorkload& workload, const RunFacts& facts);

/// The page, or why there is none: what was simulated is kept all the same.
struct ReportText {
    std::string html, fault;
};
ReportText report_of(const RunOutput& output, const ReportFiles& files);

/// Writes the files and returns the folder's path. Calls `check` between two steps, which may throw. `report`: empty if
/// there is none.
std::string write_run(ResultsFolder& folder, const RunOutput& output, const std::string& report,
                      const std::function<void()>& check);

} // namespace numavp
