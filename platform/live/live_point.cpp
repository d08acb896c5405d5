#include "platform/live/live_point.h"

#include <unistd.h>

#include <fmt/format.h>

namespace numavp {

void LivePoint::prepare(const PointJob& job, const SystemConfig& config, SystemOptions& options) {
    options.follow_every = LiveRun::kFollowEvery;
    LiveFacts facts;
    facts.config = config;
    facts.workload = job.workload_name;
    facts.results = results_;
    facts.follow_every = options.follow_every;
    facts.owner = ::getppid();
    view_ = std::make_unique<LiveRun>(std::uint16_t{0}, std::move(facts), find_report_files());
    options.on_access = [view = view_.get()](const FollowedAccess& access) { view->note(access); };
    tell_study({{"live", view_->address()}});
}

void LivePoint::end(const std::string& fault) {
    if (!view_) return;
    if (fault.empty())
        view_->end("ended", fmt::format("its results are for the study's file {}", results_));
    else
        view_->end("failed", fault);
}

} // namespace numavp
