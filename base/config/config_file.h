/// Configuration files: JSON without comments, `extends`, and overrides from the command line.
///
/// Every error is a ConfigError that names the file and the line or JSON path. Keys are not interpreted here: their
/// meaning and existence is checked by `read_config` (base/config/config.h).
#pragma once

#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include "base/config/config_place.h"

namespace numavp {

using nlohmann::json;
using nlohmann::ordered_json;

/// A configuration as written: merged from a file, those that it extends, and overrides.
struct ConfigDocument {
    std::string file; ///< the file that was asked for
    json value;
    Origins origins; ///< source of each value

    Place place() const { return {file, "$", &origins}; }
};

/// Parses a file. No comments, no key twice in an object, at most 64 levels, at most 64 MiB.
json load_json_file(const std::string& path);

/// Parses `text` as the content of `file`, by the same rules.
json parse_json(const std::string& text, const std::string& file);

/// Loads a configuration file. The file that its top-level "extends" names (a path relative to its folder; ".json" may
/// be left out) is loaded first, then this one is merged into it by RFC 7386: objects are merged, null removes,
/// anything else replaces. "extends" and an editor's "$schema" are removed from the result.
/// With `find_named` an object may also "use" a file: its content replaces what earlier files had at this place, and
/// then the object's own members are merged into it. Names in "extends" and "use" are looked for beside the file first,
/// then by calling `find_named` with "NAME" (for "extends") or "parts/NAME" (for "use"); it returns a path, or "" if it
/// finds none.
using FindNamed = std::function<std::string(const std::string& name)>;
ConfigDocument load_document(const std::string& path, const FindNamed& find_named = {});

/// Loads a file as load_document() does, but does not record which file each value comes from.
json load_with_extends(const std::string& path, const FindNamed& find_named = {});

/// Applies "socket.l2.ways=8", "links[0].lanes=4" or, of an element that has a name, "links.nvlink.lanes=4": the value
/// is JSON, or else a string. Missing objects are created, so that a misspelt path is found by the strict reader; an
/// element must exist. Returns the JSON path of what was set, such as $.links[0].lanes.
std::string set_path(ConfigDocument& document, const std::string& assignment);
std::string set_path(json& value, const std::string& assignment);

} // namespace numavp
