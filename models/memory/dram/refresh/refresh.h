/// Refresh of a DRAM channel: when the next refresh command is due.
#pragma once

#include <memory>

#include "base/values/types.h"
#include "models/memory/dram/refresh/refresh_kind.h"
#include "models/memory/dram/timing/timing.h"

namespace numavp {

inline constexpr unsigned kAllBanks = ~0U;

/// Contract: due() ascends, and it and bank() change in issued() only. From due() on the controller gives the bank, or
/// all banks, no other command than a precharge, until it has refreshed.
class Refresh {
  public:
    virtual ~Refresh() = default;
    /// The cycle from which a refresh is due; kNever if none is.
    virtual Cycle due() const = 0;
    /// Which bank it is then.
    virtual unsigned bank() const { return kAllBanks; }
    /// A refresh command was given at `now`.
    virtual void issued(Cycle now) = 0;
};

/// `first`: when the first refresh of a channel with so many banks is due, if there are any.
std::unique_ptr<Refresh> make_refresh(RefreshKind kind, const DramTiming& timing, Cycle first, unsigned banks);

} // namespace numavp
