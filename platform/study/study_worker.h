/// The child processes of points: read a job from stdin and write lines of JSON to stdout.
#pragma once

#include "platform/study/study_store.h"
#include "sw/work/workload.h"

namespace numavp {

/// Runs the job on stdin. Writes {"progress": 0.4} now and then and {"outcome": {...}} at the end; reasons of failures
/// go to stderr, as with `numavp run`. Once per process.
void run_point_from_stdin();

/// Runs the beginning that the points on stdin share (study_beginnings.h), and then, whenever the study asks by the
/// socket, the rest of a point in a forked process, which writes what run_point_from_stdin() writes and ends here. Once
/// per process.
void run_beginning_from_stdin(int socket);

/// Sum of the accesses that a workload's kernels declare.
std::uint64_t declared_accesses(const Workload& workload);

/// Runs a job in this process and returns its outcome. `report` is called with the share that is done.
PointOutcome run_point(const PointJob& job, const std::function<void(double)>& report);

std::string outcome_text(const PointOutcome& outcome);
PointOutcome outcome_of(const std::string& text);

} // namespace numavp
