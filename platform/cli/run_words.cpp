#include "platform/cli/run_words.h"

#include <utility>

#include "platform/cli/cli_live.h"
#include "platform/cli/cli_words.h"

namespace numavp {

void add_set(CLI::App& command, std::vector<std::string>& set) {
    command.add_option("--set", set, "Change a setting of the system: socket.l2.ways=8 (numavp list settings)")
        ->type_name("PATH=VALUE")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
}

namespace {

void add_waves(CLI::App& run, RunWords& words) {
    const auto add = [&run](const char* name, std::string& word, const char* type, const char* doc) {
        return run.add_option(name, word, doc)->type_name(type)->take_last();
    };
    CLI::Option* waves = add("--waves", words.waves, "FILE",
                             "Write waveforms, .fst or .vcd, and a save file for GTKWave beside them: lanes, ways, "
                             "queues, kernels, RTL");
    add("--waves-from", words.waves_from, "US", "Waveforms begin at this time, in microseconds")->needs(waves);
    add("--waves-to", words.waves_to, "US", "Waveforms end at this time")->needs(waves);
    add("--waves-interval", words.waves_interval, "N", "Cycles between looks at queues and use; 100 unless given")
        ->needs(waves);
}

void add_kernels(CLI::App& run, RunWords& words) {
    const auto add = [&run](const char* name, std::string& word, const char* type, const char* doc) {
        run.add_option(name, word, doc)->type_name(type)->take_last();
    };
    add("--kernels", words.kernels, "A..B", "Run only these launches of kernels, numbered from 1: 3..7, 3.., ..7 or 3");
    add("--until-kernel", words.until, "N", "End with this launch");
    add("--skip-to", words.skip_to, "N", "Begin with this launch, with cold caches");
}

void add_access_log(CLI::App& run, RunWords& words) {
    CLI::Option* log = run.add_option("--log-accesses", words.log_accesses,
                                      "Follow one access of the SMs in N: write each hop with its time, its wait and "
                                      "what it waited for, and show them in the timeline")
                           ->type_name("N")
                           ->take_last();
    run.add_option("--access-log", words.access_log,
                   "File of the followed accesses, .csv or .sqlite; accesses.csv in the results' folder unless given")
        ->type_name("FILE")
        ->take_last()
        ->needs(log);
}

/// Words of a run that its branches have too.
void add_input(CLI::App& run, RunWords& words) {
    run.add_option("SYSTEM", words.system,
                   "Name (numavp list systems), JSON file, or a folder of results, whose run is repeated")
        ->type_name("")
        ->default_str(kDefaultSystem);
    run.add_option("WORKLOAD", words.workload,
                   "Name (numavp list workloads), JSON file, .traceg, .tracez, .memtrace or kernelslist.g")
        ->type_name("")
        ->default_str(kDefaultWorkload);
    add_set(run, words.set);
    run.add_option("--seed", words.seed, "Seed of the workload's data and random accesses")
        ->type_name("N")
        ->take_last();
    add_kernels(run, words);
    run.add_option("--interval", words.interval, "Cycles between samples of the time series")
        ->type_name("N")
        ->take_last();
    run.add_option("--workers", words.workers,
                   "Threads that execute the packages side by side, with the same results; 1 unless given")
        ->type_name("N")
        ->take_last();
    run.add_flag("--report", words.report, "Write report.html beside the results")->disable_flag_override();
}

} // namespace

void add_run(CLI::App& app, RunWords& words) {
    CLI::App* run = app.add_subcommand("run", "Simulate a workload on a system");
    add_input(*run, words);
    run->add_option("--out", words.out, "Folder of the results; results/<system>-<workload>[-n] unless given")
        ->type_name("DIR")
        ->check(
            [](const std::string& folder) { return folder.empty() ? "it names no folder; a folder is allowed" : ""; })
        ->take_last();
    run->add_option("--change", words.change,
                    "Change a setting at the launch of a kernel: 40:link.sample_cycles=2000 (numavp list changes)")
        ->type_name("KERNEL:PATH=VALUE")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
    run->add_option(
           "--scale", words.scale,
           "Factor on the workload's problem size; auto: the smallest at which the speed is that of larger ones")
        ->type_name("X")
        ->take_last();
    run->add_option("--over", words.over, "With --scale auto: speed is the speedup over this system")
        ->type_name("SYSTEM")
        ->take_last();
    run->add_option("--within", words.within, "With --scale auto: how far speeds may be apart; 5 unless given")
        ->type_name("PERCENT")
        ->take_last();
    run->add_option("--record-faults", words.record_faults, "Write the page faults of the run, for replay-faults")
        ->type_name("FILE")
        ->take_last();
    run->add_option("--gdb", words.gdb,
                    "Wait for gdb-multiarch at this port of the loopback interface; 0: any free one")
        ->type_name("PORT")
        ->take_last();
    add_live(*run, words.live, "Show the run while it goes on");
    add_waves(*run, words);
    add_access_log(*run, words);
    run->add_flag("--json", words.json, "Print the summary as one line of JSON")->disable_flag_override();
    run->add_flag("--csv", words.csv, "Print the summary as lines of path,value")
        ->disable_flag_override()
        ->excludes("--json");
    run->add_flag("--quiet", words.quiet, "No progress and no summary")->disable_flag_override();
}

void add_branch(CLI::App& app, BranchWords& words) {
    CLI::App* branch = app.add_subcommand(
        "branch", "Simulate up to the launch of a kernel, then on with several settings, in a process for each");
    add_input(*branch, words.run);
    branch->add_option("--scale", words.run.scale, "Factor on the workload's problem size")
        ->type_name("X")
        ->take_last();
    branch
        ->add_option("--at", words.at, "Launch of the kernel, numbered from 1, before whose first block branches begin")
        ->type_name("KERNEL")
        ->take_last()
        ->required();
    branch
        ->add_option(
            "--change", words.changes,
            "A branch with settings changed there, with commas between several: link.sample_cycles=2000 (numavp list "
            "changes)")
        ->type_name("PATH=VALUE")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
    branch->add_flag("--unchanged", words.unchanged, "One branch more, the first, that changes nothing")
        ->disable_flag_override();
    branch
        ->add_option("--jobs", words.jobs,
                     "Branches simulated at once; as many as there are cores for their workers unless given")
        ->type_name("N")
        ->take_last();
    branch
        ->add_option("--out", words.run.out,
                     "Folder with one of results for each branch; results/<system>-<workload>-at-<kernel> unless given")
        ->type_name("DIR")
        ->take_last();
    add_live(*branch, words.run.live, "Show the run up to there while it goes on, and list a page for each branch");
    // What a process can't hand on to several is refused in a sentence that says why.
    for (const auto& [name, word] : {std::pair{"--waves", &words.run.waves},
                                     {"--log-accesses", &words.run.log_accesses},
                                     {"--gdb", &words.run.gdb},
                                     {"--record-faults", &words.run.record_faults}})
        branch->add_option(name, *word)->group("")->take_last();
    branch->add_flag("--json", words.run.json, "Print the branches as one line of JSON")->disable_flag_override();
    branch->add_flag("--quiet", words.run.quiet, "No progress and no table")->disable_flag_override();
}

} // namespace numavp
