/// Rows and counters of the member `kernels` of results.json, read by number and path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/config/config_file.h"

namespace numavp {

enum class KernelRowKind : std::uint8_t { kernel, folded, overlap, outside };

/// One row; times are cycles of the core clock.
struct KernelRow {
    KernelRowKind kind = KernelRowKind::outside;
    std::string name;
    std::optional<std::uint64_t> launch; ///< its number; none in rows other than a launch's own
    std::uint64_t launches = 0;
    std::uint64_t cycles = 0;
    /// Of a launch's own row.
    std::optional<std::uint64_t> launched, started, ended, flushed;
};

class KernelRows {
  public:
    /// `results` must outlive this object. Without the member `kernels`, or with one of another form, there are no
    /// rows.
    explicit KernelRows(const ordered_json& results);

    const std::vector<KernelRow>& all() const { return rows_; }
    /// A counter summed over some rows; none if the run has no counter of that path.
    std::optional<double> sum(const std::string& path, const std::vector<std::size_t>& rows) const;

  private:
    std::vector<KernelRow> rows_;
    std::unordered_map<std::string, const ordered_json*> counters_; ///< an ordered object is searched from its begin
};

/// Rows of one kernel: those of the same name and kind, in the order of the first.
struct KernelPhase {
    std::string name;
    KernelRowKind kind = KernelRowKind::kernel;
    std::vector<std::size_t> rows;
    std::uint64_t launches = 0, cycles = 0;
};
/// All but the rows `outside`; phases without time are left out.
std::vector<KernelPhase> phases_of(const KernelRows& rows);

} // namespace numavp
