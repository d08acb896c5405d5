/// Programs as a user starts them: words in, status and text out.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "tests/support/temp_dir.h"

namespace numavp::test {

/// How a program ended.
struct Ended {
    int status = -1; ///< exit status, or -1 if a signal ended it
    int signal = 0;
    std::string out;
    std::string err;
};

/// A program that runs beside the test; killed if it still runs when this goes.
class Process {
  public:
    /// `words[0]` is looked for in PATH. `environment` adds "NAME=value"; `folder` is where it runs ("": here).
    explicit Process(const std::vector<std::string>& words, const std::vector<std::string>& environment = {},
                     const std::string& folder = "");
    /// The same with `program` called in a forked process in the place of a start, which takes longer than most calls
    /// do under sanitizers. It ends by _exit: static objects are not destroyed, leaks are not looked for. Only before
    /// this process has made anything of SystemC.
    Process(const std::vector<std::string>& words, const std::vector<std::string>& environment,
            const std::string& folder, const std::function<int(int, char**)>& program);
    ~Process();
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    void send(int signal) const;
    pid_t pid() const { return pid_; }
    /// What it has written to stderr so far.
    std::string errors_so_far() const;
    /// Waits for its end; a test failure, and SIGKILL, after `seconds`.
    Ended wait(double seconds = 60.0);

  private:
    TempDir texts_;
    pid_t pid_ = -1;
    bool waited_ = false;
};

inline Ended run_process(const std::vector<std::string>& words, const std::vector<std::string>& environment = {},
                         const std::string& folder = "") {
    return Process(words, environment, folder).wait();
}

} // namespace numavp::test
