/// Estimates the time of points: from earlier runs, or from the declarations of their workloads.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "platform/study/study_store.h"

namespace numavp {

/// Wall time of a point.
struct TimeEstimate {
    double seconds = 0.0;
    bool measured = false; ///< from runs of its workload at its scale; otherwise from the accesses that it declares
    /// False until a point of this run has ended: an assumed time for each access orders the points, and says nothing
    /// about how long they take.
    bool known = false;
};

class StudyEstimates {
  public:
    explicit StudyEstimates(const StudyStore& store);

    TimeEstimate of(const PointJob& job);
    /// Share of the accesses that the workload declares for launches before one, by its number, in those of all; 0 if
    /// it does not say.
    double share_before(const PointJob& job, std::uint64_t kernel);
    /// Takes the time of a point that has ended, to improve the estimates of others.
    void learn(const PointJob& job, const PointOutcome& outcome);

  private:
    struct Mean {
        double sum = 0.0;
        unsigned count = 0;
        void add(double value) {
            sum += value;
            ++count;
        }
        double value() const { return sum / count; }
    };
    using Name = std::pair<std::string, double>; ///< workload and scale
    /// Seconds for accesses that workloads declare: those differ widely in how many of them hit in L1s.
    struct Rate {
        double seconds = 0.0, accesses = 0.0;
        double value() const { return seconds / accesses; }
    };
    /// Accesses that a workload declares, by its launches of kernels.
    struct Accesses {
        std::vector<double> by_launch;
        double all = 0.0;
    };
    const Accesses& accesses(const PointJob& job);

    std::map<std::pair<std::string, Name>, Mean> on_system_;
    std::map<Name, Mean> of_workload_;
    std::map<Name, Accesses> accesses_;
    std::map<std::string, Rate> rates_; ///< by workload, over all scales; of points that have ended since
    Mean rate_;                         ///< of these points
};

} // namespace numavp
