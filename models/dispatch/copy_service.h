/// Service with which a dispatcher performs the copies of a workload between host and devices.
#pragma once

#include <functional>

#include "sw/kernels/workload.h"

namespace numavp {

enum class CopyStart {
    nothing,  ///< nothing is copied: both sides are the same memory
    ended,    ///< it took no time
    under_way ///< `done` is called at its end, in a later cycle
};

class CopyService {
  public:
    virtual CopyStart copy(const Launch& launch, std::function<void()> done) = 0;

  protected:
    ~CopyService() = default;
};

} // namespace numavp
