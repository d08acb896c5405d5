#include "platform/live/live_run.h"

#include <unistd.h>
#include <utility>

#include <fmt/format.h>

namespace numavp {
namespace {

/// The page, whose script asks for the state.
std::string live_page(const LiveState& state, const ReportFiles& files) {
    ReportPage page;
    page.title = fmt::format("{} on {}, live", state.now().at("workload").get<std::string>(),
                             state.now().at("system").get<std::string>());
    page.scripts = {"base.js",       "figure.js", "time_figure.js", "link_figure.js",
                    "bar_figure.js", "table.js",  "slot_causes.js", "live.js"};
    page.data = state.now();
    page.asks = true;
    return report_html(page, files);
}

std::string state_text(const ordered_json& state) {
    return state.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

} // namespace

LiveRun::LiveRun(std::uint16_t port, LiveFacts facts, ReportFiles files)
    : state_(std::make_shared<LiveState>(std::move(facts))),
      server_(
          port, [state = state_, found = std::move(files)] { return live_page(*state, found); },
          state_text(state_->now())),
      registration_({static_cast<long>(::getpid()), server_.address(), state_->now().at("system").get<std::string>(),
                     state_->now().at("workload").get<std::string>()}) {}

LiveRun::~LiveRun() { end("failed", "the run ended without results"); }

void LiveRun::show(const System& system, const Progress& progress) {
    read_ = true;
    server_.publish(
        [state = state_, snapshot = probe_.look(system, progress)] { return state_text(state->take(*snapshot)); });
}

void LiveRun::rest(const System& system) {
    if (read_ || server_.wanted()) show(system, system.progress());
}

void LiveRun::end(const char* status, const std::string& message) {
    if (std::exchange(over_, true)) return;
    server_.end([state = state_, status, message] { return state_text(state->become(status, message)); });
}

} // namespace numavp
