/// `--live` of run, branch and study run, and `numavp attach`: watched while they go on.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "platform/live/live_run.h"
#include "platform/machine/system.h"

namespace numavp {

/// Words of `numavp attach`.
struct AttachWords {
    std::string address; ///< empty: that of the only live run or study
    bool json = false, once = false;
};

void add_attach(CLI::App& app, AttachWords& words);
/// Adds --live to a command; `port` stays empty without it. `what` is shown: "Show the run while it goes on".
void add_live(CLI::App& command, std::string& port, const std::string& what);
/// The port that --live names. ConfigError if it is none.
std::uint16_t live_port(const std::string& port);
/// Prints the address of a live page, which nobody could open without it.
void tell_address(const std::string& address);
/// The words of a command line, with "--live=0" in the place of a --live that no port follows.
std::vector<std::string> with_live_port(const std::vector<std::string>& words);

/// Opens the live view of a run, prints its address, and makes `options` follow accesses for it; null if `port` is
/// empty. ConfigError if the port can't be had, or a part of the page is not there.
std::unique_ptr<LiveRun> live_run_of(const std::string& port, LiveFacts facts, SystemOptions& options);

/// Shows a live run or study on the terminal until it ends, or once; returns what is left to print.
std::string attach_command(const AttachWords& words);

} // namespace numavp
