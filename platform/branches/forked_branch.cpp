#include "platform/branches/forked_branch.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <system_error>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>
#include <sys/prctl.h>

#include "base/values/error.h"
#include "base/values/huge_heap.h"

namespace numavp {

namespace {
constexpr int kStatusOfOrphan = 127; ///< seen by nobody

/// A thread that has been joined may be listed for a moment more.
std::size_t threads_of_process() {
    constexpr int kMostLooks = 100;
    for (int look = 1;; ++look) {
        std::error_code ignored;
        const std::filesystem::directory_iterator tasks("/proc/self/task", ignored);
        const auto listed = static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
        if (listed <= 1 || look == kMostLooks) return listed;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}
} // namespace

void require_one_thread() {
    if (const std::size_t threads = threads_of_process(); threads > 1)
        throw ConfigError("branch", fmt::format("the process has {} threads besides its own, of models that are not "
                                                "numavp's, and branches would lack them; 'numavp run --change' is "
                                                "allowed with these models",
                                                threads - 1));
}

pid_t fork_branch(int output, int errors, int signal) {
    std::cout.flush();
    std::fflush(nullptr);
    const pid_t parent = ::getpid();
    const pid_t pid = ::fork();
    if (pid != 0) return pid;
    ::prctl(PR_SET_PDEATHSIG, signal);
    if (::getppid() != parent) ::_exit(kStatusOfOrphan); // it died in between
    ::setpgid(0, 0);                                     // Ctrl-C is for the parent, which ends its branches
    if (::dup2(output, STDOUT_FILENO) < 0 || ::dup2(errors, STDERR_FILENO) < 0) ::_exit(kStatusOfOrphan);
    try {
        copy_huge_pages();
    } catch (...) {} // what was not copied stays shared, which costs time alone
    return 0;
}

void end_branch(const std::string& said) {
    constexpr int kStatusOfLostOutput = 3; // as of a fault of the program
    const bool whole = std::fwrite(said.data(), 1, said.size(), stdout) == said.size();
    std::cout.flush();
    std::_Exit(std::fflush(nullptr) == 0 && whole ? EXIT_SUCCESS : kStatusOfLostOutput);
}

} // namespace numavp
