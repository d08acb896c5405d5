#include "common/inputs/workload_record.h"

#include "sw/work/workload.h"

namespace numavp {

WorkloadRecord record_of(const Workload& workload, std::optional<std::uint64_t> seed, double scale) {
    return {
        workload.name,          workload.description, seed, scale, workload.footprint_bytes(), workload.launches.size(),
        workload.total_blocks()};
}

} // namespace numavp
