// Members of a workload file that are objects of their own.
#include "sw/workloads/workload_file.h"

namespace numavp {

void read_object(RawJson& field, const json& value, const Place& place) {
    if (!value.is_object()) throw ConfigError(place, "is not an object; an object { } is expected");
    field.value = value;
}

void read_object(ArrayNames& field, const json& value, const Place& place) {
    if (!value.is_object()) throw ConfigError(place, "is not an object; an object { } is expected");
    for (const auto& [role, name] : value.items()) {
        if (!name.is_string() || name.get_ref<const std::string&>().empty())
            throw ConfigError(place.at(role), "is not a string; the name of an array is expected");
        field.names[role] = name.get<std::string>();
    }
}

void read_object(GpuOfArrays& field, const json& value, const Place& place) {
    if (!value.is_object()) throw ConfigError(place, "is not an object; an object { } is expected");
    for (const auto& [name, gpu] : value.items()) {
        if (!gpu.is_number_integer() || gpu.get<std::int64_t>() < 0 || gpu.get<std::int64_t>() >= kAnyGpu)
            throw ConfigError(place.at(name), "is not the number of a GPU; a whole number from 0 is expected");
        field.gpus[name] = gpu.get<std::uint32_t>();
    }
}

void read_object(Notes& field, const json& value, const Place& place) {
    if (!value.is_array()) throw ConfigError(place, "is not a list; a list of sentences is expected");
    for (const json& line : value) {
        if (!line.is_string())
            throw ConfigError(place.at(field.lines.size()), "is not a string; a sentence is expected");
        field.lines.push_back(line.get<std::string>());
    }
}

ordered_json dump_object(RawJson& field) { return field.value; }
ordered_json dump_object(ArrayNames& field) { return field.names; }
ordered_json dump_object(GpuOfArrays& field) { return field.gpus; }
ordered_json dump_object(Notes& field) { return field.lines; }
ordered_json schema_of_object(RawJson& /*field*/) { return {{"type", "object"}}; }
ordered_json schema_of_object(ArrayNames& /*field*/) {
    return {{"type", "object"}, {"additionalProperties", {{"type", "string"}}}};
}
ordered_json schema_of_object(GpuOfArrays& /*field*/) {
    return {{"type", "object"}, {"additionalProperties", {{"type", "integer"}, {"minimum", 0}}}};
}
ordered_json schema_of_object(Notes& /*field*/) { return {{"type", "array"}, {"items", {{"type", "string"}}}}; }

} // namespace numavp
