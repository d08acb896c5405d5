#include "base/config/config_writer.h"

namespace numavp {

namespace {
/// "", "gpu", "gpu[2]", "gpu[0..3]".
constexpr const char* kPartsPattern = R"(^([a-z][a-z0-9_]*(\[[0-9]+(\.\.[0-9]+)?\])?)?$)";
} // namespace

ordered_json Dumper::difference(const ordered_json& value, const ordered_json& base) {
    ordered_json out = ordered_json::object();
    for (const auto& [key, member] : value.items()) {
        const auto other = base.find(key);
        if (other == base.end()) // an optional object that only this range has
            out[key] = member;
        else if (member != *other)
            out[key] = member.is_object() ? difference(member, *other) : member;
    }
    return out;
}

SchemaWriter::SchemaWriter(ordered_json defaults) : defaults_(std::move(defaults)) {}

ordered_json SchemaWriter::take() {
    ordered_json schema = {{"type", "object"}, {"additionalProperties", false}, {"properties", std::move(properties_)}};
    if (instance_.is_null()) return schema;
    // A schema can't know the names that a file gives to its parts: every name may be one that no property has.
    std::string properties = "extends|use"; // what files may have besides
    for (const auto& [name, unused] : schema["properties"].items()) properties += "|" + name;
    schema["patternProperties"][fmt::format(R"(^(?!({})$)[a-z][a-z0-9_]*(\[[0-9]+(\.\.[0-9]+)?\])?$)", properties)] =
        std::move(instance_);
    return schema;
}

void SchemaWriter::boolean(const char* name, bool& /*field*/, const char* doc) {
    add(name, {{"type", "boolean"}}, doc);
}

void SchemaWriter::text(const char* name, std::string& /*field*/, const char* doc) {
    add(name, {{"type", "string"}}, doc);
}

void SchemaWriter::parts(const char* name, std::string& /*field*/, const char* doc) {
    add(name, {{"type", "string"}, {"pattern", kPartsPattern}}, doc);
}

void SchemaWriter::add(const char* name, ordered_json schema, const std::string& doc) {
    if (properties_.contains(name)) throw ModelError(fmt::format("a field list has '{}' twice", name));
    const ordered_json& value = defaults_.at(name);
    if (schema.contains("minimum") && (value < schema["minimum"] || value > schema["maximum"]))
        throw ModelError(fmt::format("the default {} of '{}' is out of its range", value.dump(), name));
    ordered_json described = {{"title", name}, {"description", doc}};
    described.update(schema);
    if (!value.is_object()) described["default"] = value;
    properties_[name] = std::move(described);
}

} // namespace numavp
