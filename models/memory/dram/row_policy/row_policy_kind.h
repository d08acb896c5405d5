/// Names of the row policies, for configurations, which need nothing else of them.
#pragma once

#include <cstdint>

#include "base/values/name_table.h"

namespace numavp {

enum class RowPolicyKind : std::uint8_t { open, closed };

inline constexpr NameTable<RowPolicyKind> kRowPolicies{
    "row policy",
    {{RowPolicyKind::open, "open", "A row stays open until another row of its bank is wanted."},
     {RowPolicyKind::closed, "closed", "The last queued access to a row closes it (auto-precharge)."}}};

} // namespace numavp
