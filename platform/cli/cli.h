/// The command line: parses, calls the command, and turns errors into a sentence and an exit status.
#pragma once

namespace numavp {

/// Exit statuses of the program.
enum ExitStatus : int {
    kExitOk = 0,
    kExitPoints = 1,       ///< a study ran, but points of it failed
    kExitEnded = 1,        ///< RTL of the user's ended the run ($finish, a failed assertion)
    kExitUser = 2,         ///< a user's fault: one sentence on stderr
    kExitModel = 3,        ///< a defect of numavp: it contradicts itself
    kExitInterrupted = 130 ///< Ctrl-C
};

int run_cli(int argc, char** argv);

} // namespace numavp
