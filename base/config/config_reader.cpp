#include "base/config/config_reader.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/values/error.h"

namespace numavp {
namespace {

/// A value as an error shows it: on one line, and not all of a long one.
std::string shown(const json& value) {
    constexpr std::size_t kLongest = 48;
    if (value.is_object()) return "an object";
    if (value.is_array()) return "a list";
    std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
    if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
    return text;
}

std::string with_unit(const char* unit) { return *unit == '\0' ? "" : fmt::format(" ({})", unit); }

} // namespace

Reader::Reader(const json& value, const Place& place) : value_(value), place_(place) {
    if (!value.is_object())
        throw ConfigError(place, fmt::format("{} is not an object; an object {{ }} is expected", shown(value)));
}

const json* Reader::find(const char* name) {
    known_.emplace_back(name);
    const auto member = value_.find(name);
    return member == value_.end() ? nullptr : &*member;
}

void Reader::find_ranges_of(const NamedParts& parts, Ranges& found) {
    const std::string& name = parts.name;
    for (auto member = value_.begin(); member != value_.end(); ++member) {
        const std::string& key = member.key();
        if (key.size() <= name.size() || key.compare(0, name.size(), name) != 0 || key[name.size()] != '[') continue;
        const std::optional<IndexRange> range = index_range(std::string_view(key).substr(name.size()));
        const auto fail = [&](const std::string& what) { throw ConfigError(place_.at(key), what); };
        if (!range)
            fail(fmt::format("'{}' names no part; one such as {}[2], or several such as {}[0..3], is expected",
                             key.substr(name.size()), name, name));
        if (range->last >= parts.count)
            fail(fmt::format("there are {} of them, {}[0] to {}[{}]", parts.count, name, name, parts.count - 1));
        known_.emplace_back(key);
        found.emplace_back(IndexRange{parts.first + range->first, parts.first + range->last}, key);
    }
}

namespace {
/// The same parts under the same name, as `socket[0]` and `socket[0..0]` are; `gpu` and `socket[0..3]` are not.
bool same_twice(const std::pair<IndexRange, std::string>& a, const std::pair<IndexRange, std::string>& b) {
    const std::size_t end = a.second.find('[');
    return a.first.count() == b.first.count() && end != std::string::npos &&
           a.second.compare(0, end + 1, b.second, 0, end + 1) == 0;
}
} // namespace

Reader::Ranges Reader::find_ranges(const NamedParts& all, const std::vector<NamedParts>& named) {
    Ranges found; // of the same parts what comes later goes over what came before
    for (const NamedParts& parts : named) parts_.push_back(parts.name);
    parts_.push_back(all.name);
    for (const NamedParts& parts : named) {
        if (const auto whole = value_.find(parts.name); whole != value_.end() && parts.count != 0) {
            known_.emplace_back(whole.key());
            found.emplace_back(IndexRange{parts.first, parts.first + parts.count - 1}, parts.name);
        }
        find_ranges_of(parts, found);
    }
    find_ranges_of(all, found);
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        const unsigned wide = a.first.count(), other = b.first.count();
        return wide != other ? wide > other : a.first.first < b.first.first;
    });
    for (auto inner = found.begin(); inner != found.end(); ++inner)
        for (auto outer = found.begin(); outer != inner; ++outer)
            if (outer->first.overlaps(inner->first) &&
                (!outer->first.contains(inner->first) || same_twice(*outer, *inner)))
                throw ConfigError(
                    place_.at(inner->second),
                    fmt::format("{} has some of the same parts; ranges lie apart, or one inside the other",
                                outer->second));
    return found;
}

void Reader::finish() const {
    for (const auto& [key, unused] : value_.items()) {
        if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
        const std::string::size_type bracket = key.find('[');
        if (bracket != std::string::npos && !parts_.empty())
            throw ConfigError(place_.at(key),
                              unknown_name("part", key.substr(0, bracket), {parts_.begin(), parts_.end()}));
        throw ConfigError(place_.at(key), unknown_name("key", key, known_));
    }
}

