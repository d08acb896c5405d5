/// Types of fields that only studies have: settings by path, lists of words, lists of any values, optional
/// numbers.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/config/config_file.h"

namespace numavp {

/// Settings of a system by path, in the order of the paths: {"link.sample_cycles": 1000}. Values are scalars.
struct SettingMap {
    std::vector<std::pair<std::string, json>> values;
};
/// A list of words. `given` distinguishes an empty list from a missing one.
struct WordList {
    std::vector<std::string> words;
    bool given = false;
    bool has(const std::string& word) const;
};
/// A list of plain values.
struct ValueList {
    std::vector<json> values;
};
/// A number that may be missing.
struct OptionalReal {
    std::optional<double> value;
};

void read_object(SettingMap& field, const json& value, const Place& place);
void read_object(WordList& field, const json& value, const Place& place);
void read_object(ValueList& field, const json& value, const Place& place);
void read_object(OptionalReal& field, const json& value, const Place& place);
ordered_json dump_object(SettingMap& field);
ordered_json dump_object(WordList& field);
ordered_json dump_object(ValueList& field);
ordered_json dump_object(OptionalReal& field);
ordered_json schema_of_object(SettingMap& field);
ordered_json schema_of_object(WordList& field);
ordered_json schema_of_object(ValueList& field);
ordered_json schema_of_object(OptionalReal& field);

/// ConfigError unless a file's name is valid UTF-8, so that results can contain it.
void check_utf8(const std::string& name, const std::string& place);

/// A plain value as a label: 5000, true, static.
std::string label_of(const json& value);

} // namespace numavp
