#include "platform/study/study_runner.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

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
    const auto planned = [](const Waiting& waiting) { return !waiting.goes_on; };
    queue_.erase(std::remove_if(queue_.begin(), queue_.end(), planned), queue_.end());
    std::vector<Waiting> fresh = to_begin();
    queue_.insert(queue_.begin(), std::make_move_iterator(fresh.rbegin()), std::make_move_iterator(fresh.rend()));
    order_queue(); // of equals the plan's first
}

/// By the points' keys; none if these workers share no beginnings, which is said once.
StudyRunner::Groups StudyRunner::groups_of(const std::vector<std::shared_ptr<const PointJob>>& points) {
    Groups groups;
    for (SharedBeginning& one : shared_beginnings(points)) {
        const auto group = std::make_shared<const SharedBeginning>(std::move(one));
        for (const auto& job : group->points) groups[job->key] = group;
    }
    const std::string why = workers_.why_unshared();
    if (groups.empty() || why.empty()) return groups;
    if (!std::exchange(said_whole_, true)) listener_.unshared(groups.size(), why);
    return {};
}

/// Points, and beginnings in the places of their first points, in the order of the plan.
std::vector<StudyRunner::Waiting> StudyRunner::to_begin() {
    std::vector<Waiting> points;
    std::vector<std::shared_ptr<const PointJob>> may_share;
    for (std::size_t i = 0; i < plan_.points.size(); ++i) {
        const auto& job = plan_.points[i];
        if (begun_.count(job->key) != 0 || !wanted(job->key)) continue;
        points.push_back({plan_.decisive[i], {}, job});
        if (options_.share && whole_.count(job->key) == 0) may_share.push_back(job);
    }
    const Groups groups = groups_of(may_share);
    std::vector<Waiting> items;
    std::map<const SharedBeginning*, std::size_t> places;
    for (Waiting& point : points) {
        const auto group = groups.find(point.job->key);
        if (group != groups.end()) {
            const auto [place, first] = places.emplace(group->second.get(), items.size());
            if (!first) {
                items[place->second].decisive |= point.decisive;
                continue;
            }
            point.beginning = group->second;
            point.to = estimates_.share_before(*point.job, group->second->kernel);
        }
        items.push_back(std::move(point));
    }
    return items;
}

void StudyRunner::order_queue() {
    for (Waiting& waiting : queue_) waiting.time = estimates_.of(*waiting.job);
    for (Slot& slot : slots_)
        if (slot.busy && !slot.what.time.known) slot.what.time = estimates_.of(*slot.what.job);
    // Points on which selections depend come first: others wait for them. What goes on from a beginning comes before
    // what begins: until then a process waits with a machine in its memory.
    std::stable_sort(queue_.begin(), queue_.end(), [](const Waiting& a, const Waiting& b) {
        return std::tuple(a.decisive, a.goes_on, a.time.seconds) < std::tuple(b.decisive, b.goes_on, b.time.seconds);
    });
}

void StudyRunner::fill_slots() {
    for (std::size_t s = 0; s < slots_.size() && !queue_.empty(); ++s) {
        if (slots_[s].busy) continue;
        slots_[s] = {std::move(queue_.back()), true, Clock::now()};
        queue_.pop_back();
        const Waiting& what = slots_[s].what;
        if (what.beginning) {
            for (const auto& job : what.beginning->points) begun_.insert(job->key);
            workers_.begin(s, with_limit(*what.beginning));
        } else {
            begun_.insert(what.job->key);
            workers_.start(s, with_limit(*what.job));
        }
    }
}

PointJob StudyRunner::with_limit(PointJob job) const {
    if (options_.time_limit_s > 0.0) job.time_limit_s = options_.time_limit_s;
    return job;
}

SharedBeginning StudyRunner::with_limit(SharedBeginning beginning) const {
    for (auto& job : beginning.points) job = std::make_shared<PointJob>(with_limit(*job));
    return beginning;
}

void StudyRunner::run_whole(const Waiting& what, const std::string& why) {
    const std::vector<std::shared_ptr<const PointJob>> one = {what.job};
    const auto& points = what.beginning ? what.beginning->points : one;
    listener_.unshared(points.size(), why);
    for (const auto& job : points) {
        whole_.insert(job->key);
        begun_.erase(job->key);
    }
    replan();
}

