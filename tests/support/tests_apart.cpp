#include "tests/support/tests_apart.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fnmatch.h>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>

namespace numavp::test {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

unsigned number_of(const char* name, unsigned otherwise) {
    const char* const text = std::getenv(name);
    return text != nullptr ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : otherwise;
}

bool in_a_pattern(const std::string& name, const std::string& patterns) {
    std::istringstream all(patterns);
    for (std::string pattern; std::getline(all, pattern, ':');)
        if (::fnmatch(pattern.c_str(), name.c_str(), 0) == 0) return true;
    return false;
}

/// As GoogleTest reads its filter: patterns between colons, and after a minus those of what is left out.
bool chosen(const std::string& name) {
    const std::string filter = ::testing::GTEST_FLAG(filter);
    const std::size_t minus = std::min(filter.find('-'), filter.size());
    const std::string first = filter.substr(0, minus);
    const std::string left_out = minus < filter.size() ? filter.substr(minus + 1) : "";
    return in_a_pattern(name, first.empty() ? "*" : first) && !in_a_pattern(name, left_out);
}

/// Names of the shard's tests. A shard takes turns with the others, so that a suite's long tests are spread.
std::vector<std::string> names_of_shard() {
    const unsigned shards = number_of("GTEST_TOTAL_SHARDS", 1), shard = number_of("GTEST_SHARD_INDEX", 0);
    std::vector<std::string> names;
    unsigned count = 0;
    const ::testing::UnitTest& all = *::testing::UnitTest::GetInstance();
    for (int s = 0; s < all.total_test_suite_count(); ++s) {
        const ::testing::TestSuite& suite = *all.GetTestSuite(s);
        for (int t = 0; t < suite.total_test_count(); ++t) {
            const std::string name = std::string(suite.name()) + "." + suite.GetTestInfo(t)->name();
            if (name.find("DISABLED_") != std::string::npos || !chosen(name)) continue;
            if (count++ % shards == shard) names.push_back(name);
        }
    }
    return names;
}

std::string content_of(std::FILE* file) {
    std::rewind(file);
    std::string text;
    char part[4096];
    while (const std::size_t n = std::fread(part, 1, sizeof part, file)) text.append(part, n);
    return text;
}

/// In the forked process: one test, which is heard in `said` alone. It ends with its parent.
void become(const std::string& name, std::FILE* said, unsigned seconds) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::dup2(::fileno(said), STDOUT_FILENO);
    ::dup2(::fileno(said), STDERR_FILENO);
    ::unsetenv("GTEST_TOTAL_SHARDS");
    ::unsetenv("GTEST_SHARD_INDEX");
    ::testing::GTEST_FLAG(filter) = name;
    ::alarm(seconds);
}

std::string how_it_failed(int status, unsigned seconds) {
    if (WIFEXITED(status)) return WEXITSTATUS(status) == 0 ? "" : "failed";
    if (WTERMSIG(status) == SIGALRM) return "did not end in " + std::to_string(seconds) + " s";
    return "died of signal " + std::to_string(WTERMSIG(status));
}

} // namespace

std::optional<int> run_tests_apart(const std::string& seconds) {
    const unsigned limit = static_cast<unsigned>(std::stoul(seconds));
    const std::vector<std::string> names = names_of_shard();
    std::size_t failed = 0;
    for (const std::string& name : names) {
        const File said(std::tmpfile(), std::fclose);
        if (!said) throw std::runtime_error("no file for what a test says");
        std::fflush(nullptr);
        const pid_t process = ::fork();
        if (process < 0) throw std::runtime_error("no process for a test");
        if (process == 0) {
            become(name, said.get(), limit);
            return std::nullopt;
        }
        int status = 0;
        while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {}
        ::kill(-process, SIGKILL); // what a test has started and left
        const std::string how = how_it_failed(status, limit);
        if (how.empty()) continue;
        ++failed;
        const std::string text = content_of(said.get());
        std::fwrite(text.data(), 1, text.size(), stdout);
        std::printf("\n%s %s\n", name.c_str(), how.c_str());
    }
    std::printf("%zu passed, %zu failed\n", names.size() - failed, failed);
    return names.empty() || failed > 0 ? 1 : 0;
}

} // namespace numavp::test
