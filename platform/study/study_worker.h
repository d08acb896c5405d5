/// The process of one point: a job comes in on stdin, lines of JSON go out on stdout.
#pragma once

#include "platform/study/study_store.h"
#include "sw/kernels/workload.h"

namespace numavp {

/// Runs the job on stdin. Writes {"progress": 0.4} now and then and {"outcome": {...}} at the end; the reasons of
/// failures go to stderr, as those of `numavp run`. Used once a process.
void run_point_from_stdin();

/// What a workload's kernels declare together.
std::uint64_t declared_accesses(const Workload& workload);

/// Runs a job in this process and returns what came out. `report` gets the share that is done.
PointOutcome run_point(const PointJob& job, const std::function<void(double)>& report);

std::string outcome_text(const PointOutcome& outcome);
PointOutcome outcome_of(const std::string& text);

} // namespace numavp
