#include "platform/live/live_probe.h"

#include <algorithm>

#include "base/stats/part_list.h"
#include "platform/machine/slot_series.h"

namespace numavp {

void LiveProbe::note(const FollowedAccess& access) {
    accesses_.push_front({access, *access.hops});
    accesses_.front().access.hops = nullptr;
    if (accesses_.size() > kAccesses) accesses_.pop_back();
}

void LiveProbe::take_events(const std::vector<TimelineEvent>& events) {
    for (; events_ < events.size(); ++events_) {
        const TimelineEvent& event = events[events_];
        if (event.what == "launch") running_.push_back({event.name, 0, event.cycle, 0});
        if (event.what != "kernel") continue;
        const auto same = [&](const LiveKernel& kernel) { return kernel.name == event.name; };
        const auto one = std::find_if(running_.begin(), running_.end(), same);
        if (one != running_.end()) running_.erase(one);
        ended_.push_front({event.name, event.launch, event.cycle, event.end});
        if (ended_.size() > kEndedKernels) ended_.pop_back();
    }
}

std::shared_ptr<const LiveSnapshot> LiveProbe::look(const System& system, const Progress& progress) {
    auto snapshot = std::make_shared<LiveSnapshot>();
    snapshot->progress = progress;
    snapshot->elapsed_seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    history_.catch_up({&system.series(), &system.slots().series()});
    snapshot->history = history_;
    for (unsigned s = 0; s < system.config().sockets; ++s) snapshot->schedulers.push_back(system.slots().schedulers(s));
    take_events(system.timeline());
    snapshot->running = running_;
    snapshot->ended.assign(ended_.begin(), ended_.end());
    system.parts().each([&](const std::string& title, const ModelPart& part) {
        snapshot->parts.push_back({title, part.waiting_for(), part.holding()});
    });
    snapshot->accesses.assign(accesses_.begin(), accesses_.end());
    return snapshot;
}

} // namespace numavp
