/// First ready, first come first served (Rixner et al., ISCA 2000), with and without a cap on overtaking.
#pragma once

#include "models/memory/dram/scheduler/scheduler.h"

namespace numavp {

class FrFcfs final : public MemoryScheduler {
  public:
    MemorySlot choose(const BankRequests& bank) const override {
        return bank.oldest_hit != kNoSlot ? bank.oldest_hit : bank.oldest;
    }
};

/// Lets row hits of a bank overtake its oldest request at most kCap times. The cap is a choice: half a row of 2 KB.
class FrFcfsCap final : public MemoryScheduler {
  public:
    static constexpr unsigned kCap = 16;
    MemorySlot choose(const BankRequests& bank) const override {
        return bank.oldest_hit != kNoSlot && bank.overtakes < kCap ? bank.oldest_hit : bank.oldest;
    }
};

} // namespace numavp
