/// Open page: a row stays open until a request needs another one.
#pragma once

#include "models/memory/dram/row_policy/row_policy.h"

namespace numavp {

class OpenPage final : public RowPolicy {
  public:
    bool closes(bool) const override { return false; }
};

} // namespace numavp
