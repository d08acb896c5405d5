/// Who does the host's own work for a dispatcher.
#pragma once

#include <functional>

#include "sw/kernels/workload.h"

namespace numavp {

class HostService {
  public:
    /// Begins a phase. True if it is done at once; else `done` is called when it is, in a later cycle: what it wrote
    /// is in memory then.
    virtual bool run(const Launch& launch, std::function<void()> done) = 0;

  protected:
    ~HostService() = default;
};

} // namespace numavp
