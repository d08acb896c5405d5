#include "models/memory/dram/row_policy/row_policy.h"

#include "base/values/error.h"
#include "models/memory/dram/row_policy/closed_page.h"
#include "models/memory/dram/row_policy/open_page.h"

namespace numavp {

std::unique_ptr<RowPolicy> make_row_policy(RowPolicyKind kind) {
    switch (kind) {
    case RowPolicyKind::open: return std::make_unique<OpenPage>();
    case RowPolicyKind::closed: return std::make_unique<ClosedPage>();
    }
    throw ModelError("no such row policy");
}

} // namespace numavp
