/// Who copies between host and devices for a dispatcher.
#pragma once

#include <functional>

#include "sw/kernels/workload.h"

namespace numavp {

class CopyService {
  public:
    /// Begins a copy. True if it is done at once; else `done` is called when it is, in a later cycle.
    virtual bool copy(const Launch& launch, std::function<void()> done) = 0;

  protected:
    ~CopyService() = default;
};

} // namespace numavp
