#include "tests/support/process.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>
#include <sys/wait.h>

namespace numavp::test {
namespace {

std::string content_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void redirect(const std::string& path, int descriptor) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || ::dup2(file, descriptor) < 0) _exit(127);
}

/// An exception ends the process, as it ends a program: no test of the parent goes on in it.
[[noreturn]] void become(const std::function<int(int, char**)>& program, std::vector<char*>& argv) noexcept {
    const int status = program(static_cast<int>(argv.size()) - 1, argv.data());
    std::fflush(nullptr);
    _exit(status);
}

} // namespace

Process::Process(const std::vector<std::string>& words, const std::vector<std::string>& environment,
                 const std::string& folder)
    : Process(words, environment, folder, [](int, char** argv) {
          ::execvp(argv[0], argv);
          return 127;
      }) {}

Process::Process(const std::vector<std::string>& words, const std::vector<std::string>& environment,
                 const std::string& folder, const std::function<int(int, char**)>& program) {
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    std::fflush(nullptr);
    pid_ = ::fork();
    if (pid_ < 0) throw std::runtime_error("fork failed");
    if (pid_ > 0) return;
    redirect(texts_.path("out"), STDOUT_FILENO);
    redirect(texts_.path("err"), STDERR_FILENO);
    for (const std::string& setting : environment) ::putenv(const_cast<char*>(setting.c_str()));
    if (!folder.empty() && ::chdir(folder.c_str()) != 0) _exit(127);
    become(program, argv);
}

Process::~Process() {
    if (waited_) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
}

void Process::send(int signal) const { ::kill(pid_, signal); }

std::string Process::errors_so_far() const { return content_of(texts_.path("err")); }

Ended Process::wait(double seconds) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point limit =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    int status = 0;
    while (::waitpid(pid_, &status, WNOHANG) == 0) {
        if (Clock::now() > limit) {
            ADD_FAILURE() << "the program did not end in " << seconds << " s";
            ::kill(pid_, SIGKILL);
            ::waitpid(pid_, &status, 0);
            break;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    waited_ = true;
    Ended ended;
    if (WIFEXITED(status)) ended.status = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
    ended.out = content_of(texts_.path("out"));
    ended.err = content_of(texts_.path("err"));
    return ended;
}

} // namespace numavp::test
