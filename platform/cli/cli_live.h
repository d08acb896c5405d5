/// `numavp run --live` and `numavp attach`: a run watched while it goes on.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <CLI/App.hpp>

#include "platform/live/live_run.h"
#include "platform/machine/system.h"

namespace numavp {

/// Words of `numavp attach`.
struct AttachWords {
    std::string address; ///< empty: that of the only live run
    bool json = false, once = false;
};

void add_attach(CLI::App& app, AttachWords& words);
/// Adds --live to `numavp run`; `port` stays empty without it.
void add_live(CLI::App& run, std::string& port);
/// The words of a command line, with "--live=0" in the place of a --live that no port follows.
std::vector<std::string> with_live_port(const std::vector<std::string>& words);

/// Opens the live view of a run, prints its address, and makes `options` follow accesses for it; null if `port` is
/// empty. ConfigError if the port can't be had, or a part of the page is not there.
std::unique_ptr<LiveRun> live_run_of(const std::string& port, LiveFacts facts, SystemOptions& options);

/// Shows a live run on the terminal until it ends, or once; returns what is left to print.
std::string attach_command(const AttachWords& words);

} // namespace numavp
