#include "bench/runner.h"

#include <cerrno>
#include <sched.h>
#include <unistd.h>

#include <sys/resource.h>
#include <sys/wait.h>

#include "models/base/error.h"

namespace numavp {

namespace {
std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& w : words) text += (text.empty() ? "" : " ") + w;
    return text;
}

[[noreturn]] void become(const std::vector<std::string>& arguments) {
    std::vector<char*> argv;
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str())); // execv does not write to it
    argv.push_back(nullptr);
    execv("/proc/self/exe", argv.data());
    _exit(127);
}

std::string read_all(int descriptor) {
    std::string text;
    char buffer[4096];
    for (;;) {
        const ssize_t n = read(descriptor, buffer, sizeof buffer);
        if (n > 0)
            text.append(buffer, static_cast<std::size_t>(n));
        else if (n == 0 || errno != EINTR)
            return text;
    }
}
} // namespace

int bench_core() { return sched_getcpu(); }

void pin_to(int core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<unsigned>(core), &set);
    static_cast<void>(sched_setaffinity(0, sizeof set, &set)); // not allowed: the kernel chooses
}

nlohmann::ordered_json run_point(const std::vector<std::string>& point, int core) {
    std::vector<std::string> arguments{"numavp_bench", "--point", std::to_string(core)};
    arguments.insert(arguments.end(), point.begin(), point.end());
    int ends[2];
    if (pipe(ends) != 0) throw ModelError("no pipe for " + joined(point));
    const pid_t child = fork();
    if (child < 0) throw ModelError("no process for " + joined(point));
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        become(arguments);
    }
    close(ends[1]);
    const std::string text = read_all(ends[0]);
    close(ends[0]);
    int status = 0;
    rusage usage{};
    while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {}
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw ModelError("the point '" + joined(point) + "' failed");
    auto result = nlohmann::ordered_json::parse(text);
    result["peak_mib"] = static_cast<double>(usage.ru_maxrss) / 1024.0;
    return result;
}

} // namespace numavp
