#include "platform/live/live_study_state.h"

#include <optional>
#include <unistd.h>
#include <utility>

#include "platform/live/live_address.h"

namespace numavp {

const std::string_view kLiveStudyShape = R"({"status": "text", "message": "text", "study": "text", "file": "text",
    "process": "count", "results": "text",
    "progress": {"share": "number", "points": "count", "done": "count", "failed": "count", "running": "count",
        "waiting": "count", "elapsed_s": "number", "left_s": "number?"},
    "running": [{"workload": "text", "system": "text", "seed": "count?", "share": "number", "elapsed_s": "number",
        "left_s": "number?", "address": "text"}],
    "waiting": [{"workload": "text", "system": "text", "seed": "count?", "expected_s": "number?"}],
    "ended": [{"workload": "text", "system": "text", "seed": "count?", "seconds": "number", "host": "text"}],
    "failed": [{"workload": "text", "system": "text", "seed": "count?", "seconds": "number", "host": "text",
        "message": "text"}]})";

namespace {

ordered_json real_or_null(const std::optional<double>& number) {
    return number ? ordered_json(*number) : ordered_json(nullptr);
}

ordered_json study_point_json(const PointJob& job) {
    return {{"workload", job.workload_name},
            {"system", job.shown_system},
            {"seed", job.seed ? ordered_json(*job.seed) : ordered_json(nullptr)}};
}

ordered_json study_progress_json(const StudyProgress& p) {
    return {
        {"share", p.share},     {"points", p.points},   {"done", p.done},           {"failed", p.failed},
        {"running", p.running}, {"waiting", p.waiting}, {"elapsed_s", p.elapsed_s}, {"left_s", real_or_null(p.left_s)}};
}

void keep_latest(std::deque<ordered_json>& list, ordered_json one) {
    list.push_front(std::move(one));
    if (list.size() > LiveStudyState::kEnded) list.pop_back();
}

} // namespace

LiveStudyState::LiveStudyState(const LiveStudyFacts& facts) {
    now_ = {{"format", kLiveStudyFormat},
            {"status", "preparing"},
            {"message", ""},
            {"study", facts.name},
            {"file", facts.file},
            {"process", ::getpid()},
            {"results", facts.results},
            {"progress", study_progress_json({})}};
    for (const char* list : {"running", "waiting", "ended", "failed"}) now_[list] = ordered_json::array();
}

void LiveStudyState::ended(const PointJob& job, const PointOutcome& outcome) {
    ordered_json point = study_point_json(job);
    point["seconds"] = outcome.wall_s;
    point["host"] = outcome.host;
    if (!outcome.done) point["message"] = outcome.message;
    keep_latest(outcome.done ? done_ : failed_, std::move(point));
}

void LiveStudyState::take_ended(const StudyProgress& progress) {
    now_["progress"] = study_progress_json(progress);
    now_["ended"] = done_;
    now_["failed"] = failed_;
}

const ordered_json& LiveStudyState::take(const StudyRunner& runner, const StudyProgress& progress) {
    now_["status"] = "running";
    ordered_json running = ordered_json::array();
    for (const RunningPoint& point : runner.running()) {
        running.push_back(study_point_json(*point.job));
        running.back().update({{"share", point.share},
                               {"elapsed_s", point.elapsed_s},
                               {"left_s", real_or_null(point.left_s)},
                               {"address", live_address_or_none(point.address)}});
    }
    now_["running"] = std::move(running);
    ordered_json waiting = ordered_json::array();
    for (const WaitingPoint& point : runner.waiting(kWaiting)) {
        waiting.push_back(study_point_json(*point.job));
        waiting.back()["expected_s"] = real_or_null(point.expected_s);
    }
    now_["waiting"] = std::move(waiting);
    take_ended(progress);
    return now_;
}

const ordered_json& LiveStudyState::become(const char* status, const std::string& message, const StudyProgress& last) {
    take_ended(last);
    now_["status"] = status;
    now_["message"] = message;
    now_["running"] = ordered_json::array();
    return now_;
}

} // namespace numavp
