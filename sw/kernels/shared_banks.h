/// Cycles that an access to shared memory takes because of its banks.
#pragma once

#include "sw/kernels/workload.h"

namespace numavp {

/// Bytes of a bank: a bank gives one word a cycle, to all lanes that want it.
inline constexpr unsigned kBankBytes = 4;

/// Most different words of one of `banks` banks that the active lanes access; 1 at least. Wide accesses count all their
/// words: 32 lanes of 8 bytes take 2 cycles of 32 banks, as in hardware. Lanes that add to one word by ATOMS count
/// once.
unsigned shared_cycles(const Inst& inst, unsigned banks);

} // namespace numavp
