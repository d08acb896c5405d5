/// All banks at once, every refi cycles. A refresh that comes late does not move the later ones; none is postponed.
#pragma once

#include "models/memory/refresh/refresh.h"

namespace numavp {

class AllBankRefresh final : public Refresh {
  public:
    explicit AllBankRefresh(unsigned interval) : interval_(interval), due_(interval) {}
    Cycle due() const override { return due_; }
    void issued(Cycle) override { due_ += interval_; }

  private:
    Cycle interval_, due_;
};

} // namespace numavp
