#include "platform/study/study_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
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
#include "platform/study/beginning_process.h"
#include "platform/study/study_worker.h"

namespace numavp {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kStatusOfNoProgram = 127;     ///< of a process that was forked and is no program
constexpr std::size_t kMessageBytes = 2000; ///< of a failed point's complaints, the last ones

/// The program that runs points: this one, or, for the program of the ranks, the one beside it.
std::string point_program() {
    const std::filesystem::path own = program_path();
    const std::filesystem::path beside = own.parent_path() / "numavp";
    std::error_code ignored;
    return own.filename() == "numavp-mpi" && std::filesystem::exists(beside, ignored) ? beside.string()
                                                                                      : "/proc/self/exe";
}

/// Becomes the program of a point, with these descriptors as 0, 1 and 2. Called after a fork, where other threads of
/// the study, such as that of its live page, have vanished with what they held: it calls what POSIX allows there, and
/// nothing else.
[[noreturn]] void become_point(const char* program, char* const* command_line, const std::array<int, 3>& standard) {
    for (std::size_t i = 0; i < standard.size(); ++i)
        if (::dup2(standard[i], static_cast<int>(i)) < 0) ::_exit(kStatusOfNoProgram);
    ::execv(program, command_line);
    ::_exit(kStatusOfNoProgram);
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

PointProcess::PointProcess(double time_limit_s, double spent_s)
    : start_(Clock::now()), time_limit_s_(time_limit_s), spent_s_(spent_s) {
    limit_ = start_ + std::chrono::duration_cast<Clock::duration>(
                          std::chrono::duration<double>(std::max(0.0, time_limit_s - spent_s)));
}

void PointProcess::read_from(Descriptor output, Descriptor errors) {
    output_ = std::move(output);
    errors_ = std::move(errors);
}

void PointProcess::add_inputs(std::vector<int>& inputs) const {
    for (const int input : {output_.value(), errors_.value()})
        if (input >= 0) inputs.push_back(input);
}

void PointProcess::has_ended(int status, const std::string& why) {
    status_ = status;
    complaints_ += why;
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
    if (!is_over()) look_for_end();
    if (!is_over() && !timed_out_ && result_.empty() && Clock::now() > limit_) {
        timed_out_ = true;
        kill();
    }
    return is_over() && output_.value() < 0;
}

std::string PointProcess::failure(int status) const {
    std::string said = complaints_.substr(complaints_.size() - std::min(complaints_.size(), kMessageBytes));
    while (!said.empty() && said.back() == '\n') said.pop_back();
    if (said.compare(0, 8, "numavp: ") == 0) said.erase(0, 8);
    const auto with = [&](const std::string& what) { return said.empty() ? what : what + ": " + said; };
    if (timed_out_) return with(fmt::format("it was ended after its time limit of {}", seconds_text(time_limit_s_)));
    if (lost_) return with(*lost_);
    if (WIFSIGNALED(status))
        return with(fmt::format("it was ended by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status))));
    if (WEXITSTATUS(status) == 0) return with("it ended without results");
    return said.empty() ? fmt::format("it ended with status {}", WEXITSTATUS(status)) : said;
}

PointOutcome PointProcess::outcome() const {
    PointOutcome failed;
    try {
        const int status = status_.value_or(0);
        if (!timed_out_ && WIFEXITED(status) && WEXITSTATUS(status) == 0 && !result_.empty())
            return outcome_of(result_);
        failed = failed_outcome(failure(status));
    } catch (const json::exception& fault) {
        failed = failed_outcome(std::string("its results can't be read: ") + fault.what());
    }
    failed.wall_s = spent_s_ + std::chrono::duration<double>(Clock::now() - start_).count();
    failed.shared_s = spent_s_;
    return failed;
}

PointWorkers::Ended PointProcess::ended() const {
    PointWorkers::Ended end;
    end.outcome = outcome();
    end.run_whole = lost_.has_value() && !end.outcome.done;
    return end;
}

ChildPoint::ChildPoint(const PointJob& job, const std::vector<std::string>& words)
    : PointProcess(job.time_limit_s, 0.0) {
    launch(job_text(job), "point", words, -1);
}

ChildPoint::~ChildPoint() {
    if (pid_ < 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
}

void ChildPoint::launch(const std::string& text, const char* action, const std::vector<std::string>& words,
                        int socket) {
    const Descriptor file = job_file(text);
    ChildPipe output("to a point's process");
    ChildPipe errors("to a point's process");
    const std::string program = point_program();
    std::vector<std::string> typed = {"numavp", "study", action};
    typed.insert(typed.end(), words.begin(), words.end());
    if (socket >= 0) typed.push_back(std::to_string(socket));
    std::vector<char*> command_line;
    for (std::string& word : typed) command_line.push_back(word.data());
    command_line.push_back(nullptr);
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != parent) ::_exit(kStatusOfNoProgram); // it died in between
        ::setpgid(0, 0);                                        // Ctrl-C is for the study, which ends its points
        if (socket >= 0) ::fcntl(socket, F_SETFD, 0);           // it goes through exec
        become_point(program.c_str(), command_line.data(), {file.value(), output.write.value(), errors.write.value()});
    }
    if (pid_ < 0) throw ModelError(std::string("no process for a point: ") + std::strerror(errno));
    read_from(std::move(output.read), std::move(errors.read));
}

void ChildPoint::kill() { ::kill(pid_, SIGKILL); }

void ChildPoint::look_for_end() {
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) != pid_) return;
    pid_ = -1;
    has_ended(status);
}

LocalWorkers::LocalWorkers(std::size_t jobs, std::vector<std::string> words)
    : processes_(jobs), words_(std::move(words)) {}
LocalWorkers::~LocalWorkers() = default;

void LocalWorkers::start(std::size_t slot, const PointJob& job) {
    try {
        const auto ready = ready_.find(job.key);
        if (ready == ready_.end()) {
            processes_[slot] = std::make_shared<ChildPoint>(job, words_);
        } else {
            const Ready from = std::move(ready->second);
            ready_.erase(ready);
            processes_[slot] = std::make_shared<PointBranch>(from.beginning, from.branch, job.time_limit_s);
        }
    } catch (const std::exception& fault) { // no process or no memory now says nothing about the other points
        Ended never;
        never.slot = slot;
        never.outcome = failed_outcome(fault.what());
        never_began_.push_back(std::move(never));
    }
}

void LocalWorkers::begin(std::size_t slot, const SharedBeginning& beginning) {
    try {
        beginnings_[slot] = std::make_shared<BeginningProcess>(beginning);
        processes_[slot] = beginnings_[slot];
    } catch (const std::exception& fault) {
        Ended never;
        never.slot = slot;
        never.outcome = failed_outcome(fault.what());
        never.run_whole = true;
        never_began_.push_back(std::move(never));
    }
}

/// Each process of points ends when the last of its points has.
void LocalWorkers::keep_beginning(std::size_t slot) {
    const auto kept = beginnings_.find(slot);
    if (kept == beginnings_.end()) return;
    const std::shared_ptr<BeginningProcess> process = std::move(kept->second);
    beginnings_.erase(kept);
    if (!process->is_reached()) return;
    std::uint32_t branch = 0;
    for (const auto& job : process->beginning().points) ready_[job->key] = {process, branch++};
}

std::vector<PointWorkers::Ended> LocalWorkers::wait(int milliseconds) {
    std::vector<Ended> ended = std::exchange(never_began_, {});
    if (!ended.empty()) milliseconds = 0;
    std::vector<int> inputs;
    for (const auto& process : processes_)
        if (process) process->add_inputs(inputs);
    std::vector<pollfd> polled;
    for (const int input : inputs) polled.push_back({input, POLLIN, 0});
    // A process that has closed its pipes but not ended yet gives poll nothing to wait for.
    ::poll(polled.data(), polled.size(), polled.empty() ? std::min(milliseconds, 5) : milliseconds);
    for (std::size_t slot = 0; slot < processes_.size(); ++slot) {
        if (!processes_[slot] || !processes_[slot]->advance()) continue;
        ended.push_back(processes_[slot]->ended());
        ended.back().slot = slot;
        processes_[slot].reset();
        keep_beginning(slot);
    }
    return ended;
}

double LocalWorkers::share(std::size_t slot) const { return processes_[slot] ? processes_[slot]->share() : 0.0; }

std::string LocalWorkers::address(std::size_t slot) const {
    return processes_[slot] ? processes_[slot]->address() : std::string();
}

} // namespace numavp
