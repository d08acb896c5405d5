/// Deliberate faults for the tests that prove the checkers: none exist in the product.
#pragma once

namespace numavp {

#ifdef NUMAVP_MUTANTS
inline unsigned active_mutant = 0; ///< set by a test
inline bool mutant(unsigned number) { return active_mutant == number; }
#else
constexpr bool mutant(unsigned) { return false; }
#endif

} // namespace numavp
