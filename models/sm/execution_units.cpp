#include "models/sm/execution_units.h"

#include <algorithm>

namespace numavp {

ExecutionUnits::ExecutionUnits(Architecture architecture, unsigned schedulers, unsigned default_latency,
                               unsigned dependent_cycles)
    : on_(architecture != Architecture::none), default_latency_(default_latency), dependent_cycles_(dependent_cycles),
      behind_(schedulers) {
    if (!on_) return;
    const ExecutionTable& table = execution_table(architecture);
    for (unsigned u = 0; u < kExecutionUnits; ++u) {
        const unsigned threads = kWarpLanes * schedulers; // of a warp instruction of each scheduler
        rows_[u] = {table[u].pipe, std::max(1U, threads / table[u].lanes), table[u].latency};
    }
}

Cycle ExecutionUnits::first_free(unsigned scheduler, std::uint64_t could, Cycle now) {
    Behind& units = behind_[scheduler];
    Cycle first = kNever;
    for (unsigned bits = units.used; bits != 0; bits &= bits - 1) {
        const auto p = static_cast<unsigned>(__builtin_ctz(bits));
        if (units.free_at[p] <= now) {
            units.used &= ~(1U << p);
        } else if ((could & waiting_[p]) != 0) {
            could &= ~waiting_[p];
            first = std::min(first, units.free_at[p]);
        }
    }
    return could != 0 ? now : first; // of those whose unit is free
}

ExecutionUnits::Issued ExecutionUnits::issue(unsigned scheduler, const Inst& inst, Cycle now) {
    const Row& row = rows_[index_of(inst.unit)];
    const unsigned repeat = std::max<unsigned>(inst.repeat, 1);
    behind_[scheduler].free_at[index_of(row.pipe)] = now + Cycle{repeat} * row.interval;
    behind_[scheduler].used |= 1U << index_of(row.pipe);
    const Cycle last = now + Cycle{repeat - 1} * row.interval;
    return {last, last + latency_of(row, inst) + dependent_cycles_};
}

} // namespace numavp
