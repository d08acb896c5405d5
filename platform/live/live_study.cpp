#include "platform/live/live_study.h"

#include <unistd.h>
#include <utility>

#include <fmt/format.h>

namespace numavp {
namespace {

std::string study_state_text(const ordered_json& state) {
    return state.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

/// The page, whose script asks for the state. `first`: the state when the study began.
std::string live_study_page(const ordered_json& first, const ReportFiles& files) {
    ReportPage page;
    page.title = fmt::format("{}, live", first.at("study").get<std::string>());
    page.scripts = {"base.js", "figure.js", "table.js", "live_page.js", "live_study.js"};
    page.data = first;
    page.asks = true;
    return report_html(page, files);
}

} // namespace

LiveStudy::LiveStudy(std::uint16_t port, const LiveStudyFacts& facts, ReportFiles files)
    : state_(facts),
      server_(
          port, [first = state_.now(), found = std::move(files)] { return live_study_page(first, found); },
          study_state_text(state_.now())),
      registration_({::getpid(), server_.address(), fmt::format("study {}", facts.name), 0}) {}

LiveStudy::~LiveStudy() { end("failed", "the study ended early"); }

void LiveStudy::look(const StudyRunner& runner, const StudyProgress& progress) {
    last_ = progress;
    if (server_.wanted()) server_.publish([text = study_state_text(state_.take(runner, progress))] { return text; });
}

void LiveStudy::end(const char* status, const std::string& message) {
    if (std::exchange(over_, true)) return;
    server_.end([text = study_state_text(state_.become(status, message, last_))] { return text; });
}

} // namespace numavp
