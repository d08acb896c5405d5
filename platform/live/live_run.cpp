#include "platform/live/live_run.h"

#include <unistd.h>
#include <utility>

#include <fmt/format.h>

namespace numavp {
namespace {

/// Such as "spmv-mesh on numa-4", and the branch.
std::string live_title(const LiveState& state) {
    const LiveFacts& facts = state.facts();
    const std::string title = fmt::format("{} on {}", facts.workload, facts.config.name);
    return facts.branch.empty() ? title : fmt::format("{}, branch {}", title, facts.branch);
}

/// The page, whose script asks for the state.
std::string live_page(const LiveState& state, const ReportFiles& files) {
    ReportPage page;
    page.title = fmt::format("{}, live", live_title(state));
    page.scripts = {"base.js",  "figure.js",      "time_figure.js", "link_figure.js", "bar_figure.js",
                    "table.js", "slot_causes.js", "live_page.js",   "live.js"};
    page.data = state.now();
    page.asks = true;
    return report_html(page, files);
}

std::string state_text(const ordered_json& state) {
    return state.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

} // namespace

LiveRun::LiveRun(std::uint16_t port, LiveFacts facts, ReportFiles files)
    : state_(std::make_shared<LiveState>(std::move(facts))), files_(std::move(files)) {
    open(port);
}

void LiveRun::open(std::uint16_t port) {
    server_ = std::make_unique<LiveServer>(
        port, [state = state_, files = files_] { return live_page(*state, files); }, state_text(state_->now()));
    registration_ = std::make_unique<LiveRegistration>(
        LiveEntry{::getpid(), server_->address(), live_title(*state_), state_->facts().owner});
}

LiveRun::~LiveRun() { end("failed", "the run ended without results"); }

void LiveRun::show(const System& system, const Progress& progress) {
    read_ = true;
    server_->publish(
        [state = state_, snapshot = probe_.look(system, progress)] { return state_text(state->take(*snapshot)); });
}

void LiveRun::rest(const System& system) {
    if (read_ || wanted()) show(system, system.progress());
}

void LiveRun::end(const char* status, const std::string& message) {
    if (std::exchange(over_, true) || !server_) return;
    server_->end([state = state_, status, message] { return state_text(state->become(status, message)); });
}

void LiveRun::show_branches(const std::vector<LiveBranch>& branches, const std::string& message) {
    server_->publish([state = state_, branches, message] { return state_text(state->branch_out(branches, message)); });
}

void LiveRun::become_branch(const LiveBranch& branch, std::chrono::steady_clock::duration waited) {
    registration_->leave();
    server_->leave();
    server_.reset();
    read_ = false;
    probe_.skip(waited);
    state_->become_branch(branch);
    open(0);
}

} // namespace numavp
