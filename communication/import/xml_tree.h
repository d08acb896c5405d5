/// XML as a tree of elements, read by Expat. No file is fetched and only the five entities of XML itself are expanded:
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

    /// Value of an attribute; null if there is none of that name.
    const std::string* attribute(const char* name) const;
    /// Value of an attribute; empty if there is none of that name.
    std::string value(const char* name) const;
};

/// Limits of depth and number of elements; a file beyond them is refused.
struct XmlLimits {
    std::size_t depth = 200, elements = 500'000;
};

/// Parses `text`, the content of `file`, and returns its root element. ConfigError with file and line.
XmlElement read_xml(const std::string& text, const std::string& file, const XmlLimits& limits = {});

} // namespace numavp
