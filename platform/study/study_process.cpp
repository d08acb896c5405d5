#include "platform/study/study_process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <poll.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "common/files/child_pipe.h"
#include "common/files/program.h"
#include "common/words/text.h"
#include "platform/study/study_worker.h"

namespace numavp {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMessageBytes = 2000; ///< of a failed point's complaints, the last ones

/// The program that runs points: this one, or, for the program of the ranks, the one beside it.
std::string point_program() {
    const std::filesystem::path own = program_path();
    const std::filesystem::path beside = own.parent_path() / "numavp";
    std::error_code ignored;
    return own.filename() == "numavp-mpi" && std::filesystem::exists(beside, ignored) ? beside.string()
                                                                                      : "/proc/self/exe";
}

/// Becomes the point's program. Called after a fork, where other threads of the study, such as that of its live page,
/// have vanished with what they held: it calls what POSIX allows there, and nothing else.
[[noreturn]] void become_point(const char* program, char* const* command_line, int job, int output, int errors) {
    if (::dup2(job, STDIN_FILENO) >= 0 && ::dup2(output, STDOUT_FILENO) >= 0 && ::dup2(errors, STDERR_FILENO) >= 0)
        ::execv(program, command_line);
    ::_exit(127);
}

/// A file without a name that holds the job: no pipe that could fill up before its reader reads.
Descriptor job_file(const std::string& text) {
    Descriptor file(::memfd_create("numavp-point", MFD_CLOEXEC));
    if (file.value() < 0) throw ModelError(std::string("no file in memory for a point's job: ") + std::strerror(errno));
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t n = ::write(file.value(), text.data() + done, text.size() - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) throw ModelError(std::string("a point's job can't be written: ") + std::strerror(errno));
        done += static_cast<std::size_t>(n);
    }
    ::lseek(file.value(), 0, SEEK_SET);
    return file;
}

} // namespace

PointOutcome failed_outcome(const std::string& why) {
    PointOutcome failed;
    failed.message = why;
    failed.host = host_name();
    return failed;
}

PointProcess::PointProcess(const PointJob& job, const std::vector<std::string>& words)
    : start_(Clock::now()), time_limit_s_(job.time_limit_s) {
    limit_ = start_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(job.time_limit_s));
    const Descriptor file = job_file(job_text(job));
    ChildPipe output("to a point's process");
    ChildPipe errors("to a point's process");
    const std::string program = point_program();
    std::vector<std::string> typed = {"numavp", "study", "point"};
    typed.insert(typed.end(), words.begin(), words.end());
    std::vector<char*> command_line;
    for (std::string& word : typed) command_line.push_back(word.data());
    command_line.push_back(nullptr);
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent) _exit(127); // it died in between
        ::setpgid(0, 0);                       // Ctrl-C is for the study, which ends its points
        become_point(program.c_str(), command_line.data(), file.value(), output.write.value(), errors.write.value());
    }
    if (pid_ < 0) throw ModelError(std::string("no process for a point: ") + std::strerror(errno));
    output_ = std::move(output.read);
    errors_ = std::move(errors.read);
}

PointProcess::~PointProcess() {
    if (pid_ < 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
}

void PointProcess::take_line(const std::string& line) {
    const json value = json::parse(line, nullptr, false);
    if (!value.is_object()) return;
    if (value.contains("progress") && value["progress"].is_number()) share_ = value["progress"].get<double>();
    if (value.contains("live") && value["live"].is_string()) address_ = value["live"].get<std::string>();
    if (value.contains("outcome") && value["outcome"].is_string()) result_ = value["outcome"].get<std::string>();
}

bool PointProcess::advance() {
    drain(output_, pending_);
    drain(errors_, complaints_);
    for (std::size_t end = pending_.find('\n'); end != std::string::npos; end = pending_.find('\n')) {
        take_line(pending_.substr(0, end));
        pending_.erase(0, end + 1);
    }
    if (complaints_.size() > 2 * kMessageBytes) complaints_.erase(0, complaints_.size() - kMessageBytes);
    // A process that closed its output may live on: its end is what counts. It may have come long before this look.
    if (pid_ >= 0 && ::waitpid(pid_, &status_, WNOHANG) == pid_) pid_ = -1;
    if (pid_ >= 0 && !timed_out_ && Clock::now() > limit_) {
        timed_out_ = true;
        ::kill(pid_, SIGKILL);
    }
    return pid_ < 0 && output_.value() < 0;
}

std::string PointProcess::failure() const {
    std::string said = complaints_.substr(complaints_.size() - std::min(complaints_.size(), kMessageBytes));
    while (!said.empty() && said.back() == '\n') said.pop_back();
    if (said.compare(0, 8, "numavp: ") == 0) said.erase(0, 8);
    const auto with = [&](const std::string& what) { return said.empty() ? what : what + ": " + said; };
    if (timed_out_) return with(fmt::format("it was ended after its time limit of {}", seconds_text(time_limit_s_)));
    if (WIFSIGNALED(status_))
        return with(fmt::format("it was ended by signal {} ({})", WTERMSIG(status_), ::strsignal(WTERMSIG(status_))));
    if (WEXITSTATUS(status_) == 0) return with("it ended without results");
    return said.empty() ? fmt::format("it ended with status {}", WEXITSTATUS(status_)) : said;
}

PointOutcome PointProcess::outcome() const {
    PointOutcome failed;
    try {
        if (!timed_out_ && WIFEXITED(status_) && WEXITSTATUS(status_) == 0 && !result_.empty())
            return outcome_of(result_);
        failed = failed_outcome(failure());
    } catch (const json::exception& fault) {
        failed = failed_outcome(std::string("its results can't be read: ") + fault.what());
    }
    failed.wall_s = std::chrono::duration<double>(Clock::now() - start_).count();
    return failed;
}

void LocalWorkers::start(std::size_t slot, const PointJob& job) {
    try {
        processes_[slot] = std::make_unique<PointProcess>(job, words_);
    } catch (const std::exception& fault) { // no process or no memory now says nothing about the other points
        never_began_.push_back({slot, failed_outcome(fault.what())});
    }
}

std::vector<PointWorkers::Ended> LocalWorkers::wait(int milliseconds) {
    std::vector<Ended> ended = std::exchange(never_began_, {});
    if (!ended.empty()) milliseconds = 0;
    std::vector<pollfd> inputs;
    for (const auto& process : processes_) {
        if (!process) continue;
        for (const int input : {process->output(), process->errors()})
            if (input >= 0) inputs.push_back({input, POLLIN, 0});
    }
    // A process that has closed its pipes but not ended yet gives poll nothing to wait for.
    ::poll(inputs.data(), inputs.size(), inputs.empty() ? std::min(milliseconds, 5) : milliseconds);
    for (std::size_t slot = 0; slot < processes_.size(); ++slot) {
        if (!processes_[slot] || !processes_[slot]->advance()) continue;
        ended.push_back({slot, processes_[slot]->outcome()});
        processes_[slot].reset();
    }
    return ended;
}

double LocalWorkers::share(std::size_t slot) const { return processes_[slot] ? processes_[slot]->share() : 0.0; }

std::string LocalWorkers::address(std::size_t slot) const {
    return processes_[slot] ? processes_[slot]->address() : std::string();
}

} // namespace numavp
