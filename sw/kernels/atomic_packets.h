/// The transactions of an atomic whose lanes are serialised: one for each lane of a word.
///
/// Lanes that hit the same word go in different transactions; lanes of different words of a 32-byte sector share one.
/// So do NVIDIA's GPUs since Maxwell as Accel-Sim has them (abstract_hardware_model, memory_coalescing_arch_atomic).
#pragma once

#include "sw/kernels/coalesce.h"

namespace numavp {

/// Fills `out` with the transactions in the order in which lanes first need them; returns how many. A line may come
/// several times.
unsigned serialise_atomic(const Inst& inst, LineAccess out[kMaxLinesPerInst]);

} // namespace numavp
