/// The execution units behind each scheduler of an SM: until when they are busy, and when their results are ready.
///
/// A pipe accepts a warp instruction and is busy for its initiation interval; the result is ready after the latency. No
/// SystemC, time as cycles. Not modelled: buffers between issue and unit, so that a scheduler chooses only among warps
/// whose unit is free.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/values/types.h"
#include "models/sm/execution_table.h"

namespace numavp {

class ExecutionUnits {
  public:
    /// `default_latency`: for instructions without a latency in table or trace. `dependent_cycles`: from a result to
    /// the issue of an instruction that uses it.
    ExecutionUnits(Architecture architecture, unsigned schedulers, unsigned default_latency, unsigned dependent_cycles);

    bool on() const { return on_; }
    /// Tells that `inst` is the next instruction of warp `w`.
    void next(unsigned w, const Inst& inst) {
        const std::uint64_t bit = 1ULL << w;
        waiting_[pipe_of_[w]] &= ~bit;
        if (inst.op != Op::compute) return;
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
    struct Row {
        ExecutionUnit pipe;
        unsigned interval;
        unsigned latency;
    };
    unsigned latency_of(const Row& row, const Inst& inst) const {
        if (row.latency != 0) return row.latency;
        return inst.latency != 0 ? inst.latency : default_latency_;
    }
    static unsigned index_of(ExecutionUnit unit) { return static_cast<unsigned>(unit); }

    bool on_;
    unsigned default_latency_, dependent_cycles_;
    std::array<Row, kExecutionUnits> rows_{};
    std::array<std::uint64_t, kExecutionUnits> waiting_{}; ///< warps by the pipe of their next instruction
    std::array<std::uint8_t, 64> pipe_of_{};
    /// The units behind a scheduler.
    struct Behind {
        std::array<Cycle, kExecutionUnits> free_at{};
        unsigned used = 0; ///< pipes that may be busy, a bit each
    };
    std::vector<Behind> behind_; ///< of each scheduler
};

} // namespace numavp
