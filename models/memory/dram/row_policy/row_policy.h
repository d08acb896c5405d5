/// Row policy of a memory controller: when an open row is closed without a request that needs another row.
#pragma once

#include <memory>

#include "models/memory/dram/row_policy/row_policy_kind.h"

namespace numavp {

/// Contract: called once for each column command; true makes it the command with auto-precharge.
class RowPolicy {
  public:
    virtual ~RowPolicy() = default;
    /// `more_hits`: a request to the same row is still queued.
    virtual bool closes(bool more_hits) const = 0;
};

std::unique_ptr<RowPolicy> make_row_policy(RowPolicyKind kind);

} // namespace numavp
