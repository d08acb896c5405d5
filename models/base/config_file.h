/// Configuration files: JSON without comments, `extends`, and overrides from the command line.
///
/// Every fault is a ConfigError that names the file and the line or JSON path. Nothing is interpreted here: what keys
/// mean and whether they exist is for `read_config` (models/base/config.h).
#pragma once

#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include "models/base/config_place.h"

namespace numavp {

using nlohmann::json;
using nlohmann::ordered_json;

/// A configuration as written: merged from a file, those that it extends, and overrides.
struct ConfigDocument {
    std::string file; ///< the file that was asked for
    json value;
    Origins origins; ///< who wrote what

    Place place() const { return {file, "$", &origins}; }
};

/// Parses a file. No comments, no key twice in an object, at most 64 levels, at most 64 MiB.
json load_json_file(const std::string& path);

/// Parses `text` as the content of `file`, by the same rules.
json parse_json(const std::string& text, const std::string& file);

/// Loads a file whose top-level "extends" (a file, or its name without ".json", relative to the file's folder) is
/// loaded first and then merged by RFC 7386: objects are merged, null removes, anything else replaces.
/// "extends" and an editor's "$schema" are taken out of the result.
/// With `find_named` an object may "use" a file: what that holds takes the place of what files before had there, and
/// the object's own members are merged over it. What "extends" and "use" name is looked for beside the file first, then
/// asked of `find_named`, which gives a path or
/// "": of "NAME" for a file to extend, of "parts/NAME" for one to use.
using FindNamed = std::function<std::string(const std::string& name)>;
ConfigDocument load_document(const std::string& path, const FindNamed& find_named = {});

/// The same without the record of who wrote what.
json load_with_extends(const std::string& path, const FindNamed& find_named = {});

/// Applies "socket.l2.ways=8" or "links[0].lanes=4": the value is JSON, or else a string. Missing objects are made,
/// so that a misspelt path is found by the strict reader; an index must exist.
void set_path(ConfigDocument& document, const std::string& assignment);
void set_path(json& value, const std::string& assignment);

} // namespace numavp
