/// A process in which a run goes on from the point at which it is made: a fork.
#pragma once

#include <exception>
#include <string>

#include <sys/types.h>

namespace numavp {

/// Thrown by the process that has forked, when all branches have ended: nothing is left to be simulated in it.
class BranchesEnded final : public std::exception {
  public:
    const char* what() const noexcept override { return "all branches have ended"; }
};

/// ConfigError if the process has threads besides its own, which no branch would get.
void require_one_thread();

/// Forks, with flushed streams, as what is in a buffer would be written by each branch. Returns 0 in the branch, whose
/// standard output and error lead to these descriptors, which has a process group of its own, and which gets `signal`
/// when the process that forked ends. Returns the branch's number in the process that forks; negative, with errno, if
/// there is no process.
pid_t fork_branch(int output, int errors, int signal);

/// Writes `said` to the standard output and ends a branch with status 0. Destroys nothing: that would write to, and so
/// copy, each page that the branch shares.
[[noreturn]] void end_branch(const std::string& said);

} // namespace numavp