bool Reader::less(Whole a, Whole b) {
    if (a.negative != b.negative) return a.negative;
    return a.negative ? a.magnitude > b.magnitude : a.magnitude < b.magnitude;
}

Reader::Whole Reader::whole_between(const json& value, const Place& place, Whole low, Whole high, const char* unit) {
    const auto text = [](Whole n) { return (n.negative ? "-" : "") + std::to_string(n.magnitude); };
    const auto allowed = [&] {
        return fmt::format("allowed are whole numbers from {} to {}{}", text(low), text(high), with_unit(unit));
    };
    const bool beyond = value.is_number_float() && std::abs(value.get<double>()) >= 9.2e18; // no integer holds it
    if (beyond) throw ConfigError(place, fmt::format("{} is out of range; {}", shown(value), allowed()));
    const bool written_as_real = value.is_number_float() && std::nearbyint(value.get<double>()) == value.get<double>();
    if (!value.is_number_integer() && !written_as_real) // 2.0 is an integer to JSON Schema too
        throw ConfigError(place, fmt::format("{} is not a whole number; {}", shown(value), allowed()));
    const Whole number = written_as_real              ? make_whole(static_cast<std::int64_t>(value.get<double>()))
                         : value.is_number_unsigned() ? make_whole(value.get<std::uint64_t>())
                                                      : make_whole(value.get<std::int64_t>());
    if (less(number, low) || less(high, number))
        throw ConfigError(place, fmt::format("{} is out of range; {}", text(number), allowed()));
    return number;
}

double Reader::real_between(const json& value, const Place& place, double low, double high, const char* unit) {
    const auto allowed = [&] { return fmt::format("allowed are numbers from {} to {}{}", low, high, with_unit(unit)); };
    if (!value.is_number()) throw ConfigError(place, fmt::format("{} is not a number; {}", shown(value), allowed()));
    const auto number = value.get<double>();
    if (!(number >= low && number <= high))
        throw ConfigError(place, fmt::format("{} is out of range; {}", shown(value), allowed()));
    return number;
}

void Reader::real(const char* name, double& field, double low, double high, const char* unit, const char* /*doc*/) {
    if (const json* member = find(name)) field = real_between(*member, place_.at(name), low, high, unit);
}

void Reader::real(const char* name, float& field, double low, double high, const char* unit, const char* /*doc*/) {
    if (const json* member = find(name))
        field = static_cast<float>(real_between(*member, place_.at(name), low, high, unit));
}

void Reader::boolean(const char* name, bool& field, const char* /*doc*/) {
    const json* member = find(name);
    if (member == nullptr) return;
    if (!member->is_boolean())
        throw ConfigError(place_.at(name), shown(*member) + " is not a truth value; allowed are true and false");
    field = member->get<bool>();
}

void Reader::text(const char* name, std::string& field, const char* /*doc*/) {
    if (const json* member = find(name)) field = string_of(*member, place_.at(name));
}

void Reader::parts(const char* name, std::string& field, const char* /*doc*/) {
    const json* member = find(name);
    if (member == nullptr) return;
    if (!member->is_string())
        throw ConfigError(place_.at(name), shown(*member) + " names no part; a name in \" \", such as socket[0] or "
                                                            "socket[0..3], is expected");
    field = member->get<std::string>();
}

std::string Reader::string_of(const json& value, const Place& place) {
    if (!value.is_string()) throw ConfigError(place, shown(value) + " is not a string; a string in \" \" is expected");
    return value.get<std::string>();
}

void Reader::refuse_step(const char* name, std::uint64_t value, std::uint64_t step) const {
    throw ConfigError(place_.at(name), fmt::format("{} is no multiple of {}, which is expected", value, step));
}

void Reader::check_list(const json& value, const Place& place) {
    if (!value.is_array()) throw ConfigError(place, shown(value) + " is not a list; a list [ ] is expected");
}

} // namespace numavp
