#include "platform/study/study_values.h"

#include <algorithm>
#include <cmath>

#include "base/values/error.h"

namespace numavp {
namespace {

void check_plain(const json& value, const Place& place) {
    if (value.is_structured() || value.is_null())
        throw ConfigError(place, "this is not a plain value; a number, a truth value or a word is expected");
}

} // namespace

bool WordList::has(const std::string& word) const { return std::find(words.begin(), words.end(), word) != words.end(); }

void read_object(SettingMap& field, const json& value, const Place& place) {
    if (!value.is_object())
        throw ConfigError(place, R"(this is not an object; settings like {"link.lane_gbps": 16} are expected)");
    field.values.clear();
    for (const auto& [path, setting] : value.items()) {
        check_plain(setting, place.at(path));
        if (path.find('=') != std::string::npos)
            throw ConfigError(place.at(path), "a path has no '='; the value is expected behind the ':'");
        field.values.emplace_back(path, setting);
    }
}

void read_object(WordList& field, const json& value, const Place& place) {
    if (!value.is_array()) throw ConfigError(place, "this is not a list; a list of words is expected");
    field.words.clear();
    field.given = true;
    for (const json& word : value) {
        if (!word.is_string() || word.get_ref<const std::string&>().empty())
            throw ConfigError(place.at(field.words.size()), "this is not a word; a word in \" \" is expected");
        field.words.push_back(word.get<std::string>());
    }
}

void read_object(ValueList& field, const json& value, const Place& place) {
    if (!value.is_array()) throw ConfigError(place, "this is not a list; a list of values is expected");
    field.values.clear();
    for (const json& element : value) {
        check_plain(element, place.at(field.values.size()));
        field.values.push_back(element);
    }
}

void read_object(OptionalReal& field, const json& value, const Place& place) {
    if (!value.is_number()) throw ConfigError(place, "this is not a number; a number is expected");
    field.value = value.get<double>();
}

ordered_json dump_object(SettingMap& field) {
    ordered_json dumped = ordered_json::object();
    for (const auto& [path, value] : field.values) dumped[path] = value;
    return dumped;
}
ordered_json dump_object(WordList& field) { return field.words; }
ordered_json dump_object(ValueList& field) { return field.values; }
ordered_json dump_object(OptionalReal& field) { return field.value ? ordered_json(*field.value) : ordered_json(); }

namespace {
ordered_json plain_schema() { return {{"type", {"number", "boolean", "string"}}}; }
} // namespace

ordered_json schema_of_object(SettingMap& /*field*/) {
    return {{"type", "object"}, {"additionalProperties", plain_schema()}};
}
ordered_json schema_of_object(WordList& /*field*/) { return {{"type", "array"}, {"items", {{"type", "string"}}}}; }
ordered_json schema_of_object(ValueList& /*field*/) { return {{"type", "array"}, {"items", plain_schema()}}; }
ordered_json schema_of_object(OptionalReal& /*field*/) { return {{"type", "number"}}; }

void check_utf8(const std::string& name, const std::string& place) {
    try {
        static_cast<void>(json(name).dump());
    } catch (const json::exception&) {
        throw ConfigError(place, "its name is not UTF-8; another name is expected");
    }
}

std::string label_of(const json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

} // namespace numavp
