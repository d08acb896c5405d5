/// Initiators and targets that each break one rule of the protocol.
#pragma once

#include <vector>

#include "tests/tlm-links/checker_rig.h"

namespace numavp::checked {

const std::vector<Mutant>& initiator_mutants();
const std::vector<Mutant>& target_mutants();
/// Legal in the base protocol, but not in the platform.
const std::vector<Mutant>& dialect_mutants();

} // namespace numavp::checked
