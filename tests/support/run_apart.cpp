#include "tests/support/run_apart.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <stdexcept>
#include <unistd.h>

#include <sys/wait.h>

namespace numavp::test {

namespace {
void write_all(int file, const std::string& text) {
    for (std::size_t sent = 0; sent < text.size();) {
        const ssize_t n = ::write(file, text.data() + sent, text.size() - sent);
        if (n <= 0) ::_exit(3);
        sent += static_cast<std::size_t>(n);
    }
}

std::string read_all(int file) {
    std::string text;
    char part[65536];
    for (;;) {
        const ssize_t n = ::read(file, part, sizeof part);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return text;
        text.append(part, static_cast<std::size_t>(n));
    }
}

[[noreturn]] void child(int file, const std::function<nlohmann::json()>& piece) {
    nlohmann::json answer;
    try {
        answer["figures"] = piece();
    } catch (const std::exception& error) {
        answer["error"] = error.what();
    }
    write_all(file, answer.dump());
    ::_exit(0); // the parent ends the test: no destructors, no second report
}
} // namespace

nlohmann::json run_apart(const std::function<nlohmann::json()>& piece) {
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
    std::fflush(nullptr);
    const pid_t process = ::fork();
    if (process < 0) throw std::runtime_error("no process");
    if (process == 0) {
        ::close(ends[0]);
        child(ends[1], piece);
    }
    ::close(ends[1]);
    const std::string text = read_all(ends[0]);
    ::close(ends[0]);
    int status = 0;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {}
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw std::runtime_error("a forked piece of the test died");
    nlohmann::json answer = nlohmann::json::parse(text);
    if (answer.contains("error")) throw std::runtime_error(answer["error"].get<std::string>());
    return answer["figures"];
}

Cycle kernel_cycles(const System& system, const std::string& kernel) {
    for (const TimelineEvent& event : system.timeline())
        if (event.what == "kernel" && event.name == kernel) return event.end - event.cycle;
    throw std::runtime_error("no kernel " + kernel + " has run");
}

std::uint64_t stat(const nlohmann::json& values, const std::string& path) {
    const nlohmann::json* node = &values;
    for (std::size_t from = 0; from <= path.size();) {
        const std::size_t to = std::min(path.find('.', from), path.size());
        node = &node->at(path.substr(from, to - from));
        from = to + 1;
    }
    return node->get<std::uint64_t>();
}

} // namespace numavp::test
