#include "communication/records/cprof_record.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include <fmt/format.h>

#include "base/values/error.h"
#include "base/values/name_table.h"

namespace numavp {

namespace {
/// False if the text is not a whole number and nothing else.
template <class T> bool parse_whole(const std::string& text, T& number) {
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc{} && stop == end;
}
} // namespace

bool begins_like_record(std::string_view line) {
    std::size_t at = 0;
    const auto skip = [&](std::string_view text) {
        at = std::min(line.find_first_not_of(" \t\r", at), line.size());
        const bool there = line.compare(at, text.size(), text) == 0;
        at += there ? text.size() : 0;
        return there;
    };
    if (!skip("{") || !skip("\"")) return false;
    for (const std::string_view kind : {"allocation", "api", "compute", "dep", "meta", "transfer", "val"})
        if (line.compare(at, kind.size(), kind) == 0 && line.compare(at + kind.size(), 1, "\"") == 0) {
            at += kind.size() + 1;
            return skip(":");
        }
    return false;
}

CprofRecord::CprofRecord(const std::string& line, std::size_t number, const std::string& path)
    : where_(fmt::format("{}, line {}", path, number)) {
    const json record = parse_json(line, where_);
    if (!record.is_object() || record.size() != 1 || !record.begin()->is_object())
        fail("a record is expected: one member, such as api or val, that is an object");
    kind_ = record.begin().key();
    body_ = *record.begin();
}

void CprofRecord::fail(const std::string& why) const { throw ConfigError(where_, why); }

std::uint64_t CprofRecord::whole(const json& value, const char* member) const {
    if (value.is_number_unsigned()) return value.get<std::uint64_t>();
    std::uint64_t number = 0;
    if (!value.is_string() || !parse_whole(value.get<std::string>(), number))
        fail(fmt::format("{} of {} is {}; a whole number is expected", member, kind_,
                         quotable(value.dump(-1, ' ', false, json::error_handler_t::replace))));
    return number;
}

std::optional<std::uint64_t> CprofRecord::number(const char* member) const {
    const auto found = body_.find(member);
    if (found == body_.end()) return {};
    return whole(*found, member);
}

std::uint64_t CprofRecord::needed(const char* member) const {
    const std::optional<std::uint64_t> found = number(member);
    if (!found) fail(fmt::format("{} has no {}", kind_, member));
    return *found;
}

std::string CprofRecord::text(const char* member) const {
    const auto found = body_.find(member);
    return found != body_.end() && found->is_string() ? found->get<std::string>() : "";
}

std::vector<std::uint64_t> CprofRecord::numbers(const char* member) const {
    const auto found = body_.find(member);
    if (found == body_.end() || (found->is_string() && found->get<std::string>().empty())) return {};
    if (!found->is_array()) fail(fmt::format("{} of {} is no list of values", member, kind_));
    std::vector<std::uint64_t> all;
    for (const json& each : *found) all.push_back(whole(each, member));
    return all;
}

json CprofRecord::object(const char* member) const {
    const auto found = body_.find(member);
    if (found == body_.end()) return json::object();
    if (!found->is_string()) return *found;
    json inner = json::parse(found->get<std::string>(), nullptr, false);
    return inner.is_object() ? inner : json{{"type", *found}};
}

std::string CprofRecord::type_of(const char* member) const {
    const json inner = object(member);
    if (inner.is_object() && inner.empty()) return "";
    const auto type = inner.is_object() ? inner.find("type") : inner.end();
    if (type == inner.end() || !type->is_string())
        fail(fmt::format("{} of {} is {}; an object with a type, or a text, is expected", member, kind_,
                         quotable(inner.dump(-1, ' ', false, json::error_handler_t::replace))));
    return type->get<std::string>();
}

std::optional<std::uint64_t> CprofRecord::id_of(const char* member) const {
    const json inner = object(member);
    const auto id = inner.is_object() ? inner.find("id") : inner.end();
    if (id == inner.end()) return {};
    return whole(*id, (std::string("id in ") + member).c_str());
}

} // namespace numavp
