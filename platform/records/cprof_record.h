/// One record of a .cprof file, and its members in whichever form the version of the tracer wrote them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/base/config_file.h"

namespace numavp {

class CprofRecord {
  public:
    /// ConfigError if the line is not an object with one member that is an object.
    CprofRecord(const std::string& line, std::size_t number, const std::string& path);

    const std::string& kind() const { return kind_; }
    [[noreturn]] void fail(const std::string& why) const;

    /// A whole number, also as a text; ConfigError if it is something else. Without a value if it is not there.
    std::optional<std::uint64_t> number(const char* member) const;
    /// The same; ConfigError if it is not there.
    std::uint64_t needed(const char* member) const;
    /// Empty if it is not there, or no text.
    std::string text(const char* member) const;
    /// Whole numbers; none if it is not there (an empty list is written as an empty text).
    std::vector<std::uint64_t> numbers(const char* member) const;
    /// Member `type` of a member that is an object, or a text with one; that text itself if it is none.
    std::string type_of(const char* member) const;
    /// Member `id` of such a member; negative if it has none.
    std::int64_t id_of(const char* member) const;

  private:
    json object(const char* member) const;
    std::uint64_t whole(const json& value, const char* member) const;

    std::string where_, kind_;
    json body_;
};

} // namespace numavp
