/// `numavp run`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/inputs/named_workload.h"
#include "platform/cli/cli_words.h"
#include "platform/machine/system.h"
#include "platform/results/results_host.h"
#include "platform/results/run_record.h"

namespace numavp {

/// System and workload of a run, and the record that it repeats, if it does.
struct RunInput {
    SystemConfig config;
    NamedWorkload workload;
    std::optional<RecordedRun> repeated;
    bool changed = false; ///< words of the command line change what is repeated
};
RunInput input_of(const RunWords& words);
SystemOptions options_of(const RunWords& words, const SystemConfig& config);
/// What a run that has ended cost; its loading is not in it.
RunCost cost_of(const System& system, double wall_seconds);

/// Simulates, writes the results, and returns the text to print. `command_line` is recorded in run.json.
std::string run_command(const RunWords& words, const std::vector<std::string>& command_line);

} // namespace numavp
