/// One record of a .cprof file; reads its members in each of the forms that versions of the tracer wrote.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/config/config_file.h"

namespace numavp {

/// Whether a line begins as one of the tracer's records does, whatever becomes of it then.
bool begins_like_record(std::string_view line);

class CprofRecord {
  public:
    /// ConfigError if the line is not an object with one member that is an object.
    CprofRecord(const std::string& line, std::size_t number, const std::string& path);

    const std::string& kind() const { return kind_; }
    [[noreturn]] void fail(const std::string& why) const;

    /// A whole number, also written as text; no value if the member is missing, ConfigError if it is something else.
    std::optional<std::uint64_t> number(const char* member) const;
    /// A whole number as number(), but ConfigError if the member is missing.
    std::uint64_t needed(const char* member) const;
    /// A text; empty if the member is missing or no text.
    std::string text(const char* member) const;
    /// A list of whole numbers; empty if the member is missing (tracers write an empty list as an empty text).
    std::vector<std::uint64_t> numbers(const char* member) const;
    /// Member `type` of a member that is an object, or a text with an object in it; else the text itself. Empty if the
    /// member is missing; ConfigError if it is something else, or has no type that is a text.
    std::string type_of(const char* member) const;
    /// Member `id` of such a member; none if there is none, ConfigError if it is no whole number from 0.
    std::optional<std::uint64_t> id_of(const char* member) const;

  private:
    json object(const char* member) const;
    std::uint64_t whole(const json& value, const char* member) const;

    std::string where_, kind_;
    json body_;
};

} // namespace numavp
