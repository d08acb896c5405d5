/// Configuration structs: one field list each, from which reading, dumping and the JSON Schema follow.
///
///     struct LinkConfig {
///         std::uint32_t lanes = 8;
///         Balancer balancer = Balancer::dynamic;
///         void validate(const Place& place) const;   // optional: what concerns several fields; throws ConfigError
///     };
///     template <class V> void describe(V& v, LinkConfig& c) {   // found by ADL, beside the struct
///         v.integer("lanes", c.lanes, 1, 64, "lanes", "Lanes each way (NUMA-aware GPUs, Table 1).");
///         v.choice("balancer", c.balancer, kBalancerNames, "Who turns lanes.");
///     }
///
/// Fields are `integer`, `real`, `boolean`, `text`, `choice` (an enum with a NameTable), `object` (a struct with a list
/// of its own), `optional` (such a struct that dumps may lack), `list` (a vector of such structs), `integers` (a vector
/// of integers) and `instances` (what single ones of several parts have instead of such a struct). A field that a file
/// leaves out keeps the struct's default. What the struct does not have, or has in another type or range, is a
/// ConfigError.
#pragma once

#include <string>
#include <type_traits>
#include <utility>

#include "models/base/config_file.h"
#include "models/base/config_place.h"
#include "models/base/config_reader.h"
#include "models/base/config_writer.h"
#include "models/base/error.h"
#include "models/base/name_table.h"

namespace numavp {

/// The T that `value` (an object, found at `place`) describes, with T's defaults for what it leaves out.
template <class T> T read_config(const json& value, const Place& place) {
    T result;
    read_object(result, value, place);
    return result;
}

/// The same from a loaded file; errors name the file or the `--set` that wrote the wrong value.
template <class T> T read_config(const ConfigDocument& document) {
    return read_config<T>(document.value, document.place());
}

/// All fields of `config` in declared order, defaults included. `read_config` of it gives `config` again.
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

/// The same for files that `load_document` loads: they may have "extends" and name their schema.
template <class T> ordered_json file_schema_of(const std::string& title = "") {
    ordered_json schema = schema_of<T>(title);
    schema["properties"]["$schema"] = {{"type", "string"}, {"description", "The schema of this file, for editors."}};
    schema["properties"]["extends"] = {
        {"type", "string"},
        {"description", "A file, relative to this one's folder, whose values hold where this file says nothing."}};
    return schema;
}

} // namespace numavp
