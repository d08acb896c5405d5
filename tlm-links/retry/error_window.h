/// Counts errors of a line within a span of time: tells when so many fell into it that a lane is retired. Plain C++.
#pragma once

#include <cstddef>
#include <deque>

#include "base/values/types.h"

namespace numavp {

class ErrorWindow {
  public:
    /// `errors` 0: never. The last `cycles` cycles count, an error exactly that long ago too.
    ErrorWindow(std::size_t errors, Cycle cycles) : errors_(errors), cycles_(cycles) {}
    /// Counts an error at `at`, not before the last one. True: so many are within the window; then counting begins
    /// anew.
    bool add(Cycle at) {
        if (errors_ == 0) return false;
        edges_.push_back(at);
        while (at - edges_.front() > cycles_) edges_.pop_front();
        if (edges_.size() < errors_) return false;
        edges_.clear();
        return true;
    }

  private:
    std::size_t errors_;
    Cycle cycles_;
    std::deque<Cycle> edges_;
};

} // namespace numavp
