/// Closed page: auto-precharge with the last queued access to a row.
#pragma once

#include "models/memory/dram/row_policy/row_policy.h"

namespace numavp {

class ClosedPage final : public RowPolicy {
  public:
    bool closes(bool more_hits) const override { return !more_hits; }
};

} // namespace numavp
