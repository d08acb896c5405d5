/// Iterates over the operations of a host phase: for each item its reads line by line, its arithmetic, its writes.
#pragma once

#include <cstdint>
#include <vector>

#include "base/values/types.h"
#include "sw/work/host_phase.h"

namespace numavp {

struct HostOperation {
    enum class Kind : std::uint8_t { load, store, compute } kind = Kind::load;
    bool first = false;         ///< of its item
    std::uint64_t number = 0;   ///< of the phase's instructions, from 0
    std::uint64_t line = 0;     ///< virtual byte address of the line; not of arithmetic
    ByteMask mask = ByteMask(); ///< of the line
};

class HostCursor {
  public:
    void begin(const HostPhase& phase);
    /// The next operation; null behind the last one.
    const HostOperation* peek() const { return done_ ? nullptr : &operation_; }
    void next();

  private:
    enum class Part : std::uint8_t { reads, compute, writes };
    bool find_line();
    bool find_operation();

    const HostPhase* phase_ = nullptr;
    std::vector<Rng> draws_; ///< of each access
    HostOperation operation_;
    bool done_ = true;
    Part part_ = Part::reads;
    std::uint64_t item_ = 0;
    std::size_t access_ = 0;
    bool inside_ = false;                  ///< an element, of which lines are left
    std::uint64_t at_ = 0, end_ = 0;       ///< of it
    std::uint64_t operations_of_item_ = 0; ///< so far
};

} // namespace numavp
