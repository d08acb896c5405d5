/// Runs the missing points of a study: longest first, each recorded when it ends, selections made as soon as possible.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "platform/study/study_estimates.h"
#include "platform/study/study_process.h"

namespace numavp {

struct StudyRunOptions {
    bool retry_failed = false;
    double time_limit_s = 0.0; ///< of each point, instead of the study's; 0: the study's
};

/// State of a study after a run.
struct StudyRunReport {
    std::size_t points = 0, done = 0, failed = 0; ///< of the plan
    std::size_t ran = 0;                          ///< now
    double wall_s = 0.0, busy_s = 0.0;            ///< of this run; of its points together
};

/// Progress of a study, for display.
struct StudyProgress {
    std::size_t points = 0, done = 0, failed = 0, running = 0;
    std::size_t waiting = 0; ///< for a slot, of those that are planned so far
    double elapsed_s = 0.0;
    std::optional<double> left_s; ///< none until it follows from points that have ended or are well under way
    double share = 0.0;           ///< of this run's estimated time, 0 to 1; of its points while no time is known
};

/// A point that runs.
struct RunningPoint {
    std::shared_ptr<const PointJob> job;
    double share = 0.0, elapsed_s = 0.0;
    std::optional<double> left_s; ///< none until it follows from its own progress or from other points
    std::string address;          ///< of its live page; empty: it has none
};

/// A point that waits for a slot.
struct WaitingPoint {
    std::shared_ptr<const PointJob> job;
    std::optional<double> expected_s; ///< none until its time follows from points that have ended
};

class StudyRunner;

class StudyListener {
  public:
    virtual ~StudyListener() = default;
    virtual void progress(const StudyProgress& progress) = 0;
    virtual void ended(const PointJob& job, const PointOutcome& outcome) = 0;
    /// Called as often as progress(), to read the points of a runner.
    virtual void look(const StudyRunner& runner, const StudyProgress& progress) = 0;
    /// Called often; may throw to end the run. Points recorded so far are kept.
    virtual void check() = 0;
};

class StudyRunner {
  public:
    StudyRunner(const StudyPlanner& planner, StudyStore& store, PointWorkers& workers, StudyListener& listener,
                const StudyRunOptions& options);

    StudyRunReport run();

    /// The points that run, by slot.
    std::vector<RunningPoint> running() const;
    /// The next ones, at most `most`.
    std::vector<WaitingPoint> waiting(std::size_t most) const;

  private:
    using Clock = std::chrono::steady_clock;
    struct Waiting {
        bool decisive = false; ///< a selection depends on it
        TimeEstimate time;
        std::shared_ptr<const PointJob> job;
    };
    struct Slot {
        Waiting what;
        bool busy = false;
        Clock::time_point start;
    };
    void replan();
    /// Puts the longest last, by what is known now.
    void order_queue();
    bool wanted(const std::string& key) const;
    void fill_slots();
    void take(const PointWorkers::Ended& ended);
    StudyProgress progress() const;
    /// Estimated seconds of the point in a busy slot, in all; 0 if there is no estimate.
    double projected(std::size_t slot) const;
    /// How far estimates from earlier runs were off so far: this machine may be busier than theirs.
    double measured_drift() const;
    /// Seconds until the point of a busy slot ends; none if nothing says so.
    std::optional<double> slot_left(std::size_t slot, double drift) const;
    std::optional<double> time_left() const;
    double share_of_points() const;

    const StudyPlanner& planner_;
    StudyStore& store_;
    PointWorkers& workers_;
    StudyListener& listener_;
    StudyRunOptions options_;
    StudyEstimates estimates_;
    StudyPlan plan_;
    std::optional<std::size_t> noted_cells_; ///< of the plan that the results file has
    std::set<std::string> begun_;            ///< keys of this run
    std::vector<Waiting> queue_;             ///< the next one is last
    std::vector<Slot> slots_;
    StudyRunReport report_;
    double taken_s_ = 0.0, estimated_s_ = 0.0; ///< by the points that ended and whose estimates were measured
    Clock::time_point start_ = Clock::now();
};

} // namespace numavp
