/// All banks at once, every refi cycles from a first time on. A refresh that comes late does not move the later ones;
/// none is postponed.
#pragma once

#include "models/memory/dram/refresh/refresh.h"

namespace numavp {

class AllBankRefresh final : public Refresh {
  public:
    AllBankRefresh(unsigned interval, Cycle first) : interval_(interval), due_(first) {}
    Cycle due() const override { return due_; }
    void issued(Cycle) override { due_ += interval_; }

  private:
    Cycle interval_, due_;
};

} // namespace numavp
