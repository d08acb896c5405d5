/// The child processes of points: read a job from stdin and write lines of JSON to stdout.
#pragma once

#include "platform/machine/system.h"
#include "platform/study/study_store.h"
#include "sw/work/workload.h"

namespace numavp {

/// Looks at a point while it runs, on the thread that simulates; it changes no result.
class PointWatch {
  public:
    virtual ~PointWatch() = default;
    /// Called before the system is made with these options.
    virtual void prepare(const PointJob& job, const SystemConfig& config, SystemOptions& options) = 0;
    /// Called when the simulation begins, between two edges, and when it has ended.
    virtual void begin() = 0;
    virtual void look(const System& system, const Progress& progress) = 0;
    virtual void rest(const System& system) = 0;
    /// Called last; `fault` is empty if the study has the results.
    virtual void end(const std::string& fault) = 0;
};

/// Runs the job on stdin. Writes {"progress": 0.4} now and then and {"outcome": {...}} at the end; reasons of failures
/// go to stderr, as with `numavp run`. Once per process. `watch` may be null.
void run_point_from_stdin(PointWatch* watch);

/// Writes a line for the study that started this process. ConfigError if nobody reads it.
void tell_study(const ordered_json& line);

/// Runs the beginning that the points on stdin share (study_beginnings.h), and then, whenever the study asks by the
/// socket, the rest of a point in a forked process, which writes what run_point_from_stdin() writes and ends here. Once
/// per process.
void run_beginning_from_stdin(int socket);

/// Sum of the accesses that a workload's kernels declare.
std::uint64_t declared_accesses(const Workload& workload);

/// Runs a job in this process and returns its outcome. `report` is called with the share that is done.
/// `watch` may be null.
PointOutcome run_point(const PointJob& job, const std::function<void(double)>& report, PointWatch* watch);

std::string outcome_text(const PointOutcome& outcome);
PointOutcome outcome_of(const std::string& text);

} // namespace numavp
