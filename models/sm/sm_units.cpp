/// An SM whose arithmetic is limited by execution units: the differences from issue without such limits.
#include <algorithm>

#include "models/sm/sm.h"

namespace numavp {

/// On an execution unit; returns the edge from which the warp's next instruction may issue.
Cycle Sm::issue_to_unit(unsigned w, const Inst& inst, Cycle now) {
    const ExecutionUnits::Issued issued = units_.issue(w % schedulers_, inst, now);
    counts_.matrix_operations += units_.matrix_operations(inst);
    write_register(warps_[w], inst.dst, issued.result);
    return issued.last + 1;
}

/// `plan_next()` where warps also wait for execution units.
void Sm::plan_units(Cycle now, std::uint64_t could) {
    for (unsigned s = 0; s < schedulers_; ++s) {
        const std::uint64_t own = could & members(s);
        if (own == 0) continue;
        const Cycle at = units_.first_free(s, own, std::max(scheduler_[s].busy_until, now + 1));
        if (at == now + 1) return wake();
        wake_at(at);
    }
}

/// Warps whose exit has left the pipeline.
void Sm::end_leaving() {
    const std::uint64_t ended = leaving_ & ready_;
    leaving_ &= ~ended;
    ready_ &= ~ended;
    for (std::uint64_t bits = ended; bits != 0; bits &= bits - 1)
        end_warp(static_cast<unsigned>(__builtin_ctzll(bits)));
}

} // namespace numavp
