/// Sets of numbers of CPUs and NUMA nodes, in the three notations of topology files.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace numavp {

/// Numbers of CPUs or NUMA nodes. `rest`: all numbers above the largest too, which hwloc writes as "0xf...f".
struct IdSet {
    std::set<unsigned> ids;
    bool rest = false;

    bool empty() const { return ids.empty() && !rest; }
    bool meets(const IdSet& other) const;
    bool holds(const IdSet& other) const;
    /// Text such as "0-3,8".
    std::string text() const;
};

/// Numbers above this are refused.
inline constexpr unsigned kMostIds = 65'536;

/// Parses hwloc's "0x00000303,,0x3": words of 32 bits, the highest first. None if it has another form.
std::optional<IdSet> id_set_of_mask(std::string_view text);
/// Parses "0-0,8-8,16" of nvidia-smi and numactl; none if it has another form.
std::optional<IdSet> id_set_of_list(std::string_view text);
/// Parses a whole number of at most `most`; none if it is something else.
std::optional<unsigned> small_number(std::string_view text, unsigned most = kMostIds);

} // namespace numavp