void StudyRunner::take_beginning(const Waiting& what, const PointWorkers::Ended& ended) {
    report_.busy_s += ended.outcome.wall_s;
    if (ended.run_whole) return run_whole(what, ended.outcome.message);
    if (ended.reached) {
        ++report_.beginnings;
        report_.shared += what.beginning->points.size();
        ended_ += *ended.reached;
        const auto& points = what.beginning->points;
        for (auto job = points.rbegin(); job != points.rend(); ++job)
            queue_.push_back({what.decisive, {}, *job, nullptr, true, *ended.reached, 1.0});
        order_queue();
        return;
    }
    for (const auto& job : what.beginning->points) { // all of them would have taken too long
        record(*job, ended.outcome);
        ended_ += 1.0;
    }
    if (what.decisive) replan();
}

void StudyRunner::record(const PointJob& job, const PointOutcome& outcome) {
    store_.record(job, outcome);
    estimates_.learn(job, outcome);
    ++report_.ran;
    listener_.ended(job, outcome);
}

void StudyRunner::take(const PointWorkers::Ended& ended) {
    slots_[ended.slot].busy = false;
    const Waiting what = std::move(slots_[ended.slot].what);
    if (what.beginning) return take_beginning(what, ended);
    if (ended.run_whole) return run_whole(what, ended.outcome.message);
    fill_slots(); // the slot need not wait for the disk
    record(*what.job, ended.outcome);
    report_.busy_s += ended.outcome.wall_s - ended.outcome.shared_s;
    ended_ += 1.0 - what.from;
    if (ended.outcome.done && what.time.measured) {
        taken_s_ += ended.outcome.wall_s;
        estimated_s_ += what.time.seconds;
    }
    if (what.decisive)
        replan();
    else
        order_queue();
}

double StudyRunner::at(std::size_t slot) const { return std::max(workers_.share(slot), slots_[slot].what.from); }

double StudyRunner::projected(std::size_t slot) const {
    constexpr double kTooEarly = 0.03; // below this share nothing follows from it
    const double share = at(slot) - slots_[slot].what.from;
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

std::optional<double> StudyRunner::slot_seconds(std::size_t slot, double drift) const {
    const TimeEstimate& time = slots_[slot].what.time;
    const double whole = projected(slot);
    if (whole == 0.0 && !time.known) return std::nullopt;
    return whole > 0.0 ? whole : expected_seconds(time, drift);
}

std::optional<double> StudyRunner::slot_left(std::size_t slot, double drift) const {
    const std::optional<double> whole = slot_seconds(slot, drift);
    if (!whole) return std::nullopt;
    return *whole * std::max(0.0, slots_[slot].what.to - at(slot));
}

std::optional<double> StudyRunner::time_left() const {
    const double drift = measured_drift();
    double left = 0.0;
    double longest = 0.0;
    const auto add = [&](double seconds, const Waiting& what, double share) {
        left += seconds * what.left(share);
        longest = std::max(longest, seconds * (1.0 - share)); // a beginning, and then a point
    };
    for (const Waiting& waiting : queue_) {
        if (!waiting.time.known) return std::nullopt;
        add(expected_seconds(waiting.time, drift), waiting, waiting.from);
    }
    for (std::size_t s = 0; s < slots_.size(); ++s) {
        if (!slots_[s].busy) continue;
        const std::optional<double> whole = slot_seconds(s, drift);
        if (!whole) return std::nullopt;
        add(*whole, slots_[s].what, at(s));
    }
    return std::max(left / static_cast<double>(slots_.size()), longest);
}

double StudyRunner::share_of_points() const {
    double ended = ended_;
    double left = 0.0;
    for (const Waiting& waiting : queue_) left += waiting.left(waiting.from);
    for (std::size_t s = 0; s < slots_.size(); ++s) {
        if (!slots_[s].busy) continue;
        ended += at(s) - slots_[s].what.from;
        left += slots_[s].what.left(at(s));
    }
    return ended + left > 0.0 ? ended / (ended + left) : 1.0;
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
