#include "models/sm/execution_units.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "base/values/error.h"

namespace numavp {

ExecutionUnits::ExecutionUnits(const SmConfig& config)
    : on_(config.has_units()), matrix_on_(config.tensor.on()), cores_(config.tensor.cores),
      default_latency_(config.compute_cycles), dependent_cycles_(config.dependent_cycles), behind_(config.schedulers) {
    if (!on_) return;
    const bool all_free = config.units == Architecture::none; // one of each kind a cycle
    const ExecutionTable& table = execution_table(config.units);
    for (unsigned u = 0; u < kExecutionUnits; ++u) {
        const unsigned threads = kWarpLanes * config.schedulers; // of a warp instruction of each scheduler
        if (all_free)
            rows_[u] = {static_cast<ExecutionUnit>(u), 1, 0};
        else
            rows_[u] = {table[u].pipe, std::max(1U, threads / table[u].lanes), table[u].latency};
    }
    if (!matrix_on_) return;
    // Pascal has no tensor cores, and its table has them on another pipe.
    rows_[index_of(ExecutionUnit::tensor)].pipe = ExecutionUnit::tensor;
    for (const NameEntry<MatrixOp>& entry : kMatrixOps)
        matrix_[static_cast<unsigned>(entry.value)] =
            matrix_timing(config.tensor.cores, entry.value, config.schedulers);
}

void ExecutionUnits::refuse(const Inst& inst) const {
    std::vector<std::string_view> has;
    if (!matrix_on_) {
        for (const NameEntry<TensorCores>& entry : kTensorCores)
            if (matrix_timing(entry.value, inst.matrix, static_cast<unsigned>(behind_.size())).known())
                has.push_back(entry.name);
        throw ConfigError("socket.sm.tensor.cores",
                          fmt::format("{} is asynchronous, so that without a table of tensor cores it would take no "
                                      "time; with {} it has one",
                                      kMatrixOps.name(inst.matrix), fmt::join(has, ", ")));
    }
    for (const NameEntry<MatrixOp>& entry : kMatrixOps)
        if (matrix_[static_cast<unsigned>(entry.value)].known()) has.push_back(entry.name);
    throw ConfigError("socket.sm.tensor.cores",
                      fmt::format("the tensor cores {} do not have {}; they have {}", kTensorCores.name(cores_),
                                  inst.matrix == MatrixOp::unknown ? "a matrix instruction without a known shape"
                                                                   : kMatrixOps.name(inst.matrix),
                                  fmt::join(has, ", ")));
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
    if (is_asynchronous(inst)) return queue_matrix(scheduler, inst, now);
    if (matrix_on_ && is_matrix(inst)) return issue_matrix(scheduler, inst, now);
    const Row& row = rows_[index_of(inst.unit)];
    const unsigned repeat = std::max<unsigned>(inst.repeat, 1);
    behind_[scheduler].free_at[index_of(row.pipe)] = now + Cycle{repeat} * row.interval;
    behind_[scheduler].used |= 1U << index_of(row.pipe);
    const Cycle last = now + Cycle{repeat - 1} * row.interval;
    return {last, last + latency_of(row, inst) + dependent_cycles_};
}

ExecutionUnits::Issued ExecutionUnits::issue_matrix(unsigned scheduler, const Inst& inst, Cycle now) {
    const MatrixTiming& timing = matrix_[static_cast<unsigned>(inst.matrix)];
    Behind& units = behind_[scheduler];
    const unsigned repeat = std::max<unsigned>(inst.repeat, 1);
    units.tensor.take(now, (repeat - 1) * timing.interval);
    const Cycle last = std::max(now, units.tensor.edge());
    units.tensor.take(last, timing.interval);
    units.free_at[index_of(ExecutionUnit::tensor)] = units.tensor.edge();
    units.used |= 1U << index_of(ExecutionUnit::tensor);
    return {last, last + timing.latency + dependent_cycles_};
}

/// Instructions on all tensor cores and those of one do not wait for each other: a kernel has one kind.
ExecutionUnits::Issued ExecutionUnits::queue_matrix(unsigned scheduler, const Inst& inst, Cycle now) {
    const MatrixTiming& timing = matrix_[static_cast<unsigned>(inst.matrix)];
    CycleParts& queue = shape_of(inst.matrix).is_of_sm() ? all_tensor_ : behind_[scheduler].tensor;
    const unsigned repeat = std::max<unsigned>(inst.repeat, 1);
    queue.take(now, (repeat - 1) * timing.interval);
    const Cycle begin = std::max(now, queue.edge());
    queue.take(begin, timing.interval);
    return {now + repeat - 1, begin + timing.latency + dependent_cycles_};
}

} // namespace numavp
