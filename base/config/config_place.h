/// Origin of a configured value: one of several files that extend each other, or the command line.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace numavp {

/// Records which source set which value, when a configuration has several sources.
class Origins {
  public:
    /// The value at JSON path `path` (and all below) comes from `source`: a file, or "--set a.b".
    void record(const std::string& path, const std::string& source);

    /// Source of the value at `path`: its own, that of an enclosing value, the common one of all values inside, or "".
    std::string source(const std::string& path) const;

  private:
    std::map<std::string, std::string> sources_;
};

/// A place in a configuration, with which every ConfigError begins. Converts to "file: $.path" or "--set path".
class Place {
  public:
    Place(std::string file, std::string path = "$", const Origins* origins = nullptr)
        : file_(std::move(file)), path_(std::move(path)), origins_(origins) {}
    Place(const char* file) : Place(std::string(file)) {}

    /// The place of a member or an element of this place's value.
    Place at(std::string_view key) const;
    Place at(std::size_t index) const;

    const std::string& file() const { return file_; }
    const std::string& path() const { return path_; } ///< such as $.socket.l2.ways
    std::string str() const;
    operator std::string() const { return str(); }

  private:
    std::string file_;
    std::string path_;
    const Origins* origins_; ///< not owned; null if there is one source
};

} // namespace numavp
