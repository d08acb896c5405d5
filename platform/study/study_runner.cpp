#include "platform/study/study_runner.h"

#include <algorithm>

namespace numavp {
namespace {

constexpr int kWaitMilliseconds = 200; ///< between two looks at time limits and Ctrl-C

double expected_seconds(const TimeEstimate& time, double drift) {
    return time.measured ? time.seconds * drift : time.seconds;
}

} // namespace

StudyRunner::StudyRunner(const StudyPlanner& planner, StudyStore& store, PointWorkers& workers, StudyListener& listener,
                         const StudyRunOptions& options)
    : planner_(planner), store_(store), workers_(workers), listener_(listener), options_(options), estimates_(store),
      slots_(workers.slots()) {}

bool StudyRunner::wanted(const std::string& key) const {
    const PointState state = store_.state(key);
    return state == PointState::missing || (state == PointState::failed && options_.retry_failed);
}

/// The queue anew: what the plan has and nobody has begun. The plan is noted at once, for those who read while the
/// study runs and for what a kill leaves; it only grows.
void StudyRunner::replan() {
    plan_ = planner_.plan(store_);
    std::size_t cells = 0;
    for (const PlannedFigure& figure : plan_.figures) cells += figure.cells.size();
    if (noted_cells_ != cells) store_.note_plan(plan_);
    noted_cells_ = cells;
    queue_.clear();
    for (std::size_t i = 0; i < plan_.points.size(); ++i) {
        const auto& job = plan_.points[i];
        if (begun_.count(job->key) == 0 && wanted(job->key)) queue_.push_back({plan_.decisive[i], {}, job});
    }
    std::reverse(queue_.begin(), queue_.end()); // of equals the plan's first
    order_queue();
}

void StudyRunner::order_queue() {
    for (Waiting& waiting : queue_) waiting.time = estimates_.of(*waiting.job);
    for (Slot& slot : slots_)
        if (slot.busy && !slot.what.time.known) slot.what.time = estimates_.of(*slot.what.job);
    // Points on which selections depend come first: others wait for them.
    std::stable_sort(queue_.begin(), queue_.end(), [](const Waiting& a, const Waiting& b) {
        return a.decisive != b.decisive ? b.decisive : a.time.seconds < b.time.seconds;
    });
}

void StudyRunner::fill_slots() {
    for (std::size_t s = 0; s < slots_.size() && !queue_.empty(); ++s) {
        if (slots_[s].busy) continue;
        slots_[s] = {std::move(queue_.back()), true, Clock::now()};
        queue_.pop_back();
        PointJob job = *slots_[s].what.job;
        if (options_.time_limit_s > 0.0) job.time_limit_s = options_.time_limit_s;
        begun_.insert(job.key);
        workers_.start(s, job);
    }
}

void StudyRunner::take(const PointWorkers::Ended& ended) {
    slots_[ended.slot].busy = false;
    const Waiting what = std::move(slots_[ended.slot].what);
    fill_slots(); // the slot need not wait for the disk
    store_.record(*what.job, ended.outcome);
    estimates_.learn(*what.job, ended.outcome);
    ++report_.ran;
    report_.busy_s += ended.outcome.wall_s;
    if (ended.outcome.done && what.time.measured) {
        taken_s_ += ended.outcome.wall_s;
        estimated_s_ += what.time.seconds;
    }
    listener_.ended(*what.job, ended.outcome);
    if (what.decisive)
        replan();
    else
        order_queue();
}

double StudyRunner::projected(std::size_t slot) const {
    constexpr double kTooEarly = 0.03; // below this share nothing follows from it
    const double share = workers_.share(slot);
    if (share < kTooEarly) return 0.0;
    return std::chrono::duration<double>(Clock::now() - slots_[slot].start).count() / share;
}

double StudyRunner::measured_drift() const {
    double taken = taken_s_;
    double estimated = estimated_s_;
    for (std::size_t s = 0; s < slots_.size(); ++s) {
        if (!slots_[s].busy || !slots_[s].what.time.measured || projected(s) == 0.0) continue;
        taken += projected(s);
        estimated += slots_[s].what.time.seconds;
    }
    return estimated > 0.0 ? taken / estimated : 1.0;
}

std::optional<double> StudyRunner::slot_left(std::size_t slot, double drift) const {
    const TimeEstimate& time = slots_[slot].what.time;
    const double whole = projected(slot);
    if (whole == 0.0 && !time.known) return std::nullopt;
    return (whole > 0.0 ? whole : expected_seconds(time, drift)) * (1.0 - workers_.share(slot));
}

std::optional<double> StudyRunner::time_left() const {
    const double drift = measured_drift();
    double left = 0.0;
    double longest = 0.0;
    const auto add = [&](double seconds) {
        left += seconds;
        longest = std::max(longest, seconds);
    };
    for (const Waiting& waiting : queue_) {
        if (!waiting.time.known) return std::nullopt;
        add(expected_seconds(waiting.time, drift));
    }
    for (std::size_t s = 0; s < slots_.size(); ++s) {
        if (!slots_[s].busy) continue;
        const std::optional<double> own = slot_left(s, drift);
        if (!own) return std::nullopt;
        add(*own);
    }
    return std::max(left / static_cast<double>(slots_.size()), longest);
}

double StudyRunner::share_of_points() const {
    auto ended = static_cast<double>(report_.ran);
    double all = ended + static_cast<double>(queue_.size());
    for (std::size_t s = 0; s < slots_.size(); ++s) {
        if (!slots_[s].busy) continue;
        ended += workers_.share(s);
        all += 1.0;
    }
    return all > 0.0 ? ended / all : 1.0;
}

StudyProgress StudyRunner::progress() const {
    StudyProgress now;
    now.points = plan_.points.size();
    for (const auto& job : plan_.points) {
        const PointState state = store_.state(job->key);
        now.done += state == PointState::done ? 1 : 0;
        now.failed += state == PointState::failed ? 1 : 0;
    }
    for (const Slot& slot : slots_) now.running += slot.busy ? 1 : 0;
    now.waiting = queue_.size();
    now.elapsed_s = std::chrono::duration<double>(Clock::now() - start_).count();
    now.left_s = time_left();
    now.share = now.left_s ? now.elapsed_s / std::max(1e-9, now.elapsed_s + *now.left_s) : share_of_points();
    return now;
}

std::vector<RunningPoint> StudyRunner::running() const {
    const double drift = measured_drift();
    std::vector<RunningPoint> points;
    for (std::size_t s = 0; s < slots_.size(); ++s)
        if (slots_[s].busy)
            points.push_back({slots_[s].what.job, workers_.share(s),
                              std::chrono::duration<double>(Clock::now() - slots_[s].start).count(),
                              slot_left(s, drift), workers_.address(s)});
    return points;
}

std::vector<WaitingPoint> StudyRunner::waiting(std::size_t most) const {
    const double drift = measured_drift();
    std::vector<WaitingPoint> points;
    for (auto next = queue_.rbegin(); next != queue_.rend() && points.size() < most; ++next)
        points.push_back(
            {next->job, next->time.known ? std::optional(expected_seconds(next->time, drift)) : std::nullopt});
    return points;
}

StudyRunReport StudyRunner::run() {
    replan();
    for (;;) {
        fill_slots();
        if (std::none_of(slots_.begin(), slots_.end(), [](const Slot& s) { return s.busy; })) break;
        for (const PointWorkers::Ended& ended : workers_.wait(kWaitMilliseconds)) take(ended);
        listener_.check();
        const StudyProgress now = progress();
        listener_.progress(now);
        listener_.look(*this, now);
    }
    replan();
    const StudyProgress end = progress();
    listener_.look(*this, end);
    report_.points = end.points;
    report_.done = end.done;
    report_.failed = end.failed;
    report_.wall_s = end.elapsed_s;
    return report_;
}

} // namespace numavp
