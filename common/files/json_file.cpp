#include "common/files/json_file.h"

#include <algorithm>
#include <fstream>

#include "base/values/error.h"

namespace numavp {
namespace {

void write(const ordered_json& value, unsigned indent, std::string& out) {
    const bool object = value.is_object();
    const bool flat =
        !value.is_structured() || value.empty() ||
        (!object && std::none_of(value.begin(), value.end(), [](const auto& v) { return v.is_structured(); }));
    if (flat) {
        out += value.dump();
        return;
    }
    out += object ? '{' : '[';
    bool first = true;
    for (const auto& [key, member] : value.items()) {
        out += first ? "\n" : ",\n";
        first = false;
        out.append(indent + 1, ' ');
        if (object) out += ordered_json(key).dump() + ": ";
        write(member, indent + 1, out);
    }
    out += '\n';
    out.append(indent, ' ');
    out += object ? '}' : ']';
}

} // namespace

ordered_json read_ordered_json(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw ConfigError(path, "it can't be read; a file of results is expected");
    try {
        return ordered_json::parse(in);
    } catch (const ordered_json::exception&) {
        throw ConfigError(path, "this is not JSON; a file that numavp wrote is expected");
    }
}

std::string json_text(const ordered_json& value) {
    std::string out;
    write(value, 0, out);
    return out + "\n";
}

std::string printable(const std::string& text) {
    return ordered_json::parse(ordered_json(text).dump(-1, ' ', false, ordered_json::error_handler_t::replace))
        .get<std::string>();
}

} // namespace numavp
