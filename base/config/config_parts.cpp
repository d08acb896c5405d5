#include "base/config/config_parts.h"

#include <utility>

namespace numavp {
namespace {

void allow_parts(ordered_json& schema, bool here) {
    if (!schema.is_object() || !schema.contains("properties")) return;
    for (const char* members : {"properties", "patternProperties"})
        if (const auto found = schema.find(members); found != schema.end())
            for (auto& [name, member] : found->items()) allow_parts(member, true);
    if (here)
        schema["properties"]["use"] = {
            {"type", "string"},
            {"description", "A file of configs/parts, or one relative to this file's folder, whose values hold where "
                            "this object says nothing."}};
}

/// A file takes out what an extended one has by null (RFC 7386).
void allow_null(ordered_json& schema) {
    for (const char* members : {"properties", "patternProperties"}) {
        const auto found = schema.find(members);
        if (found == schema.end()) continue;
        for (auto& [name, member] : found->items()) {
            allow_null(member);
            if (member.contains("enum")) member["enum"].push_back(nullptr);
            if (member.contains("type") && member["type"].is_string()) member["type"] = {member["type"], "null"};
        }
    }
}

} // namespace

ordered_json with_parts(ordered_json schema) {
    allow_parts(schema, false);
    allow_null(schema);
    return schema;
}

} // namespace numavp
