/// The visitors that write a configuration struct: its values as JSON, and the JSON Schema of its files.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/config/config_file.h"
#include "base/config/instances.h"
#include "base/values/error.h"
#include "base/values/name_table.h"

namespace numavp {

namespace detail {
/// A value or limit of a field of type I, as JSON: one-byte integers are numbers too, not characters.
template <class I, class N> ordered_json number(N value) {
    if constexpr (std::is_signed_v<I>)
        return static_cast<std::int64_t>(value);
    else
        return static_cast<std::uint64_t>(value);
}
} // namespace detail

template <class T> ordered_json dump_object(T& config);
template <class T> ordered_json schema_of_object(T& defaults);

/// Writes every field's value, in declared order.
class Dumper {
  public:
    ordered_json take() { return std::move(result_); }

    template <class I, class L, class H>
    void integer(const char* name, I& field, L /*low*/, H /*high*/, const char* /*unit*/, const char* /*doc*/) {
        put(name, detail::number<I>(field));
    }
    template <class I, class L>
    void steps(const char* name, I& field, L /*low*/, L /*high*/, L /*step*/, const char* /*unit*/,
               const char* /*doc*/) {
        put(name, detail::number<I>(field));
    }
    template <class R>
    void real(const char* name, R& field, double /*low*/, double /*high*/, const char* /*unit*/, const char* /*doc*/) {
        put(name, static_cast<double>(field));
    }
    void boolean(const char* name, bool& field, const char* /*doc*/) { put(name, field); }
    void text(const char* name, std::string& field, const char* /*doc*/) { put(name, field); }
    void parts(const char* name, std::string& field, const char* /*doc*/) { put(name, field); }
    template <class E> void choice(const char* name, E& field, const NameTable<E>& table, const char* /*doc*/) {
        put(name, std::string(table.name(field)));
    }
    template <class T> void object(const char* name, T& field, const char* /*doc*/) { put(name, dump_object(field)); }
    template <class T> void optional(const char* name, T& field, const char* /*doc*/) {
        if (field.given()) put(name, dump_object(field));
    }
    template <class T> void list(const char* name, std::vector<T>& field, const char* /*doc*/) {
        ordered_json elements = ordered_json::array();
        for (T& element : field) elements.push_back(dump_object(element));
        put(name, std::move(elements));
    }
    template <class T>
    void instances(const char* name, const std::vector<NamedParts>& /*named*/, const T& others, unsigned /*count*/,
                   Instances<T>& field, const char* /*doc*/) {
        Instances<T> around; // what holds for a range but for itself
        for (auto& one : field.all) {
            T wider = around.of(one.range.first, others);
            result_[one.key_of(name)] = difference(dump_object(one.config), dump_object(wider));
            around.all.push_back(one);
        }
    }
    template <class I, class L, class H>
    void integers(const char* name, std::vector<I>& field, L /*low*/, H /*high*/, const char* /*unit*/,
                  const char* /*doc*/) {
        ordered_json elements = ordered_json::array();
        for (const I element : field) elements.push_back(detail::number<I>(element));
        put(name, std::move(elements));
    }

  private:
    /// The members of `value` that differ from those in `base`, which must have the same keys.
    static ordered_json difference(const ordered_json& value, const ordered_json& base);
    void put(const char* name, ordered_json value) { result_[name] = std::move(value); }

    ordered_json result_ = ordered_json::object();
};

/// Writes the JSON Schema of one object. A field list with a name twice or with a default that is not allowed is a
/// ModelError: a schema test of each struct finds it.
class SchemaWriter {
  public:
    /// `defaults` are the values of the struct as its program makes it, by `dump_object`.
    explicit SchemaWriter(ordered_json defaults);
    ordered_json take();

    template <class I, class L, class H>
    void integer(const char* name, I& /*field*/, L low, H high, const char* unit, const char* doc) {
        add(name, bounded("integer", detail::number<I>(low), detail::number<I>(high), unit), doc);
    }
    template <class I, class L>
    void steps(const char* name, I& /*field*/, L low, L high, L step, const char* unit, const char* doc) {
        ordered_json schema = bounded("integer", detail::number<I>(low), detail::number<I>(high), unit);
        schema["multipleOf"] = detail::number<I>(step);
        add(name, std::move(schema), doc);
    }
    template <class R>
    void real(const char* name, R& /*field*/, double low, double high, const char* unit, const char* doc) {
        add(name, bounded("number", low, high, unit), doc);
    }
    void boolean(const char* name, bool& field, const char* doc);
    void text(const char* name, std::string& field, const char* doc);
    void parts(const char* name, std::string& field, const char* doc);

    template <class E> void choice(const char* name, E& /*field*/, const NameTable<E>& table, const char* doc) {
        ordered_json schema = {{"enum", ordered_json::array()}};
        std::string text = doc;
        for (const NameEntry<E>& entry : table) {
            schema["enum"].push_back(std::string(entry.name));
            text += fmt::format("\n{}: {}", entry.name, entry.doc);
        }
        add(name, std::move(schema), text);
    }
    template <class T> void object(const char* name, T& field, const char* doc) {
        ordered_json schema = schema_of_object(field);
        add(name, std::move(schema), doc);
    }
    template <class T> void optional(const char* name, T& field, const char* doc) {
        defaults_[name] = ordered_json::object(); // of the dump, which has it only where a file does
        object(name, field, doc);
    }
    template <class T> void list(const char* name, std::vector<T>& /*field*/, const char* doc) {
        T element;
        add(name, {{"type", "array"}, {"items", schema_of_object(element)}}, doc);
    }
    template <class T>
    void instances(const char* /*name*/, const std::vector<NamedParts>& /*named*/, const T& /*others*/,
                   unsigned /*count*/, Instances<T>& /*field*/, const char* doc) {
        T one;
        instance_ = {{"description", doc}};
        instance_.update(schema_of_object(one));
    }
    template <class I, class L, class H>
    void integers(const char* name, std::vector<I>& /*field*/, L low, H high, const char* unit, const char* doc) {
        add(name,
            {{"type", "array"}, {"items", bounded("integer", detail::number<I>(low), detail::number<I>(high), unit)}},
            doc);
    }

  private:
    static ordered_json bounded(const char* type, ordered_json low, ordered_json high, const char* unit) {
        ordered_json schema = {{"type", type}, {"minimum", std::move(low)}, {"maximum", std::move(high)}};
        if (*unit != '\0') schema["x-unit"] = unit;
        return schema;
    }
    void add(const char* name, ordered_json schema, const std::string& doc);

    ordered_json defaults_;
    ordered_json properties_ = ordered_json::object();
    ordered_json instance_; ///< of members that describe parts; null if there are none
};

template <class T> ordered_json dump_object(T& config) {
    Dumper dumper;
    describe(dumper, config);
    return dumper.take();
}

template <class T> ordered_json schema_of_object(T& defaults) {
    SchemaWriter writer(dump_object(defaults));
    describe(writer, defaults);
    return writer.take();
}

} // namespace numavp
