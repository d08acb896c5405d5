/// Scheduler of a memory controller: chooses a request for each bank, and says whether banks may overtake each other.
#pragma once

#include <memory>

#include "models/memory/dram/scheduler/bank_requests.h"
#include "models/memory/dram/scheduler/scheduler_kind.h"

namespace numavp {

/// Contract: choose() gives `oldest`, or `oldest_hit` if there is one; the same for the same arguments. Among the
/// chosen requests of all banks (of the oldest request's bank alone if in_order()), the controller issues column
/// commands before others, and else the oldest.
class MemoryScheduler {
  public:
    virtual ~MemoryScheduler() = default;
    virtual MemorySlot choose(const BankRequests& bank) const = 0;
    virtual bool in_order() const { return false; }
};

std::unique_ptr<MemoryScheduler> make_memory_scheduler(MemorySchedulerKind kind);

} // namespace numavp
