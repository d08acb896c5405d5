#include "tests/platform/cli/live_fixture.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "platform/live/live_client.h"

namespace numavp::test {

using namespace std::chrono_literals;

Args LiveCli::live_environment() const {
    dir_.write("lib/echarts.min.js", "var echarts = {};");
    dir_.write("runtime/place", "");
    Args all = environment();
    all.push_back("NUMAVP_ECHARTS=" + dir_.path("lib/echarts.min.js"));
    all.push_back("XDG_RUNTIME_DIR=" + dir_.path("runtime"));
    return all;
}

std::unique_ptr<Process> LiveCli::start(const Args& words) const {
    return std::make_unique<Process>(program(words), live_environment(), dir_.path(""));
}

Ended LiveCli::attach(const Args& more) const {
    Args words{"attach"};
    words.insert(words.end(), more.begin(), more.end());
    return run_process(program(words), live_environment(), dir_.path(""));
}

std::string LiveCli::address_of(const Process& run, const std::string& before) {
    for (int i = 0; i < 20000; ++i) {
        const std::string text = run.errors_so_far();
        const std::size_t at = text.find(before), end = text.find('\n', at);
        if (at != std::string::npos && end != std::string::npos)
            return text.substr(at + before.size(), end - at - before.size());
        std::this_thread::sleep_for(1ms);
    }
    ADD_FAILURE() << "no address: " << run.errors_so_far();
    return "";
}

nlohmann::ordered_json LiveCli::state_with(const std::string& address, const std::string& status,
                                           const std::string& list, const std::string& member, std::size_t entries) {
    for (int i = 0; i < 1000; ++i) {
        const auto text = live_state_at(live_address(address), 20s);
        if (!text) break;
        nlohmann::ordered_json state = nlohmann::ordered_json::parse(*text);
        const auto& all = state.at(list);
        const bool given = std::all_of(
            all.begin(), all.end(), [&](const auto& one) { return !one.at(member).empty() && one.at(member) != ""; });
        if (state.at("status") == status && all.size() >= entries && given) return state;
        std::this_thread::sleep_for(10ms);
    }
    ADD_FAILURE() << "no such state at " << address;
    return {};
}

LiveCli::Watched LiveCli::watched(const std::function<Args(const std::string&)>& words,
                                  const std::function<bool(const nlohmann::ordered_json&)>& enough) const {
    for (int i = 0; i < 10; ++i) {
        Watched one;
        one.name = "watched-" + std::to_string(i);
        const auto process = start(words(one.name));
        one.address = address_of(*process);
        while (const auto text = live_state_at(live_address(one.address), 20s))
            one.last = nlohmann::ordered_json::parse(*text);
        one.ended = process->wait();
        EXPECT_EQ(one.ended.status, 0) << one.ended.err;
        if (one.ended.status != 0 || (!one.last.is_null() && enough(one.last))) return one;
    }
    ADD_FAILURE() << "ten runs ended before somebody had read enough";
    return {};
}

} // namespace numavp::test
