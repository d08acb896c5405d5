#include "common/files/launched_processes.h"

#include <cstdlib>

namespace numavp {

unsigned long launched_processes() {
    // Of Open MPI; Hydra (MPICH, Intel MPI) and others that use PMI; MVAPICH2; srun.
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"})
        if (const char* const value = std::getenv(name); value != nullptr) // NOLINT(concurrency-mt-unsafe)
            return std::strtoul(value, nullptr, 10);
    return 0;
}

} // namespace numavp
