/// Open accesses by line: keeps accesses to one line in order where the module below may reorder them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace numavp {

/// A short list (tens of entries), which is searched and not hashed.
class LineOrder {
  public:
    /// True if an access to `line` has to wait for an open one, which is so unless both only read.
    bool must_wait(std::uint64_t line, bool writes) const {
        return std::any_of(out_.begin(), out_.end(),
                           [&](const Out& o) { return o.line == line && (writes || o.writes); });
    }
    void add(std::uint64_t line, bool writes) { out_.push_back({line, writes}); }
    /// Removes an access to `line` of that direction, which has been answered.
    void remove(std::uint64_t line, bool writes) {
        const auto it =
            std::find_if(out_.begin(), out_.end(), [&](const Out& o) { return o.line == line && o.writes == writes; });
        *it = out_.back();
        out_.pop_back();
    }
    std::size_t size() const { return out_.size(); }

  private:
    struct Out {
        std::uint64_t line;
        bool writes;
    };
    std::vector<Out> out_;
};

} // namespace numavp
