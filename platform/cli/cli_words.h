/// Words of the command line as structs, and the parser that fills them in.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "platform/cli/cli_characterize.h"
#include "platform/cli/cli_compare.h"
#include "platform/cli/cli_correlate.h"
#include "platform/cli/cli_graph.h"
#include "platform/cli/cli_import.h"
#include "platform/cli/cli_live.h"
#include "platform/cli/cli_memory.h"
#include "platform/cli/cli_predict.h"
#include "platform/cli/cli_sharing.h"
#include "platform/cli/cli_study_words.h"
#include "platform/cli/cli_what_if.h"

namespace numavp {

inline constexpr const char* kDefaultSystem = "numa-aware-4";
inline constexpr const char* kDefaultWorkload = "spmv-powerlaw";

/// Words of `numavp run`. Numbers are kept as they were typed and read strictly by the command.
struct RunWords {
    std::string system = kDefaultSystem; ///< or a folder of results, whose run is repeated
    std::string workload;                ///< empty: the folder's, or kDefaultWorkload
    std::vector<std::string> set;
    std::vector<std::string> change;        ///< at launches: "40:link.sample_cycles=2000"
    std::string out, seed, scale, interval; ///< empty: not given
    std::string over, within;               ///< of --scale auto; the same
    std::string kernels, until, skip_to;    ///< the same
    std::string record_faults, gdb;         ///< the same
    std::string waves, waves_from, waves_to, waves_interval;
    std::string log_accesses, access_log;
    std::string workers; ///< empty: not given
    std::string live;    ///< a port; empty: not given
    bool json = false, csv = false, quiet = false, report = false;
};
/// Words of `numavp branch`: those of the run up to the branches, and what is changed there.
struct BranchWords {
    RunWords run;
    std::string at, jobs;             ///< empty: not given
    std::vector<std::string> changes; ///< of each branch, with commas
    bool unchanged = false;
};
struct ReportWords {
    std::string from;
    std::string out; ///< empty: beside the results
};
struct ExplainWords {
    std::string system;
    std::vector<std::string> set;
    bool json = false, csv = false;
};
struct ListWords {
    std::string what;
    std::string name; ///< of the pattern whose parameters are listed; empty: all patterns
    bool json = false, csv = false;
    bool names = false; ///< for shell completion
};
struct ReplayWords {
    std::string file;
    std::string system = kDefaultSystem;
    std::string execution; ///< empty: as the system says
    std::vector<std::string> set;
    std::string page_table; ///< empty: not written
    bool json = false;
};
/// Words of `numavp network`. Numbers are kept as they were typed.
struct NetworkWords {
    std::string system;
    std::string traffic = "uniform";
    std::string rates, packet_bytes, seed, packets, jobs, csv, report; ///< empty: not given
    std::vector<std::string> set;
    bool curve = false, requests = false, json = false, quiet = false;
};
struct Words {
    std::string command; ///< of kCommands
    RunWords run;
    AttachWords attach;
    BranchWords branch;
    ReportWords report;
    ExplainWords explain;
    ListWords list;
    StudyWords study;
    ReplayWords replay;
    NetworkWords network;
    MemoryWords memory;
    ImportWords import;
    CharacterizeWords characterize;
    GraphWords graph;
    PredictWords predict;
    WhatIfWords what_if;
    CompareWords compare;
    CorrelateWords correlate;
    CheckWords check;
    std::string schema, shell, help;
    bool man = false; ///< of help: the man page
};

/// Makes the parser, which writes into `words`; these must outlive it.
std::unique_ptr<CLI::App> make_parser(Words& words);

/// Parses. False if only help or version were asked for, which are printed here. ConfigError for a wrong command line.
bool parse_words(int argc, const char* const* argv, Words& words);

/// Text of --version: name, version, compiler.
std::string version_text();

/// Help of a command, or of the program if `command` is empty.
std::string help_of(const std::string& command);

} // namespace numavp
