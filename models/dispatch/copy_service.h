/// Service with which a dispatcher performs the copies of a workload between host and devices.
#pragma once

#include <functional>

#include "sw/kernels/workload.h"

namespace numavp {

class CopyService {
  public:
    /// Begins a copy. Returns true if it takes no time; otherwise `done` is called at its end, in a later cycle.
    virtual bool copy(const Launch& launch, std::function<void()> done) = 0;

  protected:
    ~CopyService() = default;
};

} // namespace numavp
