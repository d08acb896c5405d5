/// Cycles that an access to shared memory takes because of bank conflicts.
#pragma once

#include "sw/work/workload.h"

namespace numavp {

/// Width of a bank: it supplies one word a cycle, to all lanes that read it.
inline constexpr unsigned kBankBytes = 4;

/// Largest number of different words in one of `banks` banks that active lanes access; at least 1. Wide accesses count
/// each word: 32 lanes of 8 bytes take 2 cycles with 32 banks, as in hardware. Lanes that add to the same word by ATOMS
/// count once.
unsigned shared_cycles(const Inst& inst, unsigned banks);

} // namespace numavp
