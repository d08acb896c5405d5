/// Configuration structs: one field list each, from which reading, dumping and the JSON Schema follow.
///
///     struct LinkConfig {
///         std::uint32_t lanes = 8;
///         Balancer balancer = Balancer::dynamic;
///         void validate(const Place& place) const;   // optional: checks across fields; throws ConfigError
///     };
///     template <class V> void describe(V& v, LinkConfig& c) {   // found by ADL, beside the struct
///         v.integer("lanes", c.lanes, 1, 64, "lanes", "Lanes each way (NUMA-aware GPUs, Table 1).");
///         v.choice("balancer", c.balancer, kBalancerNames, "Policy that turns lanes.");
///     }
///
/// Fields are `integer`, `real`, `boolean`, `text`, `choice` (an enum with a NameTable), `object` (a struct with its
/// own field list), `optional` (such a struct that a dump may omit), `list` (a vector of such structs), `integers` (a
/// vector of integers) and `instances` (structs for single ones of several equal parts, in the place of the common
/// one). A field that a file omits keeps the struct's default. A key that the struct does not have, or a value of
/// another type or out of range, is a ConfigError.
#pragma once

#include <string>
#include <type_traits>
#include <utility>

#include "base/config/config_file.h"
#include "base/config/config_place.h"
#include "base/config/config_reader.h"
#include "base/config/config_writer.h"
#include "base/values/error.h"
#include "base/values/name_table.h"

namespace numavp {

/// Reads a T from `value`, an object found at `place`; fields that it omits keep the defaults of T.
template <class T> T read_config(const json& value, const Place& place) {
    T result;
    read_object(result, value, place);
    return result;
}

/// The same for a loaded file; errors name the file or the `--set` that wrote the wrong value.
template <class T> T read_config(const ConfigDocument& document) {
    return read_config<T>(document.value, document.place());
}

/// JSON of `config`: all fields in declared order, defaults included. `read_config` of it gives `config` again.
template <class T> ordered_json dump_config(const T& config) {
    T copy = config; // the field list is written for structs that may be filled in
    return dump_object(copy);
}

/// JSON Schema (draft 2020-12) of the objects that `read_config<T>` takes.
template <class T> ordered_json schema_of(const std::string& title = "") {
    ordered_json schema;
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
    if (!title.empty()) schema["title"] = title;
    T defaults;
    schema.update(schema_of_object(defaults));
    return schema;
}

/// The same for files that are read by `load_document`: these may have "extends" and "$schema".
template <class T> ordered_json file_schema_of(const std::string& title = "") {
    ordered_json schema = schema_of<T>(title);
    schema["properties"]["$schema"] = {{"type", "string"}, {"description", "The schema of this file, for editors."}};
    schema["properties"]["extends"] = {
        {"type", "string"},
        {"description", "A file, relative to this one's folder, whose values hold where this file says nothing."}};
    return schema;
}

} // namespace numavp
