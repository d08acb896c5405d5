#include "bench/runner.h"

#include <cerrno>
#include <filesystem>
#include <sched.h>
#include <unistd.h>

#include <sys/resource.h>
#include <sys/wait.h>

#include "base/values/error.h"

namespace numavp {

namespace {
std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& w : words) text += (text.empty() ? "" : " ") + w;
    return text;
}

/// `arguments` begin with the program's name.
[[noreturn]] void become(const std::string& path, const std::vector<std::string>& arguments) {
    std::vector<char*> argv;
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str())); // execv does not write to it
    argv.push_back(nullptr);
    execv(path.c_str(), argv.data());
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

namespace {
nlohmann::ordered_json run_child(const std::string& path, const std::vector<std::string>& arguments, int core) {
    int ends[2];
    if (pipe(ends) != 0) throw ModelError("no pipe for " + joined(arguments));
    const pid_t child = fork();
    if (child < 0) throw ModelError("no process for " + joined(arguments));
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        pin_to(core);
        become(path, arguments);
    }
    close(ends[1]);
    const std::string text = read_all(ends[0]);
    close(ends[0]);
    int status = 0;
    rusage usage{};
    while (wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {}
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw ModelError("'" + joined(arguments) + "' failed");
    auto result = nlohmann::ordered_json::parse(text);
    result["peak_mib"] = static_cast<double>(usage.ru_maxrss) / 1024.0;
    return result;
}
} // namespace

nlohmann::ordered_json run_point(const std::vector<std::string>& point, int core) {
    std::vector<std::string> arguments{"numavp_bench", "--point", std::to_string(core)};
    arguments.insert(arguments.end(), point.begin(), point.end());
    return run_child("/proc/self/exe", arguments, core);
}

nlohmann::ordered_json run_program(const std::string& path, const std::vector<std::string>& words, int core) {
    std::vector<std::string> arguments{path};
    arguments.insert(arguments.end(), words.begin(), words.end());
    return run_child(path, arguments, core);
}

std::optional<std::string> neighbour_program(const std::string& name) {
    const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe").parent_path() / name;
    if (access(path.c_str(), X_OK) != 0) return std::nullopt;
    return path.string();
}

} // namespace numavp
