/// What goes on with --live, watched from beside it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tests/platform/cli/cli_fixture.h"

namespace numavp::test {

class LiveCli : public Cli {
  protected:
    /// With a library that only stands for ECharts, and a list of live runs of its own.
    Args live_environment() const;
    std::unique_ptr<Process> start(const Args& words) const;
    Ended attach(const Args& more) const;
    /// The address that stands behind `before` on its stderr; a failure if none comes.
    static std::string address_of(const Process& run, const std::string& before = "numavp: live at ");
    /// A state with `status`, and with something in its list `list`, in which all members `member` are given.
    static nlohmann::ordered_json state_with(const std::string& address, const std::string& status,
                                             const std::string& list, const std::string& member,
                                             std::size_t entries = 1);
    /// A command that was read without a pause until nothing answered any more.
    struct Watched {
        std::string name; ///< of the try that counts
        std::string address;
        Ended ended;
        nlohmann::ordered_json last; ///< the last state; null if none was read
    };
    /// Runs the command that `words` give for a name, to its end. On a loaded machine a short one may end before its
    /// reader has a state that is `enough`: then it is run again under another name, at most ten times.
    Watched watched(const std::function<Args(const std::string& name)>& words,
                    const std::function<bool(const nlohmann::ordered_json& last)>& enough) const;
};

} // namespace numavp::test
