/// The live view of a study's point, in the point's process: the page of its run.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "platform/live/live_run.h"
#include "platform/study/study_worker.h"

namespace numavp {

class LivePoint final : public PointWatch {
  public:
    /// `results`: the results file of the study.
    explicit LivePoint(std::string results) : results_(std::move(results)) {}

    void prepare(const PointJob& job, const SystemConfig& config, SystemOptions& options) override;
    void begin() override {
        if (view_) view_->begin();
    }
    void look(const System& system, const Progress& progress) override {
        if (view_) view_->look(system, progress);
    }
    void rest(const System& system) override {
        if (view_) view_->rest(system);
    }
    void end(const std::string& fault) override;

  private:
    std::string results_;
    std::unique_ptr<LiveRun> view_; ///< null before prepare(), and where no page can be had
};

} // namespace numavp
