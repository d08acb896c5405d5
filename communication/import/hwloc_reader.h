/// hwloc's XML (lstopo machine.xml), of versions 1, 2 and 3.
#pragma once

#include <string>

#include "communication/import/found_machine.h"
#include "communication/import/xml_tree.h"

namespace numavp {

/// Makes a machine of `text`, the content of `file`. ConfigError with file and line.
FoundMachine read_hwloc(const std::string& text, const std::string& file);
/// The same of its root element.
FoundMachine read_hwloc(const XmlElement& root, const std::string& file);

} // namespace numavp
