/// Service with which a dispatcher performs the host's own work of a workload.
#pragma once

#include <functional>

#include "sw/work/workload.h"

namespace numavp {

class HostService {
  public:
    /// Begins a host phase. Returns true if it takes no time; otherwise `done` is called at its end, in a later cycle,
    /// when all its writes are in memory.
    virtual bool run(const Launch& launch, std::function<void()> done) = 0;

  protected:
    ~HostService() = default;
};

} // namespace numavp
