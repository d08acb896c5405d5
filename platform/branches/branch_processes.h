/// Processes in which a run goes on from one point: a fork for each branch.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "common/files/descriptor.h"
#include "platform/branches/forked_branch.h"

namespace numavp {

/// How a branch ended.
struct BranchEnd {
    int status = 0;        ///< exit status; 128 + number of the signal that ended it
    std::string said;      ///< on its standard output
    std::string complaint; ///< on its standard error, without "numavp: " before it
};

/// What else happens around the forks; each may be empty. All but the last are called in the process that forks.
struct BranchHooks {
    std::function<void()> before_fork;                  ///< ends the threads of this process
    std::function<void(std::size_t branch)> after_fork; ///< also where there was none
    /// A whole line on a branch's standard output; true: it is taken, and no part of BranchEnd::said.
    std::function<bool(std::size_t branch, const std::string& line)> take_line;
    std::function<void()> on_wait; ///< several times a second while branches go on
    std::function<void(std::size_t branch)> in_branch;
};

class BranchProcesses {
  public:
    using OnEnd = std::function<void(std::size_t branch, const BranchEnd& end)>;
    /// `jobs` of `branches` go on at once. `on_end` is called in the process that forks, once for each branch.
    BranchProcesses(std::size_t branches, std::size_t jobs, OnEnd on_end, BranchHooks hooks = {});
    ~BranchProcesses();
    BranchProcesses(const BranchProcesses&) = delete;
    BranchProcesses& operator=(const BranchProcesses&) = delete;

    /// Forks. Returns in each branch, with its number; throws BranchesEnded in the caller's process, when all have
    /// ended. ConfigError if the process has threads, which no branch would get. Streams are flushed before; in a
    /// branch standard output and error lead to the caller's process, whose end ends the branch.
    std::size_t fork_all();
    /// The number of this process's branch; nothing in the process that forks.
    std::optional<std::size_t> branch() const { return branch_; }

  private:
    struct Child {
        std::size_t branch = 0;
        pid_t pid = -1;
        Descriptor output, errors;
        BranchEnd end{};
        std::size_t looked = 0; ///< of `said`: lines that were not taken
    };
    bool start(std::size_t branch);
    void wait();
    void take_lines(Child& child) const;
    bool has_ended(Child& child) const;

    std::size_t branches_, jobs_;
    OnEnd on_end_;
    BranchHooks hooks_;
    std::vector<Child> children_;
    std::optional<std::size_t> branch_;
};

} // namespace numavp
