/// First come, first served: no request overtakes another of its direction.
#pragma once

#include "models/memory/dram/scheduler/scheduler.h"

namespace numavp {

class Fcfs final : public MemoryScheduler {
  public:
    MemorySlot choose(const BankRequests& bank) const override { return bank.oldest; }
    bool in_order() const override { return true; }
};

} // namespace numavp
