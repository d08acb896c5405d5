#include "platform/machine/machine_file.h"

#include <fmt/format.h>

namespace numavp {

namespace {
constexpr const char* kNamedMembers[] = {"parts", "links"};

/// Reads the members of an object as a T each, under their names.
template <class T>
std::vector<std::pair<std::string, T>> read_named(const json& value, const char* member, const Place& place) {
    std::vector<std::pair<std::string, T>> all;
    const auto found = value.find(member);
    if (found == value.end()) return all;
    if (!found->is_object())
        throw ConfigError(place.at(member), "this is not an object; names and what they stand for are expected");
    for (const auto& [name, described] : found->items()) {
        T one;
        read_object(one, described, place.at(member).at(name));
        all.emplace_back(name, one);
    }
    return all;
}

template <class T> ordered_json dump_named(std::vector<std::pair<std::string, T>> all) {
    ordered_json value = ordered_json::object();
    for (auto& [name, one] : all) value[name] = dump_object(one);
    return value;
}

template <class T> ordered_json named_schema(const char* doc) {
    T defaults;
    return {{"type", "object"}, {"additionalProperties", schema_of_object(defaults)}, {"description", doc}};
}
} // namespace

bool is_machine(const json& value) {
    if (!value.is_object()) return false;
    const auto parts = value.find("parts"); // a system has a list of them
    return value.contains("networks") || (parts != value.end() && parts->is_object() && value.contains("links"));
}

MachineFile read_machine(const ConfigDocument& document) {
    const Place place = document.place();
    if (!document.value.is_object()) throw ConfigError(place, "this is not an object; a machine is expected");
    json rest = document.value;
    for (const char* member : kNamedMembers) rest.erase(member);
    MachineFile machine;
    read_object(machine, rest, place);
    machine.parts = read_named<MachinePart>(document.value, "parts", place);
    machine.links = read_named<MachineLink>(document.value, "links", place);
    return machine;
}

ordered_json machine_schema() {
    ordered_json schema = file_schema_of<MachineFile>("numavp machine");
    schema["properties"]["parts"] = named_schema<MachinePart>("Kinds of parts by name, and how many of each.");
    schema["properties"]["links"] = named_schema<MachineLink>("Kinds of links by name.");
    return schema;
}

ordered_json dump_machine(const MachineFile& machine) {
    ordered_json value = dump_config(machine);
    value["parts"] = dump_named(machine.parts);
    value["links"] = dump_named(machine.links);
    return value;
}

} // namespace numavp
