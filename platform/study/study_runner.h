/// Runs the missing points of a study: longest first, each recorded when it ends, selections made as soon as possible.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "platform/study/study_estimates.h"
#include "platform/study/study_process.h"

namespace numavp {

struct StudyRunOptions {
    bool retry_failed = false;
    bool share = true;         ///< points go on from beginnings that they share
    double time_limit_s = 0.0; ///< of each point, instead of the study's; 0: the study's
};

/// State of a study after a run.
struct StudyRunReport {
    std::size_t points = 0, done = 0, failed = 0; ///< of the plan
    std::size_t ran = 0;                          ///< now
    std::size_t beginnings = 0, shared = 0;       ///< simulated once for several points; these points
    double wall_s = 0.0, busy_s = 0.0;            ///< of this run; of its processes together
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
    /// Points that share beginnings run whole, for this reason.
    virtual void unshared(std::size_t points, const std::string& why) = 0;
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
    /// A point, what is left of one after its beginning, or the beginning that some share.
    struct Waiting {
        bool decisive = false; ///< a selection depends on it
        TimeEstimate time;     ///< of a whole run
        std::shared_ptr<const PointJob> job;
        std::shared_ptr<const SharedBeginning> beginning{}; ///< null: a point
        bool goes_on = false;                               ///< from a beginning that has been run
        double from = 0.0, to = 1.0;                        ///< shares of the whole run

        /// Its points: how many of them run when it has ended.
        std::size_t followers() const { return beginning ? beginning->points.size() : 0; }
        /// Whole runs that are still to be made for it when the run is at a share, which may be beyond an estimated
        /// `to`.
        double left(double share) const {
            return std::max(0.0, to - share) + static_cast<double>(followers()) * (1.0 - std::max(to, share));
        }
    };
    struct Slot {
        Waiting what;
        bool busy = false;
        Clock::time_point start;
    };
    void replan();
    using Groups = std::map<std::string, std::shared_ptr<const SharedBeginning>>;
    Groups groups_of(const std::vector<std::shared_ptr<const PointJob>>& points);
    std::vector<Waiting> to_begin();
    /// Puts the longest last, by what is known now.
    void order_queue();
    bool wanted(const std::string& key) const;
    void fill_slots();
    void take(const PointWorkers::Ended& ended);
    StudyProgress progress() const;
    /// With the time limit of this run, if it has one.
    PointJob with_limit(PointJob job) const;
    SharedBeginning with_limit(SharedBeginning beginning) const;
    void record(const PointJob& job, const PointOutcome& outcome);
    void take_beginning(const Waiting& what, const PointWorkers::Ended& ended);
    /// Points to be run whole, though they share a beginning.
    void run_whole(const Waiting& what, const std::string& why);
    /// Share of the whole run that a busy slot has reached.
    double at(std::size_t slot) const;
    /// Estimated seconds of the whole run in a busy slot; 0 if there is no estimate.
    double projected(std::size_t slot) const;
    /// How far estimates from earlier runs were off so far: this machine may be busier than theirs.
    double measured_drift() const;
    /// Seconds of the whole run in a busy slot; none if nothing says so.
    std::optional<double> slot_seconds(std::size_t slot, double drift) const;
    /// Seconds until the point or the beginning of a busy slot ends; none if nothing says so.
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
    std::set<std::string> whole_;            ///< keys of points that share nothing any more
    std::vector<Waiting> queue_;             ///< the next one is last
    std::vector<Slot> slots_;
    StudyRunReport report_;
    bool said_whole_ = false;                  ///< that these workers share no beginnings
    double ended_ = 0.0;                       ///< whole runs' worth of what has ended
    double taken_s_ = 0.0, estimated_s_ = 0.0; ///< by the points that ended and whose estimates were measured
    Clock::time_point start_ = Clock::now();
};

} // namespace numavp
