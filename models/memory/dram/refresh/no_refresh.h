/// No refresh.
#pragma once

#include "models/memory/dram/refresh/refresh.h"

namespace numavp {

class NoRefresh final : public Refresh {
  public:
    Cycle due() const override { return kNever; }
    void issued(Cycle) override {}
};

} // namespace numavp
