/// The live view of a run that goes on in branches: each branch has a page of its own, which the page of the run before
/// them lists.
///
/// No thread crosses a fork: the server of the page is paused around each, and a branch closes what it has inherited
/// before it opens its own.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "platform/live/live_run.h"

namespace numavp {

class LiveBranches {
  public:
    /// `view` must outlive it.
    LiveBranches(LiveRun& view, std::vector<LiveBranch> branches, std::uint64_t kernel);

    /// Before the first fork: the page keeps the figures of this moment.
    void reach(const System& system);
    /// Around a fork, in the process that forks.
    void before_fork() { view_.pause(); }
    void after_fork(std::size_t branch);
    /// In a branch: opens its page, and tells its address in a line on standard output. Without room for a page the
    /// branch goes on without one.
    void in_branch(std::size_t branch);
    /// In the process that forks: true if a line of a branch tells the address of a live page, which it prints and
    /// lists.
    bool take_line(std::size_t branch, const std::string& line);
    void ended(std::size_t branch, bool good);
    /// Answers readers that wait.
    void answer();

  private:
    void show();

    LiveRun& view_;
    std::vector<LiveBranch> branches_;
    std::string message_;
    std::chrono::steady_clock::time_point reached_;
};

} // namespace numavp
