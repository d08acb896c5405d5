/// Names of the memory schedulers, for configurations, which need nothing else of them.
#pragma once

#include <cstdint>

#include "base/values/name_table.h"

namespace numavp {

enum class MemorySchedulerKind : std::uint8_t { fr_fcfs, fcfs, fr_fcfs_cap };

inline constexpr NameTable<MemorySchedulerKind> kMemorySchedulers{
    "memory scheduler",
    {{MemorySchedulerKind::fr_fcfs, "fr_fcfs",
      "First ready, then oldest: row hits overtake what their bank is not ready for."},
     {MemorySchedulerKind::fcfs, "fcfs", "The oldest request alone gets commands."},
     {MemorySchedulerKind::fr_fcfs_cap, "fr_fcfs_cap",
      "First ready, then oldest, but after 16 row hits that overtook an older request of their bank that request is "
      "next."}}};

} // namespace numavp
