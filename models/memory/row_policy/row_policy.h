/// Row policy of a memory controller: when an open row is closed without a request that needs another row.
#pragma once

#include <cstdint>
#include <memory>

#include "models/base/name_table.h"

namespace numavp {

enum class RowPolicyKind : std::uint8_t { open, closed };

inline constexpr NameTable<RowPolicyKind> kRowPolicies{
    "row policy",
    {{RowPolicyKind::open, "open", "A row stays open until another row of its bank is wanted."},
     {RowPolicyKind::closed, "closed", "The last queued access to a row closes it (auto-precharge)."}}};

/// Contract: asked once for each column command; true makes it the one with auto-precharge.
class RowPolicy {
  public:
    virtual ~RowPolicy() = default;
    /// `more_hits`: a request to the same row is still queued.
    virtual bool closes(bool more_hits) const = 0;
};

std::unique_ptr<RowPolicy> make_row_policy(RowPolicyKind kind);

} // namespace numavp
