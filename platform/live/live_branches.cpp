#include "platform/live/live_branches.h"

#include <cstdio>
#include <exception>
#include <utility>

#include <fmt/format.h>

#include "base/config/config_file.h"
#include "common/words/text.h"
#include "platform/live/live_address.h"

namespace numavp {

LiveBranches::LiveBranches(LiveRun& view, std::vector<LiveBranch> branches, std::uint64_t kernel)
    : view_(view), branches_(std::move(branches)),
      message_(fmt::format("the launch of kernel {} was reached, and {} branch{} go{} on", kernel, branches_.size(),
                           branches_.size() == 1 ? "" : "es", branches_.size() == 1 ? "es" : "")) {}

void LiveBranches::reach(const System& system) {
    reached_ = std::chrono::steady_clock::now();
    view_.keep(system);
    show();
}

void LiveBranches::show() { view_.show_branches(branches_, message_); }

void LiveBranches::after_fork(std::size_t branch) {
    view_.resume();
    branches_[branch].status = "running";
    show();
}

void LiveBranches::in_branch(std::size_t branch) {
    try {
        view_.become_branch(branches_[branch], std::chrono::steady_clock::now() - reached_);
    } catch (const std::exception&) {
        return; // such as no port: a view must not end a run
    }
    fmt::print("{}\n", ordered_json{{"live", view_.address()}}.dump());
    std::fflush(stdout);
}

bool LiveBranches::take_line(std::size_t branch, const std::string& line) {
    if (line.compare(0, 8, "{\"live\":") != 0) return false;
    const ordered_json told = ordered_json::parse(line, nullptr, false);
    if (!told.is_object() || !told.at("live").is_string()) return false;
    const std::string address = live_address_or_none(told.at("live").get<std::string>());
    if (address.empty()) return false;
    LiveBranch& one = branches_[branch];
    one.address = address;
    fmt::print(stderr, "numavp: branch {} live at {}\n", escaped(one.name), escaped(one.address));
    show();
    return true;
}

void LiveBranches::ended(std::size_t branch, bool good) {
    branches_[branch].status = good ? "ended" : "failed";
    branches_[branch].address.clear(); // nothing answers there
    show();
}

void LiveBranches::answer() {
    if (view_.wanted()) show();
}

} // namespace numavp
