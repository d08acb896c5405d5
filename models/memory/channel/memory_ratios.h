/// Bandwidth of a socket's memory.
#pragma once

#include <vector>

#include "base/stats/ratio.h"

namespace numavp {

inline std::vector<Ratio> memory_ratios() {
    return {by_interval(rate_of("memory.gbps", {"memory.read_bytes", "memory.write_bytes"}, RatioPer::ns, "GB/s",
                                "Bandwidth of the memory, read and written."),
                        {"memory.bytes"}),
            rate_of("memory.read_gbps", {"memory.read_bytes"}, RatioPer::ns, "GB/s", "Bandwidth of reads."),
            rate_of("memory.write_gbps", {"memory.write_bytes"}, RatioPer::ns, "GB/s", "Bandwidth of writes.")};
}

} // namespace numavp
