/// Whether a launcher of MPI jobs started this process, by what it put into the environment.
#pragma once

namespace numavp {

/// Number of processes that a launcher says it started with this one; 0 if none says so.
unsigned long launched_processes();

} // namespace numavp
