/// Refresh of a DRAM channel: when the next refresh command is due.
#pragma once

#include <memory>

#include "models/base/types.h"
#include "models/memory/refresh/refresh_kind.h"
#include "models/memory/timing.h"

namespace numavp {

/// Contract: due() ascends and changes in issued() only. From due() on the controller gives no other command than
/// precharges, until it has refreshed.
class Refresh {
  public:
    virtual ~Refresh() = default;
    /// The cycle from which a refresh is due; kNever if none is.
    virtual Cycle due() const = 0;
    /// A refresh command was given at `now`.
    virtual void issued(Cycle now) = 0;
};

/// `first`: when the first refresh is due, if there are any.
std::unique_ptr<Refresh> make_refresh(RefreshKind kind, const DramTiming& timing, Cycle first);

} // namespace numavp
