#include "communication/import/xml_tree.h"

#include <algorithm>
#include <expat.h>
#include <memory>

#include <fmt/format.h>

#include "base/values/error.h"
#include "base/values/name_table.h"

namespace numavp {

namespace {
/// Expat 2.9 counts lines in 64 bits, and deprecates the other count.
std::size_t line_of(XML_Parser parser) {
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9
    return XML_GetCurrentLineNumber64(parser);
#else
    return XML_GetCurrentLineNumber(parser);
#endif
}

/// State that Expat's callbacks fill in. As C functions they may not throw: an error is stored, and parsing stops.
struct XmlState {
    XML_Parser parser = nullptr;
    XmlLimits limits;
    XmlElement root;
    std::vector<XmlElement*> open; ///< from the root to the innermost; its children are not moved while it is open
    std::size_t elements = 0;
    std::string fault;
    std::size_t fault_line = 0;

    void stop(std::string what) {
        if (!fault.empty()) return;
        fault = std::move(what);
        fault_line = line_of(parser);
        XML_StopParser(parser, XML_FALSE);
    }
};

/// No exception may pass through Expat.
template <class F> void stopping_at_faults(void* user, F act) {
    auto& state = *static_cast<XmlState*>(user);
    if (!state.fault.empty()) return;
    try {
        act(state);
    } catch (const std::exception&) {
        state.stop("there is not enough memory for it; a smaller file is expected");
    }
}

void begin_element(void* user, const XML_Char* name, const XML_Char** attributes) {
    stopping_at_faults(user, [&](XmlState& state) {
        if (state.open.size() >= state.limits.depth)
            return state.stop(fmt::format("elements lie more than {} deep; that many are allowed", state.limits.depth));
        if (++state.elements > state.limits.elements)
            return state.stop(
                fmt::format("there are more than {} elements; that many are allowed", state.limits.elements));
        XmlElement* element = &state.root;
        if (!state.open.empty()) {
            state.open.back()->children.emplace_back();
            element = &state.open.back()->children.back();
        }
        element->name = name;
        element->line = line_of(state.parser);
        for (; *attributes != nullptr; attributes += 2) element->attributes.emplace_back(attributes[0], attributes[1]);
        state.open.push_back(element);
    });
}

void end_element(void* user, const XML_Char* /*name*/) {
    stopping_at_faults(user, [](XmlState& state) { state.open.pop_back(); });
}

void characters(void* user, const XML_Char* text, int length) {
    stopping_at_faults(user, [&](XmlState& state) {
        if (!state.open.empty()) state.open.back()->text.append(text, static_cast<std::size_t>(length));
    });
}

void begin_doctype(void* user, const XML_Char* /*name*/, const XML_Char* /*file*/, const XML_Char* /*id*/,
                   int has_internal_subset) {
    stopping_at_faults(user, [&](XmlState& state) {
        if (has_internal_subset != 0)
            state.stop("the DOCTYPE has declarations of its own, such as entities; one that only names a file is "
                       "allowed, as hwloc writes it");
    });
}

/// References to entities that a file outside would declare: Expat passes them over without a word.
void refuse_entities(const std::string& text, const std::string& file) {
    for (std::size_t at = text.find('&'); at != std::string::npos; at = text.find('&', at + 1)) {
        const std::size_t end = std::min(text.find(';', at), at + 32);
        const std::string name = text.substr(at + 1, end == std::string::npos ? 0 : end - at - 1);
        const bool known = name == "amp" || name == "lt" || name == "gt" || name == "quot" || name == "apos" ||
                           (name.size() > 1 && name[0] == '#');
        if (known) continue;
        const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
        throw ConfigError(fmt::format("{}: line {}", file, line),
                          fmt::format("'&{}' is an entity of the file's own; &amp; &lt; &gt; &quot; &apos; and numbers "
                                      "are allowed",
                                      quotable(name)));
    }
}

} // namespace

const std::string* XmlElement::attribute(const char* wanted) const {
    for (const auto& [key, content] : attributes)
        if (key == wanted) return &content;
    return nullptr;
}

std::string XmlElement::value(const char* wanted) const {
    const std::string* found = attribute(wanted);
    return found == nullptr ? std::string() : *found;
}

XmlElement read_xml(const std::string& text, const std::string& file, const XmlLimits& limits) {
    const std::unique_ptr<XML_ParserStruct, void (*)(XML_Parser)> parser(XML_ParserCreate(nullptr), XML_ParserFree);
    if (!parser) throw ConfigError(file, "there is not enough memory to read it; a smaller file is expected");
    XmlState state;
    state.parser = parser.get();
    state.limits = limits;
    XML_SetUserData(parser.get(), &state);
    XML_SetElementHandler(parser.get(), begin_element, end_element);
    XML_SetCharacterDataHandler(parser.get(), characters);
    XML_SetStartDoctypeDeclHandler(parser.get(), begin_doctype);
    XML_SetParamEntityParsing(parser.get(), XML_PARAM_ENTITY_PARSING_NEVER);

    constexpr std::size_t kPiece = 1 << 20; // Expat counts in int
    XML_Status status = XML_STATUS_OK;
    for (std::size_t from = 0; status == XML_STATUS_OK;) {
        const std::size_t length = std::min(kPiece, text.size() - from);
        const bool last = from + length == text.size();
        status = XML_Parse(parser.get(), text.data() + from, static_cast<int>(length), last ? 1 : 0);
        from += length;
        if (last) break;
    }
    if (!state.fault.empty()) throw ConfigError(fmt::format("{}: line {}", file, state.fault_line), state.fault);
    if (status == XML_STATUS_ERROR) {
        const XML_Error error = XML_GetErrorCode(parser.get());
        const std::string place = fmt::format("{}: line {}", file, line_of(parser.get()));
        if (error == XML_ERROR_NO_ELEMENTS || error == XML_ERROR_UNCLOSED_TOKEN ||
            error == XML_ERROR_UNCLOSED_CDATA_SECTION || error == XML_ERROR_PARTIAL_CHAR)
            throw ConfigError(place,
                              "the XML ends too early; a whole file is expected, with the end of its first element");
        throw ConfigError(place,
                          fmt::format("this is no sound XML ({}); a file as lstopo or NCCL writes it is expected",
                                      XML_ErrorString(error)));
    }
    refuse_entities(text, file);
    return std::move(state.root);
}

} // namespace numavp
