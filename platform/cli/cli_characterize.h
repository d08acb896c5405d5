/// `numavp characterize`: runs the microbenchmarks of a machine, as tables, also beside measurements. Those of a
/// machine without CPUs are in cli_latency.h.
#pragma once

#include <string>

#include <CLI/App.hpp>

#include "platform/cli/machine_words.h"

namespace numavp {

struct CharacterizeWords : MachineWords {
    std::string benchmark, csv, against, beyond, report, largest, footprints, stride, threads,
        counters; ///< empty: not given
    bool json = false, quiet = false, latency = false, bandwidth = false;
};

void add_characterize(CLI::App& app, CharacterizeWords& words);

/// Runs the benchmarks and returns the text to print.
std::string characterize_command(const CharacterizeWords& words);

} // namespace numavp
