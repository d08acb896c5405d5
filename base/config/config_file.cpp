#include "base/config/config_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/config/file_kind.h"
#include "base/config/instances.h"
#include "base/config/large_config.h"
#include "base/values/error.h"
#include "base/values/name_table.h"

namespace numavp {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kMaxWhat = 160;
constexpr std::size_t kMaxFileBytes = std::size_t{64} << 20;

/// Builds the value from the parser's events: unlike nlohmann's own builder it refuses a key that comes twice.
class StrictBuilder : public nlohmann::json_sax<json> {
  public:
    StrictBuilder(const std::string& text, std::string file) : text_(text), file_(std::move(file)) {}

    json take() { return std::move(root_); }
    const std::string& error() const { return error_; }

    bool null() override { return put(nullptr); }
    bool boolean(bool value) override { return put(value); }
    bool number_integer(number_integer_t value) override { return put(value); }
    bool number_unsigned(number_unsigned_t value) override { return put(value); }
    bool number_float(number_float_t value, const string_t& /*digits*/) override { return put(value); }
    bool string(string_t& value) override { return put(std::move(value)); }
    bool binary(binary_t& value) override { return put(std::move(value)); }
    bool start_object(std::size_t /*count*/) override { return open(json::object()); }
    bool start_array(std::size_t /*count*/) override { return open(json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(string_t& name) override {
        if (open_.back().value->contains(name))
            throw ConfigError(here().at(name), "the key is there twice; a key may be given once");
        open_.back().key = name;
        return true;
    }

    bool parse_error(std::size_t position, const std::string& /*token*/, const json::exception& fault) override {
        const auto end = text_.begin() + static_cast<std::ptrdiff_t>(std::min(position, text_.size()));
        const auto line = 1 + std::count(text_.begin(), end, '\n');
        const auto line_start = std::find(std::make_reverse_iterator(end), text_.rend(), '\n').base();
        std::string what = fault.what();
        if (const std::size_t skip = what.find("] "); skip != std::string::npos) what.erase(0, skip + 2);
        if (const std::size_t skip = what.find(": "); skip != std::string::npos && what.rfind("parse error", 0) == 0)
            what.erase(0, skip + 2);
        if (text_.empty()) what = "the file is empty"; // versions of the library differ
        if (what.size() > kMaxWhat) what = what.substr(0, kMaxWhat) + "...";
        error_ = fmt::format("line {}, column {}: {}; JSON without comments is expected", line,
                             std::max<std::ptrdiff_t>(1, end - line_start), what);
        return false;
    }

  private:
    struct Open {
        json* value;
        std::string key; ///< of the member that comes next, in an object
    };

    json* attach(json&& value) {
        if (open_.empty()) {
            root_ = std::move(value);
            return &root_;
        }
        Open& top = open_.back();
        if (top.value->is_array()) {
            top.value->push_back(std::move(value));
            return &top.value->back();
        }
        json& member = (*top.value)[top.key];
        member = std::move(value);
        return &member;
    }
    template <class V> bool put(V&& value) {
        attach(json(std::forward<V>(value)));
        return true;
    }
    bool open(json&& empty) {
        if (open_.size() == kMaxDepth)
            throw ConfigError(here(), fmt::format("objects and lists are nested too deep; allowed are {}", kMaxDepth));
        open_.push_back({attach(std::move(empty)), {}});
        return true;
    }
    bool close() {
        open_.pop_back();
        return true;
    }
    Place here() const {
        Place place(file_);
        for (std::size_t i = 0; i + 1 < open_.size(); ++i)
            place = open_[i].value->is_array() ? place.at(open_[i].value->size() - 1) : place.at(open_[i].key);
        return place;
    }

    const std::string& text_;
    std::string file_;
    json root_;
    std::vector<Open> open_; ///< a child is attached before it is opened, so that these pointers stay valid
    std::string error_;
};

std::string read_file(const std::string& path, std::size_t most_bytes) {
    std::error_code ignored;
    if (!fs::exists(path, ignored)) throw ConfigError(path, "there is no such file; a JSON file is expected");
    refuse_odd_file(path, "a JSON file");
    std::ifstream in(path, std::ios::binary);
    if (!in) throw ConfigError(path, "the file can't be opened; a readable JSON file is expected");
    std::string text;
    char chunk[1 << 16];
    while (in.read(chunk, sizeof chunk) || in.gcount() > 0) {
        text.append(chunk, static_cast<std::size_t>(in.gcount()));
        if (text.size() > most_bytes)
            throw ConfigError(path, fmt::format("the file is too large; at most {} MiB are allowed", most_bytes >> 20));
    }
    return text;
}

/// The file that `named`, the value at `place`, names: beside the file in which it stands, or as `find_named` says.
std::string other_file(const json& named, const Place& place, const FindNamed& find_named, const std::string& folder) {
    if (!named.is_string() || named.get_ref<const std::string&>().empty())
        throw ConfigError(place, "this is not a file; the name of a JSON file is expected");
    const auto& name = named.get_ref<const std::string&>();
    fs::path base = fs::path(place.file()).parent_path() / name;
    std::error_code ignored;
    if (!fs::is_regular_file(base, ignored) && base.extension() != ".json") base += ".json";
    if (fs::is_regular_file(base, ignored)) return base.lexically_normal().string();
    if (find_named)
        if (std::string found = find_named(folder + name); !found.empty()) return found;
    throw ConfigError(place, fmt::format("there is no file {}; a file beside this one{} is expected", base.string(),
                                         !find_named      ? ""
                                         : folder.empty() ? ", or a name that numavp lists,"
                                                          : ", or one in configs/parts,"));
}

/// Files onto each other: a file that extends another, or uses another in one of its objects, goes over it.
class Loader {
  public:
    Loader(ConfigDocument& document, const FindNamed& find_named, std::size_t most_bytes)
        : document_(document), find_named_(find_named), most_bytes_(most_bytes) {}

    /// Merges the file into `target`, which stands at `at` in the document; `place` is where the file is named.
    void load(json& target, const std::string& path, const std::string& at, const Place& place) {
        std::error_code ignored;
        fs::path real = fs::canonical(path, ignored);
        if (real.empty()) real = path;
        if (std::find(open_.begin(), open_.end(), real) != open_.end())
            throw ConfigError(place, fmt::format("the file {} itself; a chain of files without a circle is expected",
                                                 place.path() == "$.extends" ? "extends" : "uses"));
        open_.push_back(real);
        json own = parse_json(read_file(path, most_bytes_), path);
        if (!own.is_object()) throw ConfigError(Place(path), "this is not an object; the file must hold one, in { }");
        own.erase("$schema");
        if (const auto extends = own.find("extends"); extends != own.end()) {
            const Place here = Place(path).at("extends");
            const std::string base = other_file(*extends, here, find_named_, "");
            own.erase(extends);
            load(target, base, at, here);
        }
        merge(target, own, Place(path, at));
        open_.pop_back();
    }

  private:
    /// RFC 7386; records the source of each value that is not an object. A null that removes nothing stays: the strict
    /// reader refuses it.
    void merge(json& target, const json& patch, const Place& place) {
        if (!patch.is_object()) {
            target = patch;
            document_.origins.record(place.path(), place.file());
            return;
        }
        if (!target.is_object()) target = json::object();
        const auto use = find_named_ ? patch.find("use") : patch.end(); // of files that may name others
        if (use != patch.end()) {
            const Place here = place.at("use");
            target = json::object(); // a part comes whole, in the place of what was there
            load(target, other_file(*use, here, find_named_, "parts/"), place.path(), here);
        }
        for (const auto& [key, value] : patch.items()) {
            if (use != patch.end() && key == "use") continue;
            if (value.is_null() && target.contains(key))
                target.erase(key);
            else
                merge(target[key], value, place.at(key));
        }
    }

    ConfigDocument& document_;
    const FindNamed& find_named_;
    std::size_t most_bytes_;
    std::vector<fs::path> open_; ///< files of which this one is a part, or an extension
};

struct Step {
    std::string key;                  ///< or "[2]", "[4..19]"
    std::optional<std::size_t> index; ///< of an element of a list
    bool range = false;               ///< of parts
};

/// Splits "a.b[2].c"; throws if it is not of that form.
std::vector<Step> parse_path(const std::string& path, const std::string& place) {
    const auto malformed = [&] { return ConfigError(place, "the path is malformed; a.b or a.b[0].c is expected"); };
    std::vector<Step> steps;
    std::size_t at = 0;
    while (at < path.size()) {
        if (path[at] == '[') {
            const std::size_t close = path.find(']', at);
            if (close == std::string::npos || steps.empty()) throw malformed();
            const std::string bracket = path.substr(at, close + 1 - at);
            const std::optional<IndexRange> range = index_range(bracket);
            if (!range) throw malformed();
            const bool one = bracket.find('.') == std::string::npos;
            steps.push_back({bracket, one ? std::optional<std::size_t>(range->first) : std::nullopt, !one});
            at = close + 1;
        } else {
            if (!steps.empty() && path[at++] != '.') throw malformed();
            const std::size_t end = std::min(path.find_first_of(".[", at), path.size());
            if (end == at) throw malformed();
            steps.push_back({path.substr(at, end - at), std::nullopt, false});
            at = end;
        }
    }
    if (steps.empty() || steps.size() > kMaxDepth) throw malformed();
    return steps;
}

/// Without blanks around it; a text that has some is given in quotes, as JSON.
std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t");
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

json parse_value(const std::string& text, const std::string& place) {
    StrictBuilder builder(text, place);
    if (json::sax_parse(text, &builder)) return builder.take();
    try {
        json word = text;
        (void)word.dump(); // throws if the bytes are not UTF-8: they could not be written to the results
        return word;
    } catch (const json::exception&) {
        throw ConfigError(place, "the value is not UTF-8 text; JSON or UTF-8 text is expected");
    }
}

/// Index of the element of a list that has this name: parts.gpu is parts[0] if its name is gpu. Nothing if no element
/// has a name.
std::optional<std::size_t> named_element(const json& list, const std::string& name, const std::string& place) {
    std::vector<std::string> names;
    for (std::size_t i = 0; list.is_array() && i < list.size(); ++i) {
        if (!list[i].is_object() || !list[i].contains("name") || !list[i]["name"].is_string()) continue;
        names.push_back(list[i]["name"].get<std::string>());
        if (names.back() == name) return i;
    }
    if (names.empty()) return std::nullopt;
    throw ConfigError(place, unknown_name("element", name, std::vector<std::string_view>(names.begin(), names.end())));
}

json& child(json& value, const Step& step, const std::string& place) {
    if (step.index) {
        const std::size_t size = value.is_array() ? value.size() : 0;
        if (*step.index >= size)
            throw ConfigError(place, fmt::format("there is no element [{}]; the list has {}", *step.index, size));
        return value[*step.index];
    }
    if (value.is_null()) value = json::object();
    if (!value.is_object())
        throw ConfigError(place, fmt::format("'{}' is not inside an object; it is below a {}", step.key,
                                             value.is_array() ? "list: write [0]" : "plain value"));
    return value[step.key];
}

/// Whether `next` is part of a key, as in socket[2], and no element of the list that `step` names.
bool names_parts(const json& value, const Step& step, const Step& next) {
    if (step.index || (!next.index && !next.range)) return false;
    const auto named = value.find(step.key);
    return next.range || named == value.end() || !named->is_array();
}

std::string assign(json& value, const std::string& assignment, Origins* origins) {
    const std::size_t equals = assignment.find('=');
    std::string path = trimmed(assignment.substr(0, equals));
    if (path.rfind("$.", 0) == 0) path.erase(0, 2); // as errors print it
    const std::string source = "--set " + path;
    if (equals == std::string::npos) throw ConfigError(source, "the value is missing; path=value is expected");

    const std::vector<Step> steps = parse_path(path, source);
    const json parsed = parse_value(trimmed(assignment.substr(equals + 1)), source);
    json* at = &value;
    Place place(source);
    bool made = false; // from the first object that is new, all is written by this assignment
    for (std::size_t i = 0; i < steps.size(); ++i) {
        Step step = steps[i];
        if (i + 1 < steps.size() && names_parts(*at, step, steps[i + 1])) step.key += steps[++i].key;
        if (!step.index) step.index = named_element(*at, step.key, source);
        const bool known = step.index || (at->is_object() && at->contains(step.key));
        at = &child(*at, step, source);
        place = step.index ? place.at(*step.index) : place.at(step.key);
        if (!known && !made && origins != nullptr) {
            origins->record(place.path(), source);
            made = true;
        }
    }
    *at = parsed;
    if (origins != nullptr) origins->record(place.path(), source);
    return place.path();
}

ConfigDocument load_up_to(const std::string& path, const FindNamed& find_named, std::size_t most_bytes) {
    ConfigDocument document;
    document.file = path;
    Loader(document, find_named, most_bytes).load(document.value, path, "$", Place(path));
    return document;
}

} // namespace

json parse_json(const std::string& text, const std::string& file) {
    StrictBuilder builder(text, file);
    if (!json::sax_parse(text, &builder)) throw ConfigError(file, builder.error());
    return builder.take();
}

json load_json_file(const std::string& path) { return parse_json(read_file(path, kMaxFileBytes), path); }

ConfigDocument load_document(const std::string& path, const FindNamed& find_named) {
    return load_up_to(path, find_named, kMaxFileBytes);
}

ConfigDocument load_large_document(const std::string& path, std::size_t most_bytes) {
    return load_up_to(path, {}, most_bytes);
}

json load_with_extends(const std::string& path, const FindNamed& find_named) {
    return load_document(path, find_named).value;
}

std::string set_path(ConfigDocument& document, const std::string& assignment) {
    return assign(document.value, assignment, &document.origins);
}

std::string set_path(json& value, const std::string& assignment) { return assign(value, assignment, nullptr); }

} // namespace numavp
