#include "communication/import/machine_writer.h"

namespace numavp {

std::string plain_name(const std::string& text) {
    std::string out;
    for (const char c : text) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        const char small = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        if (letter || small != c)
            out += small;
        else if (!out.empty() && out.back() != '-')
            out += '-';
    }
    while (!out.empty() && out.back() == '-') out.pop_back();
    return out.substr(0, 64);
}

std::string machine_text(const ordered_json& system) {
    const auto list = [](const ordered_json& items) {
        std::string text = "[";
        for (std::size_t i = 0; i < items.size(); ++i) text += (i == 0 ? "\n      " : ",\n      ") + items[i].dump();
        return text + "]";
    };
    std::string text = "{";
    for (auto member = system.begin(); member != system.end(); ++member) {
        text += (member == system.begin() ? "\n  " : ",\n  ") + json(member.key()).dump() + ": ";
        if (member.key() != "network") {
            text += member.value().dump();
            continue;
        }
        text += "{";
        bool first = true;
        for (auto inner = member.value().begin(); inner != member.value().end(); ++inner) {
            text += (first ? "\n    " : ",\n    ") + json(inner.key()).dump() + ": " +
                    (inner.value().is_array() ? list(inner.value()) : inner.value().dump());
            first = false;
        }
        text += "\n  }";
    }
    return text + "\n}\n";
}

} // namespace numavp
