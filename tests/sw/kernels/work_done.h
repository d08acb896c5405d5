/// Operations and bytes of a kernel, counted by walking its instructions.
#pragma once

#include <map>
#include <string>

#include "sw/work/workload.h"

namespace numavp {

struct WorkDone {
    std::uint64_t operations = 0;   ///< of matrix instructions
    std::uint64_t vector_flops = 0; ///< multiply-adds of FP32 pipes, each two
    std::uint64_t loaded = 0, stored = 0;
    std::map<std::string, std::uint64_t> loaded_of, stored_of; ///< by array
};

/// Adds the instructions of one block.
inline void add_block(Kernel& kernel, const Workload& workload, std::uint64_t b, WorkDone& done) {
    const auto block = kernel.open(b);
    for (unsigned w = 0; w < kernel.shape().warps(); ++w) {
        for (const Inst* inst = block->warp(w).fetch(); inst->op != Op::exit; inst = block->warp(w).fetch()) {
            const auto lanes = static_cast<unsigned>(__builtin_popcount(inst->mask));
            if (inst->op == Op::compute && inst->unit == ExecutionUnit::tensor)
                done.operations += 2 * shape_of(inst->matrix).multiply_adds() * inst->repeat;
            if (inst->op == Op::compute && inst->unit == ExecutionUnit::single_precision)
                done.vector_flops += std::uint64_t{2} * inst->repeat * lanes;
            const bool load = inst->op == Op::load;
            if (!load && inst->op != Op::store) continue;
            const std::uint64_t bytes = std::uint64_t{lanes} * inst->width;
            (load ? done.loaded : done.stored) += bytes;
            const std::uint64_t at = inst->address(static_cast<unsigned>(__builtin_ctz(inst->mask)));
            for (const Range& range : workload.ranges)
                if (at >= range.base && at < range.base + range.bytes)
                    (load ? done.loaded_of : done.stored_of)[range.name] += bytes;
        }
    }
}

inline WorkDone work_of_block(Kernel& kernel, const Workload& workload, std::uint64_t block) {
    WorkDone done;
    add_block(kernel, workload, block, done);
    return done;
}

/// Walks some blocks of a kernel; `every`: one of so many.
inline WorkDone work_of(Kernel& kernel, const Workload& workload, std::uint64_t every = 1) {
    WorkDone done;
    for (std::uint64_t b = 0; b < kernel.shape().blocks; b += every) add_block(kernel, workload, b, done);
    return done;
}

inline std::uint64_t loaded_from(const WorkDone& done, const std::string& array) {
    const auto found = done.loaded_of.find(array);
    return found == done.loaded_of.end() ? 0 : found->second;
}
inline std::uint64_t bytes_of_range(const Workload& workload, const std::string& array) {
    for (const Range& range : workload.ranges)
        if (range.name == array) return range.bytes;
    return 0;
}

} // namespace numavp
