/// The execution units behind each scheduler of an SM: until when they are busy, and when their results are ready.
///
/// A pipe accepts a warp instruction and is busy for its initiation interval; the result is ready after the latency.
/// Matrix instructions have interval and latency by their shape if the SM has a table of tensor cores; an interval may
/// be a part of a cycle, and its mean is exact. Asynchronous ones are queued: they issue one a cycle whatever the
/// tensor core does, and their result is ready when their turn has come and gone; the queue has no end. No SystemC,
/// time as cycles. Not modelled: buffers between issue and unit, so that a scheduler chooses only among warps whose
/// unit is free.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/time/cycle_parts.h"
#include "base/values/types.h"
#include "models/sm/sm_config.h"

namespace numavp {

class ExecutionUnits {
  public:
    /// Instructions without a latency in table or trace have `compute_cycles`.
    explicit ExecutionUnits(const SmConfig& config);

    bool on() const { return on_; }
    /// ConfigError if the tensor cores lack the matrix instruction `inst`; without a table of them they lack the
    /// asynchronous ones, which would take no time.
    void check(const Inst& inst) const {
        if (!is_matrix(inst) || matrix_[static_cast<unsigned>(inst.matrix)].known()) return;
        if (matrix_on_ || shape_of(inst.matrix).is_asynchronous()) refuse(inst);
    }
    /// Whether `inst` adds to its destination in the tensor core's order, so that its issue waits for no result.
    bool is_asynchronous(const Inst& inst) const {
        return matrix_on_ && is_matrix(inst) && shape_of(inst.matrix).is_asynchronous();
    }
    /// Floating-point operations of `inst` on tensor cores with a table; else 0.
    std::uint64_t matrix_operations(const Inst& inst) const {
        return matrix_on_ && is_matrix(inst) ? 2 * shape_of(inst.matrix).multiply_adds() * inst.repeat : 0;
    }
    /// Tells that `inst` is the next instruction of warp `w`.
    void next(unsigned w, const Inst& inst) {
        const std::uint64_t bit = 1ULL << w;
        waiting_[pipe_of_[w]] &= ~bit;
        if (inst.op != Op::compute || is_asynchronous(inst)) return;
        pipe_of_[w] = static_cast<std::uint8_t>(rows_[index_of(inst.unit)].pipe);
        waiting_[pipe_of_[w]] |= bit;
    }
    /// Returns those warps of `could`, all of one scheduler, whose unit is free at `now`.
    std::uint64_t free(unsigned scheduler, std::uint64_t could, Cycle now) const {
        const Behind& units = behind_[scheduler];
        for (unsigned bits = units.used; bits != 0; bits &= bits - 1) {
            const auto p = static_cast<unsigned>(__builtin_ctz(bits));
            if (units.free_at[p] > now) could &= ~waiting_[p];
        }
        return could;
    }
    /// The same for an earlier edge `then`, if nothing was issued since.
    std::uint64_t could_issue(unsigned scheduler, std::uint64_t could, Cycle then) const {
        for (unsigned p = 0; p < kExecutionUnits; ++p)
            if (behind_[scheduler].free_at[p] > then) could &= ~waiting_[p];
        return could;
    }
    /// First edge at which the unit of one of these warps is free, at least `now`; `could` is not empty.
    Cycle first_free(unsigned scheduler, std::uint64_t could, Cycle now);
    /// Edge at which a warp ends that issues its exit at `now`: the last before it has left the pipeline, since what
    /// follows from its end (a barrier that opens, the dispatcher's next block) is decided at the next. Never at `now`.
    Cycle exit(const Inst& inst, Cycle now) const {
        return now + std::max(2U, latency_of(rows_[index_of(ExecutionUnit::integer)], inst) + dependent_cycles_) - 1;
    }
    /// Effect of an instruction's issue at `now`.
    struct Issued {
        Cycle last = 0;   ///< when its last repetition is issued
        Cycle result = 0; ///< when an instruction that depends on it can issue
    };
    Issued issue(unsigned scheduler, const Inst& inst, Cycle now);

  private:
    Issued issue_matrix(unsigned scheduler, const Inst& inst, Cycle now);
    Issued queue_matrix(unsigned scheduler, const Inst& inst, Cycle now);
    struct Row {
        ExecutionUnit pipe;
        unsigned interval;
        unsigned latency;
    };
    unsigned latency_of(const Row& row, const Inst& inst) const {
        if (row.latency != 0) return row.latency;
        return inst.latency != 0 ? inst.latency : default_latency_;
    }
    static bool is_matrix(const Inst& inst) { return inst.op == Op::compute && inst.unit == ExecutionUnit::tensor; }
    [[noreturn]] void refuse(const Inst& inst) const;
    static unsigned index_of(ExecutionUnit unit) { return static_cast<unsigned>(unit); }

    bool on_, matrix_on_;
    TensorCores cores_;
    unsigned default_latency_, dependent_cycles_;
    std::array<Row, kExecutionUnits> rows_{};
    std::array<MatrixTiming, kMatrixOpCount> matrix_{};
    std::array<std::uint64_t, kExecutionUnits> waiting_{}; ///< warps by the pipe of their next instruction
    std::array<std::uint8_t, 64> pipe_of_{};
    /// The units behind a scheduler.
    struct Behind {
        std::array<Cycle, kExecutionUnits> free_at{};
        unsigned used = 0;   ///< pipes that may be busy, a bit each
        CycleParts tensor{}; ///< when the tensor core is free, if it has a table
    };
    std::vector<Behind> behind_; ///< of each scheduler
    CycleParts all_tensor_{};    ///< when an instruction on all tensor cores ends
};

} // namespace numavp
