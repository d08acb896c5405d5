/// Tables of names: the only place where a variant (policy, organisation, pattern) gets its name and its sentence.
///
///     inline constexpr NameTable<Policy> kPolicyNames{"page placement", {
///         {Policy::line, "line", "Lines interleaved over the sockets."},
///         {Policy::first_touch, "first_touch", "A page goes to the socket that touches it first."}}};
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/values/error.h"

namespace numavp {

/// `text` as an error quotes it: at most 64 bytes, on one line, without control characters.
std::string quotable(std::string_view text);

/// The known name that is nearest to `name` by edit distance; empty if none is near enough to be a likely typing error.
std::string nearest_name(std::string_view name, const std::vector<std::string_view>& known);

/// "unknown <what> 'name', the nearest is 'x'; allowed are 'x', 'y'": the half of a ConfigError after the place.
std::string unknown_name(std::string_view what, std::string_view name, const std::vector<std::string_view>& known);

template <class E> struct NameEntry {
    E value{};
    std::string_view name;
    std::string_view doc; ///< one line
};

/// Names of the values of E, in the order in which lists show them. Values and names are unique.
template <class E> class NameTable {
  public:
    static constexpr std::size_t kCapacity = 32;

    /// `what` is the kind of thing named, such as "page placement". Too many or repeated entries do not compile.
    constexpr NameTable(std::string_view what, std::initializer_list<NameEntry<E>> entries) : what_(what) {
        for (const NameEntry<E>& entry : entries) {
            for (std::size_t i = 0; i < size_; ++i) {
                if (entries_[i].value == entry.value || entries_[i].name == entry.name)
                    throw std::logic_error("a name table has an entry twice");
            }
            if (size_ == kCapacity) throw std::logic_error("a name table is full");
            entries_[size_++] = entry;
        }
    }
    constexpr NameTable(std::initializer_list<NameEntry<E>> entries) : NameTable("name", entries) {}
    /// The entries, then all of another table, whose values `value_of` makes values of this one.
    template <class F>
    constexpr NameTable(std::string_view what, std::initializer_list<NameEntry<E>> entries, const NameTable<F>& others,
                        E (*value_of)(F))
        : NameTable(what, entries) {
        for (const NameEntry<F>& entry : others) {
            if (size_ == kCapacity) throw std::logic_error("a name table is full");
            entries_[size_++] = {value_of(entry.value), entry.name, entry.doc};
        }
    }

    constexpr std::string_view what() const { return what_; }
    constexpr std::size_t size() const { return size_; }
    constexpr const NameEntry<E>* begin() const { return entries_.data(); }
    constexpr const NameEntry<E>* end() const { return entries_.data() + size_; }

    /// The value called `name`, if there is one.
    constexpr std::optional<E> find(std::string_view name) const {
        for (const NameEntry<E>& entry : *this)
            if (entry.name == name) return entry.value;
        return std::nullopt;
    }
    /// The value called `name`; if there is none, a ConfigError at `place` that lists all names.
    E value(std::string_view name, const std::string& place) const {
        if (const std::optional<E> found = find(name)) return *found;
        throw ConfigError(place, unknown_name(what_, name, names()));
    }
    /// The name of `value`, which must be in the table.
    constexpr std::string_view name(E value) const { return entry(value).name; }
    constexpr std::string_view doc(E value) const { return entry(value).doc; }

    std::vector<std::string_view> names() const {
        std::vector<std::string_view> all;
        for (const NameEntry<E>& entry : *this) all.push_back(entry.name);
        return all;
    }

  private:
    constexpr const NameEntry<E>& entry(E value) const {
        for (const NameEntry<E>& entry : *this)
            if (entry.value == value) return entry;
        throw std::logic_error("a value is missing in its name table");
    }

    std::string_view what_;
    std::array<NameEntry<E>, kCapacity> entries_{};
    std::size_t size_ = 0;
};

} // namespace numavp
