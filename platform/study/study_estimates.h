/// How long points will take: from earlier runs, or from what their workloads declare.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "platform/study/study_store.h"

namespace numavp {

class StudyEstimates {
  public:
    explicit StudyEstimates(const StudyStore& store);

    /// Seconds.
    double seconds(const PointJob& job);
    /// A point has ended: estimates of the others follow.
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
    double accesses(const PointJob& job);

    std::map<std::pair<std::string, Name>, Mean> on_system_;
    std::map<Name, Mean> of_workload_;
    std::map<Name, double> accesses_;
    double accesses_seen_ = 0.0, seconds_seen_ = 0.0;
};

} // namespace numavp
