#include "models/sm/execution_units.h"

#include <algorithm>

namespace numavp {

ExecutionUnits::ExecutionUnits(Architecture architecture, unsigned schedulers, unsigned default_latency,
                               unsigned dependent_cycles)
    : on_(architecture != Architecture::none), default_latency_(default_latency), dependent_cycles_(dependent_cycles),
      free_at_(schedulers) {
    if (!on_) return;
    const ExecutionTable& table = execution_table(architecture);
    for (unsigned u = 0; u < kExecutionUnits; ++u) {
        const unsigned threads = kWarpLanes * schedulers; // of a warp instruction of each scheduler
        rows_[u] = {table[u].pipe, std::max(1U, threads / table[u].lanes), table[u].latency};
    }
}

Cycle ExecutionUnits::first_free(unsigned scheduler, std::uint64_t could, Cycle now) const {
    Cycle first = kNever;
    for (unsigned p = 0; p < kExecutionUnits; ++p) {
        if ((could & waiting_[p]) == 0) continue;
        could &= ~waiting_[p];
        first = std::min(first, std::max(now, free_at_[scheduler][p]));
    }
    return could != 0 ? now : first; // what needs no unit can issue at once
}

ExecutionUnits::Issued ExecutionUnits::issue(unsigned scheduler, const Inst& inst, Cycle now) {
    const Row& row = rows_[index_of(inst.unit)];
    const unsigned repeat = std::max<unsigned>(inst.repeat, 1);
    unsigned latency = row.latency != 0 ? row.latency : inst.latency;
    if (latency == 0) latency = default_latency_;
    free_at_[scheduler][index_of(row.pipe)] = now + Cycle{repeat} * row.interval;
    const Cycle last = now + Cycle{repeat - 1} * row.interval;
    return {last, last + latency + dependent_cycles_};
}

} // namespace numavp
