/// Transactions of an atomic with serialised lanes: lanes of the same word go in different transactions.
///
/// Lanes of different words of a 32-byte sector share a transaction. NVIDIA's GPUs since Maxwell do so according to
/// Accel-Sim (abstract_hardware_model, memory_coalescing_arch_atomic).
#pragma once

#include "sw/work/coalesce.h"

namespace numavp {

/// Fills `out` with the transactions in the order in which lanes first need them; returns their number. A line may
/// occur several times.
unsigned serialise_atomic(const Inst& inst, LineAccess out[kMaxLinesPerInst]);

} // namespace numavp
