/// Parameters of a kernel that are pointers, from its mangled name: what it may read and write.
#pragma once

#include <string>
#include <vector>

namespace numavp::tracer {

struct PointerParameter {
    unsigned position = 0; ///< among all parameters
    bool written = true;   ///< false: it points to what is const
};

/// None for a name without parameters, such as that of an extern "C" kernel.
std::vector<PointerParameter> pointer_parameters(const std::string& symbol);

} // namespace numavp::tracer
