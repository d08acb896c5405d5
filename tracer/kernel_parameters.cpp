#include "tracer/kernel_parameters.h"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace numavp::tracer {
namespace {

std::string demangled(const std::string& symbol) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> plain(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                       std::free);
    return status == 0 ? plain.get() : "";
}

/// The text in the last brackets that close at the end of a demangled name; empty if it has none.
std::string parameters_of(const std::string& name) {
    if (name.empty() || name.back() != ')') return "";
    int depth = 0;
    for (std::size_t at = name.size(); at-- > 0;) {
        depth += name[at] == ')' ? 1 : name[at] == '(' ? -1 : 0;
        if (depth == 0) return name.substr(at + 1, name.size() - at - 2);
    }
    return "";
}

bool is_pointer(const std::string& type) {
    const std::size_t last = type.find_last_not_of(' ');
    if (last == std::string::npos) return false;
    if (type[last] == '*') return true;
    const std::string restricted = "* __restrict__", restricted_too = "*__restrict";
    return type.size() >= restricted.size() &&
           (type.find(restricted) != std::string::npos || type.find(restricted_too) != std::string::npos);
}

/// "float const*" points to what is const; "float* const" does not.
bool points_to_const(const std::string& type) {
    const std::size_t star = type.find_last_of('*');
    return type.substr(0, star).find("const") != std::string::npos;
}

} // namespace

std::vector<PointerParameter> pointer_parameters(const std::string& symbol) {
    const std::string list = parameters_of(demangled(symbol));
    std::vector<PointerParameter> found;
    unsigned position = 0;
    int depth = 0;
    std::string type;
    for (std::size_t at = 0; at <= list.size(); ++at) {
        const char c = at < list.size() ? list[at] : ',';
        depth += c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
        if (c != ',' || depth != 0) {
            type += c;
            continue;
        }
        if (is_pointer(type)) found.push_back({position, !points_to_const(type)});
        ++position;
        type.clear();
    }
    return found;
}

} // namespace numavp::tracer
