#include "platform/live/live_point.h"

#include <exception>
#include <unistd.h>

#include <fmt/format.h>

namespace numavp {

void LivePoint::prepare(const PointJob& job, const SystemConfig& config, SystemOptions& options) {
    LiveFacts facts;
    facts.config = config;
    facts.workload = job.workload_name;
    facts.results = results_;
    facts.follow_every = LiveRun::kFollowEvery;
    facts.owner = ::getppid();
    try {
        view_ = std::make_unique<LiveRun>(std::uint16_t{0}, std::move(facts), find_report_files());
    } catch (const std::exception&) {
        return; // such as no port: a view must not end a point
    }
    options.follow_every = LiveRun::kFollowEvery;
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
