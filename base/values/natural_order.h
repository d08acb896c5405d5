/// Order of names as people read them: runs of digits compare as numbers, so that socket2 comes before socket10.
#pragma once

#include <string_view>

namespace numavp {

/// Negative, 0 or positive as `a` comes before, is, or comes after `b`. Only equal names give 0: where numbers
/// are equal (7 and 007), the plain order of characters decides.
int compare_natural(std::string_view a, std::string_view b);

/// Comparison for ordered containers.
struct NaturalLess {
    using is_transparent = void;
    bool operator()(std::string_view a, std::string_view b) const { return compare_natural(a, b) < 0; }
};

} // namespace numavp
