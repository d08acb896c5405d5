#include "models/memory/dram/scheduler/scheduler.h"

#include "base/values/error.h"
#include "models/memory/dram/scheduler/fcfs.h"
#include "models/memory/dram/scheduler/fr_fcfs.h"

namespace numavp {

std::unique_ptr<MemoryScheduler> make_memory_scheduler(MemorySchedulerKind kind) {
    switch (kind) {
    case MemorySchedulerKind::fr_fcfs: return std::make_unique<FrFcfs>();
    case MemorySchedulerKind::fcfs: return std::make_unique<Fcfs>();
    case MemorySchedulerKind::fr_fcfs_cap: return std::make_unique<FrFcfsCap>();
    }
    throw ModelError("no such memory scheduler");
}

} // namespace numavp
