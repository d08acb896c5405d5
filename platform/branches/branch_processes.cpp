#include "platform/branches/branch_processes.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>
#include <sys/wait.h>

#include "common/files/child_pipe.h"

namespace numavp {

namespace {
constexpr int kStatusOfNoProcess = 3;   ///< as of a fault of the program
constexpr int kStatusOfSignal = 128;    ///< and its number, as shells have it
constexpr int kEndPollMilliseconds = 5; ///< after a branch that has closed its output, and not ended yet
constexpr int kWaitPollMilliseconds = 200;
constexpr const char* kHead = "numavp: "; ///< before each complaint of the program
} // namespace

BranchProcesses::BranchProcesses(std::size_t branches, std::size_t jobs, OnEnd on_end, BranchHooks hooks)
    : branches_(branches), jobs_(std::max<std::size_t>(1, jobs)), on_end_(std::move(on_end)), hooks_(std::move(hooks)) {
}

BranchProcesses::~BranchProcesses() {
    for (const Child& child : children_) {
        ::kill(child.pid, SIGKILL);
        ::waitpid(child.pid, nullptr, 0);
    }
}

std::size_t BranchProcesses::fork_all() {
    for (std::size_t next = 0; next < branches_ || !children_.empty();) {
        if (next < branches_ && children_.size() < jobs_) {
            if (start(next)) return next;
            ++next;
        } else {
            wait();
        }
    }
    throw BranchesEnded();
}

/// True in the branch.
bool BranchProcesses::start(std::size_t branch) {
    ChildPipe output("to a branch");
    ChildPipe errors("to a branch");
    if (hooks_.before_fork) hooks_.before_fork();
    pid_t pid = -1;
    int fault = 0;
    try {
        require_one_thread();
        children_.reserve(children_.size() + 1); // a child that runs is kept in any case
        pid = fork_branch(output.write.value(), errors.write.value(), SIGTERM);
        fault = errno;
    } catch (...) {
        if (hooks_.after_fork) hooks_.after_fork(branch);
        throw;
    }
    if (pid == 0) {
        branch_ = branch;
        children_.clear(); // they are the parent's
        if (hooks_.in_branch) hooks_.in_branch(branch);
        return true;
    }
    if (pid > 0) children_.push_back({branch, pid, std::move(output.read), std::move(errors.read)});
    if (hooks_.after_fork) hooks_.after_fork(branch);
    if (pid < 0) on_end_(branch, {kStatusOfNoProcess, "", fmt::format("no process for it: {}", std::strerror(fault))});
    return false;
}

/// Until at least one has ended.
void BranchProcesses::wait() {
    for (;;) {
        std::vector<pollfd> inputs;
        for (const Child& child : children_)
            for (const int input : {child.output.value(), child.errors.value()})
                if (input >= 0) inputs.push_back({input, POLLIN, 0});
        bool closed = false; // one that may end at any time
        for (const Child& child : children_) closed |= child.output.value() < 0 && child.errors.value() < 0;
        ::poll(inputs.data(), inputs.size(),
               closed           ? kEndPollMilliseconds
               : hooks_.on_wait ? kWaitPollMilliseconds
                                : -1);
        if (hooks_.on_wait) hooks_.on_wait();
        std::vector<Child> going;
        std::vector<Child> ended;
        for (Child& child : children_) (has_ended(child) ? ended : going).push_back(std::move(child));
        children_ = std::move(going);
        for (const Child& child : ended) on_end_(child.branch, child.end);
        if (!ended.empty()) return;
    }
}

/// Gives whole lines to the hook, which may take them.
void BranchProcesses::take_lines(Child& child) const {
    std::string& said = child.end.said;
    for (std::size_t end = said.find('\n', child.looked); end != std::string::npos;
         end = said.find('\n', child.looked)) {
        if (hooks_.take_line && hooks_.take_line(child.branch, said.substr(child.looked, end - child.looked)))
            said.erase(child.looked, end + 1 - child.looked);
        else
            child.looked = end + 1;
    }
}

bool BranchProcesses::has_ended(Child& child) const {
    drain(child.output, child.end.said);
    take_lines(child);
    drain(child.errors, child.end.complaint);
    if (child.output.value() >= 0 || child.errors.value() >= 0) return false;
    int status = 0;
    if (::waitpid(child.pid, &status, WNOHANG) != child.pid) return false;
    std::string& complaint = child.end.complaint;
    while (!complaint.empty() && complaint.back() == '\n') complaint.pop_back();
    if (complaint.compare(0, std::strlen(kHead), kHead) == 0) complaint.erase(0, std::strlen(kHead));
    child.end.status = WIFEXITED(status) ? WEXITSTATUS(status) : kStatusOfSignal + WTERMSIG(status);
    if (WIFSIGNALED(status))
        complaint = fmt::format("it was ended by signal {} ({}){}{}", WTERMSIG(status), ::strsignal(WTERMSIG(status)),
                                complaint.empty() ? "" : ": ", complaint);
    return true;
}

} // namespace numavp
