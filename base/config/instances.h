/// Configuration of single ones of several equal parts: `socket[2]` and `socket[4..19]` beside `socket` for all others.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace numavp {

/// Indices of parts, both ends included.
struct IndexRange {
    unsigned first = 0, last = 0;

    bool contains(unsigned index) const { return first <= index && index <= last; }
    bool contains(IndexRange o) const { return first <= o.first && o.last <= last; }
    bool overlaps(IndexRange o) const { return first <= o.last && o.first <= last; }
    unsigned count() const { return last - first + 1; }
    /// "[2]" or "[4..19]".
    std::string text() const;
};

/// The range of "[2]" or "[4..19]"; nothing if `text` is not of this form, or its ends are in the wrong order.
std::optional<IndexRange> index_range(std::string_view text);

/// Parts that have their own name besides their number among all: `cpu[0]` is part `first`, and `count` follow.
struct NamedParts {
    std::string name;
    unsigned first = 0, count = 0;
};

/// Configurations by range of parts. Ranges are disjoint or nested; a part has that of the narrowest range around it.
template <class T> struct Instances {
    struct One {
        IndexRange range;
        T config;
        std::string key = {}; ///< under which a file describes them; empty: as `name_of` makes it

        std::string key_of(const std::string& name) const { return key.empty() ? name + range.text() : key; }
    };
    std::vector<One> all; ///< wider ranges before those inside them

    const T& of(unsigned index, const T& others) const {
        const T* found = &others;
        for (const One& one : all)
            if (one.range.contains(index)) found = &one.config;
        return *found;
    }
    /// "socket[4..19]": the key under which a part is described; `name` if it is as the others.
    std::string name_of(const std::string& name, unsigned index) const {
        std::string found = name;
        for (const One& one : all)
            if (one.range.contains(index)) found = one.key_of(name);
        return found;
    }
};

} // namespace numavp
