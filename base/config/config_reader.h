/// The visitor that fills a configuration struct from JSON. Strict: unknown keys and wrong types are errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/config/config_file.h"
#include "base/config/instances.h"
#include "base/values/name_table.h"

namespace numavp {

template <class T> void read_object(T& config, const json& value, const Place& place);

/// Reads the members of one JSON object. Only `read_object` makes one.
class Reader {
  public:
    /// Throws if `value` is not an object.
    Reader(const json& value, const Place& place);

    /// A whole number from `low` to `high`; 8.0 and 8e0 are some, "8" and true are not.
    template <class I, class L, class H>
    void integer(const char* name, I& field, L low, H high, const char* unit, const char* /*doc*/) {
        if (const json* member = find(name)) field = whole<I>(*member, place_.at(name), low, high, unit);
    }
    /// A multiple of `step`.
    template <class I, class L>
    void steps(const char* name, I& field, L low, L high, L step, const char* unit, const char* doc) {
        integer(name, field, low, high, unit, doc);
        if (field % step != 0) refuse_step(name, field, static_cast<std::uint64_t>(step));
    }
    void real(const char* name, double& field, double low, double high, const char* unit, const char* doc);
    void real(const char* name, float& field, double low, double high, const char* unit, const char* doc);
    void boolean(const char* name, bool& field, const char* doc);
    void text(const char* name, std::string& field, const char* doc);
    /// Reads names of parts, such as "gpu[0..3]", as text; a caller that has the list of parts resolves them.
    void parts(const char* name, std::string& field, const char* doc);

    template <class E> void choice(const char* name, E& field, const NameTable<E>& table, const char* /*doc*/) {
        if (const json* member = find(name)) field = table.value(string_of(*member, place_.at(name)), place_.at(name));
    }
    template <class T> void object(const char* name, T& field, const char* /*doc*/) {
        if (const json* member = find(name)) read_object(field, *member, place_.at(name));
    }
    /// An object that is written to a dump only if `field.given()`.
    template <class T> void optional(const char* name, T& field, const char* doc) { object(name, field, doc); }
    template <class T> void list(const char* name, std::vector<T>& field, const char* /*doc*/) {
        const json* member = find(name);
        if (member == nullptr) return;
        check_list(*member, place_.at(name));
        field.clear();
        for (const json& element : *member) {
            T item;
            read_object(item, element, place_.at(name).at(field.size()));
            field.push_back(std::move(item));
        }
    }
    /// Reads members for single parts of `count`: `socket[2]`, `socket[4..19]`, or for parts with their own name `cpu`
    /// and `cpu[1]`. A field that such a member omits has the value of the next wider range, or else of `others`, which
    /// has been read before.
    template <class T>
    void instances(const char* name, const std::vector<NamedParts>& named, const T& others, unsigned count,
                   Instances<T>& field, const char* /*doc*/) {
        field.all.clear();
        for (const auto& [range, key] : find_ranges({name, 0, count}, named)) {
            T config = field.of(range.first, others);
            read_object(config, value_.at(key), place_.at(key));
            field.all.push_back({range, std::move(config), key});
        }
    }
    template <class I, class L, class H>
    void integers(const char* name, std::vector<I>& field, L low, H high, const char* unit, const char* /*doc*/) {
        const json* member = find(name);
        if (member == nullptr) return;
        check_list(*member, place_.at(name));
        field.clear();
        for (const json& element : *member)
            field.push_back(whole<I>(element, place_.at(name).at(field.size()), low, high, unit));
    }

    /// To be called after the last field: throws if the object has a key that no field has.
    void finish() const;

  private:
    /// An integer of any type: the sign and the magnitude.
    struct Whole {
        bool negative;
        std::uint64_t magnitude;
    };
    template <class N> static constexpr Whole make_whole(N n) {
        const auto bits = static_cast<std::uint64_t>(n);
        if constexpr (std::is_signed_v<N>) return {n < 0, n < 0 ? 0 - bits : bits};
        return {false, bits};
    }
    static bool less(Whole a, Whole b);
    [[noreturn]] void refuse_step(const char* name, std::uint64_t value, std::uint64_t step) const;

    template <class I, class L, class H>
    static I whole(const json& value, const Place& place, L low, H high, const char* unit) {
        static_assert(std::is_integral_v<I> && !std::is_same_v<I, bool>, "an integer field has an integral type");
        const Whole number = whole_between(value, place, make_whole(low), make_whole(high), unit);
        return static_cast<I>(number.negative ? 0 - number.magnitude : number.magnitude);
    }
    static Whole whole_between(const json& value, const Place& place, Whole low, Whole high, const char* unit);
    static double real_between(const json& value, const Place& place, double low, double high, const char* unit);
    static std::string string_of(const json& value, const Place& place);
    static void check_list(const json& value, const Place& place);

    /// The member called `name`, or null; notes that the name exists.
    const json* find(const char* name);
    using Ranges = std::vector<std::pair<IndexRange, std::string>>;
    /// Finds the members for ranges of parts, and for all parts of a name in `named`; wider ranges come first.
    Ranges find_ranges(const NamedParts& all, const std::vector<NamedParts>& named);
    void find_ranges_of(const NamedParts& parts, Ranges& found);

    const json& value_;
    Place place_;
    std::vector<std::string_view> known_;
    std::vector<std::string> parts_; ///< names of parts of which single ones may be set
};

namespace detail {
template <class T, class = void> struct HasValidate : std::false_type {};
template <class T>
struct HasValidate<T, std::void_t<decltype(std::declval<T&>().validate(std::declval<const Place&>()))>>
    : std::true_type {};
} // namespace detail

/// Fills `config` from the object `value`, then calls its `validate()` if it has one.
template <class T> void read_object(T& config, const json& value, const Place& place) {
    Reader reader(value, place);
    describe(reader, config);
    reader.finish();
    if constexpr (detail::HasValidate<T>::value) config.validate(place);
}

} // namespace numavp
