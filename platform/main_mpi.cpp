/// The program `numavp-mpi`: a study over the ranks of an MPI job. docs/use/STUDIES.md has the lines for Slurm.
#include <cstdio>
#include <memory>

#include <boost/mpi/environment.hpp>
#include <systemc>

#include "base/values/error.h"
#include "platform/cli/cli.h"
#include "platform/cli/cli_study.h"
#include "platform/study/study_mpi.h"

// The SystemC library asks for it; no rank simulates itself.
int sc_main(int /*argc*/, char** /*argv*/) { return 0; }

namespace {

int run_rank_0(const boost::mpi::communicator& world, int argc, char** argv) {
    if (world.size() > 1) // alone, it runs points itself
        numavp::set_workers_factory([&world] { return std::make_unique<numavp::MpiWorkers>(world); });
    return numavp::run_cli(argc, argv);
}

} // namespace

int main(int argc, char** argv) {
    const boost::mpi::environment environment(argc, argv);
    const boost::mpi::communicator world;
    int status = numavp::kExitOk;
    try {
        numavp::refuse_foreign_launcher(world);
        numavp::compare_versions(world);
        if (world.rank() == 0)
            status = run_rank_0(world, argc, argv);
        else
            numavp::serve_points(world);
    } catch (const std::exception& fault) {
        std::fprintf(stderr, "numavp: %s\n", fault.what());
        status = numavp::kExitUser;
        // Rank 0 would wait for ever for what this one was asked to do.
        if (world.rank() != 0) boost::mpi::environment::abort(status);
    }
    if (world.rank() == 0) numavp::end_ranks(world);
    return status;
}
