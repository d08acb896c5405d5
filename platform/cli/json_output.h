/// What --json prints: each output has a name, the number of its format and a JSON Schema (`numavp schema NAME`).
///
/// A new member leaves the number; a member that goes, or means something else, makes the next number.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/config/config_file.h"

namespace numavp {

struct JsonOutput {
    std::string_view name;    ///< "study-show"
    std::string_view command; ///< "study show --json"
    unsigned format;
    std::string_view shape; ///< as schema_of_shape takes it
};

/// In the order of `numavp --help`.
const std::vector<JsonOutput>& json_outputs();
/// Null if there is none of that name.
const JsonOutput* find_json_output(std::string_view name);

/// `value` as the output of that name prints it: on one line, with `format` first. A list has no room for a number.
std::string json_line(std::string_view name, const ordered_json& value);
/// With `format` first, for outputs that are printed otherwise.
ordered_json with_format(std::string_view name, const ordered_json& value);

ordered_json json_output_schema(const JsonOutput& output);

/// A shape is an example of the JSON with a type in the place of each value: "text", "count", "number", "boolean",
/// "any", each also with ? for null. A member whose name ends with ? may be missing; that of * is of all other members;
/// the element of a list is that of all of its elements.
ordered_json schema_of_shape(const ordered_json& shape);

} // namespace numavp
