#include "platform/cli/cli_live.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>
#include <sys/ioctl.h>

#include "base/values/error.h"
#include "common/words/fit_width.h"
#include "common/words/number.h"
#include "common/words/text.h"
#include "platform/live/live_client.h"
#include "platform/live/live_registry.h"
#include "platform/live/live_study_text.h"
#include "platform/live/live_text.h"

namespace numavp {
namespace {

/// Longer than the server lets a request wait.
constexpr std::chrono::milliseconds kAttachPatience = std::chrono::milliseconds(LiveServer::kPatience) * 2;
constexpr std::chrono::seconds kLookPeriod{1};
constexpr const char* kClearScreen = "\033[H\033[2J";

bool is_whole_number(const std::string& word) {
    return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string address_of_only_run() {
    const std::vector<LiveEntry> runs = live_roots(live_entries());
    if (runs.size() == 1) return runs.front().address;
    if (runs.empty())
        throw ConfigError("attach", "no run of yours is live here; the address that run --live prints, or a run with "
                                    "--live, is expected");
    std::string all;
    for (const LiveEntry& run : runs)
        all +=
            fmt::format("{}{} ({}, process {})", all.empty() ? "" : ", ", run.address, escaped(run.shows), run.process);
    throw ConfigError("attach", fmt::format("{} runs are live; the address of one is expected: {}", runs.size(), all));
}

std::size_t terminal_rows() {
    ::winsize size{};
    return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

ordered_json parsed_state(const std::string& text) {
    try {
        return ordered_json::parse(text);
    } catch (const ordered_json::exception&) {
        throw ConfigError("attach", "what answers is no JSON; the address of a run of numavp is expected");
    }
}

bool is_over(const ordered_json& state) {
    const std::string status = state.value("status", "");
    return status == "ended" || status == "failed";
}

std::string shown_state(const ordered_json& state, const Style& style) {
    return is_study_state(state) ? live_study_text(state, style) : live_text(state, style);
}

/// Draws the screen anew for each look, until the run ends.
std::string watch(const LiveAddress& address, ordered_json state) {
    const Style style = style_of(STDOUT_FILENO);
    for (;;) {
        const std::size_t rows = terminal_rows();
        fmt::print("{}{}", kClearScreen,
                   cut_to(shown_state(state, style), terminal_width(STDOUT_FILENO), rows > 1 ? rows - 1 : 0));
        std::fflush(stdout);
        if (is_over(state)) return "";
        const std::optional<std::string> next = live_state_at(address, kAttachPatience, kLookPeriod);
        if (!next)
            return fmt::format("the {} has ended or was stopped: nothing answers any more; its results go to {}\n",
                               is_study_state(state) ? "study" : "run", escaped(state.value("results", "")));
        state = parsed_state(*next);
    }
}

} // namespace

void add_attach(CLI::App& app, AttachWords& words) {
    CLI::App* attach = app.add_subcommand("attach", "Show a run or study with --live in the terminal while it goes on");
    attach
        ->add_option("ADDRESS", words.address,
                     "Address that --live printed; not needed where one run or study of yours is live")
        ->type_name("");
    attach->add_flag("--once", words.once, "Print one look and end, as into a file or a pipe")->disable_flag_override();
    attach->add_flag("--json", words.json, "Print one look as one line of JSON")->disable_flag_override();
}

void add_live(CLI::App& command, std::string& port, const std::string& what) {
    command
        .add_option("--live", port,
                    fmt::format("{}: a page at this port of the loopback interface, any free one unless given; its "
                                "address is printed, and numavp attach shows the same in a terminal",
                                what))
        ->type_name("[PORT]")
        ->take_last();
}

std::uint16_t live_port(const std::string& port) {
    return number_of<std::uint16_t>("--live", port, 0, 65535, "a port from 0 to 65535");
}

void tell_address(const std::string& address) { fmt::print(stderr, "numavp: live at {}\n", address); }

std::vector<std::string> with_live_port(const std::vector<std::string>& words) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool bare = words[i] == "--live" && (i + 1 == words.size() || !is_whole_number(words[i + 1]));
        all.push_back(bare ? "--live=0" : words[i]);
    }
    return all;
}

std::unique_ptr<LiveRun> live_run_of(const std::string& port, LiveFacts facts, SystemOptions& options) {
    if (port.empty()) return nullptr;
    // Followed accesses need one worker: who asks for several has none.
    if (options.follow_every == 0 && options.workers == 1) options.follow_every = LiveRun::kFollowEvery;
    facts.follow_every = options.follow_every;
    auto live = std::make_unique<LiveRun>(live_port(port), std::move(facts), find_report_files());
    options.on_access = [view = live.get(), log = std::move(options.on_access)](const FollowedAccess& access) {
        view->note(access);
        if (log) log(access);
    };
    tell_address(live->address());
    return live;
}

std::string attach_command(const AttachWords& words) {
    const LiveAddress address = live_address(words.address.empty() ? address_of_only_run() : words.address);
    const std::optional<std::string> first = live_state_at(address, kAttachPatience);
    if (!first)
        throw ConfigError("attach", fmt::format("nothing answers at port {} of 127.0.0.1: the run has ended or was "
                                                "stopped; the address of a run that is live is expected",
                                                address.port));
    if (words.json) return *first + "\n";
    const ordered_json state = parsed_state(*first);
    if (words.once || ::isatty(STDOUT_FILENO) != 1) return shown_state(state, style_of(STDOUT_FILENO));
    return watch(address, state);
}

} // namespace numavp
