/// One bank after the other, every refi cycles each, evenly spread. A refresh that comes late does not move later ones.
#pragma once

#include "models/memory/dram/refresh/refresh.h"

namespace numavp {

class PerBankRefresh final : public Refresh {
  public:
    PerBankRefresh(unsigned interval, Cycle first, unsigned banks)
        : interval_(interval), first_(first), banks_(banks) {}
    Cycle due() const override { return first_ + Cycle{interval_} * issued_ / banks_; }
    unsigned bank() const override { return static_cast<unsigned>(issued_ % banks_); }
    void issued(Cycle) override { ++issued_; }

  private:
    unsigned interval_;
    Cycle first_;
    unsigned banks_;
    std::uint64_t issued_ = 0;
};

} // namespace numavp
