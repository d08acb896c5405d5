#include "tests/platform/cli/cli_fixture.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "platform/cli/cli.h"
#include "tests/support/places.h"
#include "tests/support/sanitized.h"

namespace numavp::test {

namespace fs = std::filesystem;

Args Cli::program(const Args& words) {
    Args all = {program_file()};
    all.insert(all.end(), words.begin(), words.end());
    return all;
}

Args Cli::environment() { return {std::string("NUMAVP_CONFIGS=") + source_dir() + "/configs"}; }

Ended Cli::numavp(const Args& words) const {
    // Called where a start is dear, except for what starts its own program again for each point.
    const bool points = !words.empty() && (words[0] == "study" || words[0] == "check" ||
                                           std::find(words.begin(), words.end(), "auto") != words.end());
    if (!kSanitized || points) return run_process(program(words), environment(), dir_.path(""));
    return Process(program(words), environment(), dir_.path(""), run_cli).wait();
}

Ended Cli::numavp_in_files_of(unsigned kib, const Args& words) const {
    std::string command = "ulimit -f " + std::to_string(2 * kib) + "; exec";
    for (const std::string& word : program(words)) command += " '" + word + "'";
    return run_process({"/bin/sh", "-c", command}, environment(), dir_.path(""));
}

Args Cli::small_run_words(const Args& more) {
    Args words = {"run",           "numa-aware-2",
                  "spmv-powerlaw", "--scale",
                  "0.01",          "--quiet",
                  "--set",         "socket.sms=8",
                  "--set",         "dispatch.launch_cycles=100",
                  "--set",         "results.interval_cycles=500"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

Ended Cli::small_run(const Args& more) const { return numavp(small_run_words(more)); }

bool Cli::exists(const std::string& name) const { return fs::exists(dir_.path(name)); }

std::string Cli::text_of(const std::string& name) const {
    std::ifstream in(dir_.path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

nlohmann::ordered_json Cli::json_of(const std::string& name) const {
    return nlohmann::ordered_json::parse(text_of(name));
}

std::vector<std::string> Cli::names_in(const std::string& folder) const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(dir_.path(folder)))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

void Cli::expect_fault(const Args& words, const std::string& part) const {
    const std::vector<std::string> before = names_in("");
    const Ended ended = numavp(words);
    EXPECT_EQ(ended.status, 2) << "signal " << ended.signal;
    EXPECT_EQ(ended.out, "");
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
    EXPECT_EQ(ended.err.rfind("numavp: ", 0), 0U) << ended.err;
    EXPECT_THAT(ended.err, ::testing::HasSubstr(part));
    EXPECT_EQ(names_in(""), before) << "something was left behind";
}

} // namespace numavp::test
