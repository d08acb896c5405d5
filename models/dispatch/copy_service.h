/// Service with which a dispatcher performs the copies of a workload between host and devices.
#pragma once

#include <functional>

#include "sw/work/workload.h"

namespace numavp {

enum class CopyStart {
    nothing,  ///< nothing is copied: both sides are the same memory
    ended,    ///< it took no time
    under_way ///< it takes time
};

class CopyService {
  public:
    /// Begins a copy. `done` is called only after `under_way`, in a later cycle.
    virtual CopyStart copy(const Launch& launch, std::function<void()> done) = 0;

  protected:
    ~CopyService() = default;
};

} // namespace numavp
