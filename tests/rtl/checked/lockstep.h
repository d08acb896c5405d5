/// RTL blocks of the bench beside their C++ twins: who notices a fault, comparison or assertion.
#pragma once

#include "base/values/rng.h"
#include "tests/rtl/checked/bench.h"

namespace numavp {

struct Noticed {
    bool by_comparison = false;
    bool by_assertion = false;
};

/// `steps` random edges, fewer as soon as both have noticed something.
Noticed lanes_in_lockstep(unsigned mutant, unsigned steps);
Noticed ways_in_lockstep(unsigned mutant, unsigned steps);
/// `steps` evaluations of the evaluator at its full widths, with starts that it must ignore.
Noticed model_in_lockstep(unsigned mutant, unsigned steps);

} // namespace numavp
