#include "platform/live/live_study_text.h"

#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "base/values/error.h"
#include "platform/study/study_progress.h"
#include "platform/summary/summary_words.h"

namespace numavp {
namespace {

constexpr std::size_t kShownPoints = 8; ///< of those that wait, that have ended and that have failed

std::string word_of(const ordered_json& value) { return escaped(value.get<std::string>()); }

std::string duration_of(const ordered_json& seconds) {
    return seconds.is_null() ? std::string(kNoNumber) : seconds_text(seconds.get<double>());
}

std::string study_progress_line(const ordered_json& state) {
    const ordered_json& p = state.at("progress");
    StudyProgress progress;
    progress.points = p.at("points").get<std::size_t>();
    progress.done = p.at("done").get<std::size_t>();
    progress.failed = p.at("failed").get<std::size_t>();
    progress.running = p.at("running").get<std::size_t>();
    progress.waiting = p.at("waiting").get<std::size_t>();
    progress.elapsed_s = p.at("elapsed_s").get<double>();
    progress.share = p.at("share").get<double>();
    if (!p.at("left_s").is_null()) progress.left_s = p.at("left_s").get<double>();
    return fmt::format("{}, {} waiting", study_progress_text(progress, true), progress.waiting);
}

/// Workload and seed; a trace has none.
std::string workload_text(const ordered_json& point) {
    const std::string name = word_of(point.at("workload"));
    return point.at("seed").is_null() ? name : fmt::format("{}, seed {}", name, point.at("seed").get<std::uint64_t>());
}

std::string running_text(const ordered_json& state, const Style& style) {
    TextTable table({"workload", "system", "done", "after", "left", "live at"},
                    {true, true, false, false, false, true});
    for (const ordered_json& p : state.at("running")) {
        const std::string address = word_of(p.at("address"));
        table.row({workload_text(p), word_of(p.at("system")), percent_of(std::optional(p.at("share").get<double>())),
                   duration_of(p.at("elapsed_s")), duration_of(p.at("left_s")),
                   address.empty() ? std::string(kNoNumber) : address});
    }
    return table.empty() ? "" : heading("Points that run", style) + table.text(style);
}

/// The first ones of a list, with one more column.
std::string first_points(const ordered_json& state, const char* list, const char* title, const char* column,
                         const Style& style) {
    const bool words = std::string(column) == "message";
    TextTable table({"workload", "system", words ? "why" : "time"}, {true, true, words});
    std::size_t shown = 0;
    for (const ordered_json& p : state.at(list)) {
        if (shown++ == kShownPoints) break;
        table.row(
            {workload_text(p), word_of(p.at("system")), words ? word_of(p.at(column)) : duration_of(p.at(column))});
    }
    return table.empty() ? "" : heading(title, style) + table.text(style);
}

} // namespace

bool is_study_state(const ordered_json& state) { return state.is_object() && state.contains("study"); }

std::string live_study_text(const ordered_json& state, const Style& style) {
    try {
        std::string text = style.bold(fmt::format("study {}", word_of(state.at("study"))));
        text += fmt::format(", process {}, results go to {}\n", state.at("process").get<std::int64_t>(),
                            word_of(state.at("results")));
        const std::string message = word_of(state.at("message"));
        text += fmt::format("{}: {}{}\n", word_of(state.at("status")), study_progress_line(state),
                            message.empty() ? "" : fmt::format("; {}", message));
        return text + running_text(state, style) +
               first_points(state, "failed", "Points that failed (the last)", "message", style) +
               first_points(state, "waiting", "Points that wait (the next)", "expected_s", style) +
               first_points(state, "ended", "Points that have ended (the last)", "seconds", style);
    } catch (const ordered_json::exception&) {
        throw ConfigError("attach",
                          "the state of the study has another form; a study of this version of numavp is expected");
    }
}

} // namespace numavp
