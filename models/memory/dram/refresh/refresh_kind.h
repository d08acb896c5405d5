/// Names of the refresh policies, for configurations, which need nothing else of them.
#pragma once

#include <cstdint>

#include "base/values/name_table.h"

namespace numavp {

enum class RefreshKind : std::uint8_t { none, all_bank, per_bank };

inline constexpr NameTable<RefreshKind> kRefreshes{
    "refresh",
    {{RefreshKind::none, "none", "Rows keep their data for ever."},
     {RefreshKind::all_bank, "all_bank", "Every refi cycles all banks are precharged and refreshed for rfc cycles."},
     {RefreshKind::per_bank, "per_bank",
      "Each bank in turn, the others go on: each every refi cycles for rfc cycles."}}};

} // namespace numavp
