/// XML as a tree of elements, read by Expat. Nothing is fetched and no entity is expanded but the five of XML itself:
/// a DOCTYPE may name a file, which is not read; one with declarations inside is refused.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace numavp {

struct XmlElement {
    std::string name;
    std::vector<std::pair<std::string, std::string>> attributes;
    std::vector<XmlElement> children;
    std::string text; ///< of this element alone
    std::size_t line = 0;

    /// Null if there is none.
    const std::string* attribute(const char* name) const;
    /// Empty if there is none.
    std::string value(const char* name) const;
};

/// Bounds of what is read; beyond them a file is refused.
struct XmlLimits {
    std::size_t depth = 200, elements = 500'000;
};

/// The root element of `text`, which `file` holds. ConfigError with file and line of what is wrong.
XmlElement read_xml(const std::string& text, const std::string& file, const XmlLimits& limits = {});

} // namespace numavp
