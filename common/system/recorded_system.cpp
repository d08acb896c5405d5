#include "common/system/recorded_system.h"

#include "common/system/system_config.h"

namespace numavp {

ConfigDocument resolved_document(const json& configuration, const std::string& file) {
    ConfigDocument document{file, configuration, {}};
    json& value = document.value;
    if (!value.is_object()) return document;
    const auto parts = value.find("parts");
    if (parts != value.end() && parts->is_array() && !parts->empty()) value.erase("sockets"); // follows from them
    return document;
}

SystemConfig recorded_config(const json& configuration, const Place& place) {
    return read_config<SystemConfig>(resolved_document(configuration, "").value, place);
}

} // namespace numavp
